/* Texts and values of a report for jansson, which the writers of JSON and of the page share. */
#ifndef PSIM_BASE_REPORT_JSON_H
#define PSIM_BASE_REPORT_JSON_H

#include <jansson.h>

struct report_item;

/* A new text; bytes that are not UTF-8 (file names may have them) are question marks. NULL: memory is short. */
json_t *report_json_text(const char *text);

/* A new number or text of a value or cell, null for a number that is not finite; NULL: memory is short. */
json_t *report_json_value(const struct report_item *item);

#endif
