/* A temporary folder for the files of a test. */
#ifndef PSIM_TESTS_FOLDER_H
#define PSIM_TESTS_FOLDER_H

extern char folder[]; /* path of the folder */

/* Makes the folder; ends the program if that fails. The caller removes it with rmdir(folder). */
void folder_make(void);

/* Returns the path of `name` in the folder; the last four results are valid. */
const char *in_folder(const char *name);

#endif
