/* Version of this build, for --version and for every result. */
#ifndef PSIM_BASE_VERSION_H
#define PSIM_BASE_VERSION_H

/* "0.1.0" */
const char *version_number(void);

/* "0.1.0 (1a2b3c4)": Git's abbreviated commit, followed by "-dirty" if files were changed, or "unknown". */
const char *version_text(void);

#endif
