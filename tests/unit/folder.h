/* A temporary folder for the files of a test. */
#ifndef PSIM_TESTS_FOLDER_H
#define PSIM_TESTS_FOLDER_H

extern char folder[]; /* its path */

/* Makes it; ends the program where that fails. rmdir(folder) is the caller's. */
void folder_make(void);

/* The path of `name` in it; the last four that were asked for stay. */
const char *in_folder(const char *name);

#endif
