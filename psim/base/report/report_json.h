/* Texts and values of a report for jansson, which the writers of JSON and of the page share. */
#ifndef PSIM_BASE_REPORT_JSON_H
#define PSIM_BASE_REPORT_JSON_H

#include <stdio.h>

#include <jansson.h>

struct report_item;

/* A new text; bytes that are not UTF-8 (file names may have them) are question marks. NULL: memory is short. */
json_t *report_json_text(const char *text);

/* A new number or text of a value or cell, null for a number that is not finite; NULL: memory is short. */
json_t *report_json_value(const struct report_item *item);

/*
 * Writes `root` in ASCII, with <, > and & as escapes: no text of it can move a terminal's cursor, or end or begin a
 * script of HTML around it. `flags` of jansson. 0, or -1: memory is short, or the stream has an error.
 */
int report_json_dump(const json_t *root, FILE *out, size_t flags);

#endif
