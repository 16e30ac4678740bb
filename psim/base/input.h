/*
 * The door for files that programs read: plain ones, and those that gzip has compressed, which are read as what they
 * contain. tests/lint/door.py names the exceptions.
 */
#ifndef PSIM_BASE_INPUT_H
#define PSIM_BASE_INPUT_H

#include <stdio.h>

/* Opens a file for reading; "-" is standard input, which stays open when the file is closed. NULL with errno. */
FILE *input_plain(const char *path);

/*
 * Opens a file for reading; "-" is standard input. NULL with errno. A compressed one can be read again from its
 * beginning (fseek), but not from its end; damage is a read error, EBADMSG.
 */
FILE *input_open(const char *path);

/* The text of errno after a read of such a file has failed; of damage, what was expected. */
const char *input_failure(void);

#endif
