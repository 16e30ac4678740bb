/* Reads a page of --html as the report that it shows. */
#ifndef PSIM_REPORT_PAGE_FILE_H
#define PSIM_REPORT_PAGE_FILE_H

#include <stdio.h>

#include <jansson.h>

#include "../base/err.h"

/*
 * Reads the rest of a page (psim/base/report/report_html.c) whose path is `path`. Returns its report in the form of
 * --json, with the tree "units"; rows that the page left out are missing. The caller releases it with json_decref. NULL
 * and `e`: the file is no page of this suite, or is damaged (STATUS_BAD_INPUT), or memory is short.
 */
json_t *page_file_read(FILE *file, const char *path, struct err *e);

#endif
