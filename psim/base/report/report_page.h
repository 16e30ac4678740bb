/* The page of report_html.c, before and after its data: page.html as make_page.py writes it. */
#ifndef PSIM_BASE_REPORT_PAGE_H
#define PSIM_BASE_REPORT_PAGE_H

extern const char report_page_head[], report_page_tail[];

#endif
