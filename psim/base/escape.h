/*
 * Names from outside in texts: programs, symbols, regions and files may have any byte but NUL in their names. Each
 * output format writes them through one function (JSON and pages: report_json_dump), so that a name cannot move a
 * terminal's cursor, begin a line or end the text around it. What people cannot see is shown as C writes it: \n, \x1b,
 * \u2028.
 */
#ifndef PSIM_BASE_ESCAPE_H
#define PSIM_BASE_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { ESCAPE_MAX = 12 }; /* bytes of one character as it is shown, with the end */

/*
 * Takes the first character of `text`, which is not empty: writes it to `shown` as it is shown, and returns the text
 * behind it. Characters that are shown by an escape: control characters, U+2028 and U+2029, those that turn the
 * direction of writing, bytes that are not UTF-8.
 */
const char *escape_next(const char *text, char shown[ESCAPE_MAX]);

/* Returns the bytes of the first character of `text` (at least 1), and whether it is shown as it is. */
size_t escape_length(const char *text, bool *plain);

/* Characters on the screen of `text` as escape_text writes it. */
int escape_width(const char *text);

/* A text for people, in a line. */
void escape_text(FILE *out, const char *text);

/* The same into a buffer of `size` bytes; ends before a character that has no room. Returns `to`. */
char *escape_copy(char *to, size_t size, const char *text);

/* A field of CSV (RFC 4180) that is in one line: in quotes where it has a comma or a quote. */
void escape_csv(FILE *out, const char *text);

/* Text and values of attributes in XML: &, <, > and " are entities; tabs and newlines remain. */
void escape_xml(FILE *out, const char *text);

#endif
