/* Lines for people on standard error, which may have names from outside. */
#ifndef PSIM_BASE_MESSAGE_H
#define PSIM_BASE_MESSAGE_H

/*
 * Prints a line, "psim: warning: …", on stderr. What people cannot see is shown as escape.h says, so that a name moves
 * no cursor and begins no line. Longer lines than 8 KiB are cut.
 */
__attribute__((format(printf, 1, 2))) void message(const char *format, ...);

/* Prints each line of `text`, which may be NULL, in the same way. */
void message_lines(const char *text);

#endif
