#include "line_table.h"

void line_table_finish(struct line_table *t)
{
	for (size_t n = 0; n < t->files.count; n++)
		free(t->files.at[n]);
	vec_finish(&t->files);
	vec_finish(&t->lines);
}

#ifdef HAVE_LIBDW

#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "../../psim/base/mem.h"

enum {
	FILES_MOST = 1 << 16, /* as many as a trace takes (traces/format.h) */
	LINES_MOST = 4 << 20,
	PATH_MOST = 1 << 16,
	CODE_FROM = 0x2000, /* sections that the linker dropped have lines at 0 */
};

struct source_row {
	struct trace_line line;
	size_t order; /* in the debugging information */
};
struct source_rows vec_of(struct source_row);

/* The number of the file, counted from 1; 0 if there are too many; -1 with `e`. */
static int64_t number_of_file(struct line_table *t, const char *path, struct err *e)
{
	char **file;

	for (size_t n = t->files.count; n > 0; n--)
		if (strcmp(t->files.at[n - 1], path) == 0)
			return (int64_t)n;
	if (t->files.count == FILES_MOST || strlen(path) > PATH_MOST)
		return 0;
	file = vec_push(&t->files, e);
	if (file && !(*file = strdup(path))) {
		t->files.count--;
		return mem_short(e);
	}
	return file ? (int64_t)t->files.count : -1;
}

/* Returns the row's source path and sets its line, or NULL where the code has none. */
static const char *source_of(Dwarf_Line *line, int *number)
{
	bool end = false;

	if (dwarf_lineendsequence(line, &end) != 0 || end || dwarf_lineno(line, number) != 0 || *number <= 0)
		return NULL;
	return dwarf_linesrc(line, NULL, NULL);
}

/* Adds the rows of a unit. 0, or -1 with `e`. */
static int add_unit(struct line_table *t, struct source_rows *rows, Dwarf_Die *unit, struct err *e)
{
	const char *last_path = NULL;
	int64_t file = 0;
	Dwarf_Lines *lines;
	size_t count;

	if (dwarf_getsrclines(unit, &lines, &count) != 0)
		return 0;
	for (size_t n = 0; n < count && rows->count < LINES_MOST; n++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, n);
		struct source_row *row;
		Dwarf_Addr address;
		const char *path;
		int number = 0;

		if (!line || dwarf_lineaddr(line, &address) != 0 || address < CODE_FROM || address % 4)
			continue;
		path = source_of(line, &number);
		if (path && path != last_path && (file = number_of_file(t, last_path = path, e)) < 0)
			return -1;
		row = vec_push(rows, e);
		if (!row)
			return -1;
		*row = (struct source_row){.line.address = address, .order = rows->count};
		if (path && file)
			row->line = (struct trace_line){address, (uint32_t)file, (uint32_t)number};
	}
	return 0;
}

/* Orders by address; the end of a sequence is before the begin of the next; rows of one address keep their order. */
static int by_place(const void *a, const void *b)
{
	const struct source_row *x = a, *y = b;

	if (x->line.address != y->line.address)
		return x->line.address < y->line.address ? -1 : 1;
	if (!x->line.file != !y->line.file)
		return x->line.file ? 1 : -1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Makes the table of the rows: the last one of an address counts, and repetitions are left out. 0, or -1 with `e`. */
static int compact_rows(struct line_table *t, const struct source_rows *rows, struct err *e)
{
	for (size_t n = 0; n < rows->count; n++) {
		const struct trace_line *row = &rows->at[n].line;
		const struct trace_line *last = t->lines.count ? &t->lines.at[t->lines.count - 1] : NULL;
		struct trace_line *out;

		if (n + 1 < rows->count && rows->at[n + 1].line.address == row->address)
			continue;
		if (last ? last->file == row->file && last->line == row->line : !row->file)
			continue;
		out = vec_push(&t->lines, e);
		if (!out)
			return -1;
		*out = *row;
	}
	return 0;
}

static int read_units(struct line_table *t, struct source_rows *rows, Dwarf *dwarf, struct err *e)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;

	while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0)
		if (add_unit(t, rows, &die, e) < 0)
			return -1;
	if (rows->count >= LINES_MOST) {
		line_table_finish(t);
		return 0;
	}
	if (rows->count)
		qsort(rows->at, rows->count, sizeof(*rows->at), by_place);
	return compact_rows(t, rows, e);
}

int line_table_read(struct line_table *t, const char *path, struct err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret = 0;
	Dwarf *dwarf = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);
	struct source_rows rows = {0};

	*t = (struct line_table){0};
	if (dwarf) {
		ret = read_units(t, &rows, dwarf, e);
		dwarf_end(dwarf);
	}
	vec_finish(&rows);
	if (fd >= 0)
		close(fd);
	return ret;
}

#else

int line_table_read(struct line_table *t, const char *path, struct err *e)
{
	(void)path;
	(void)e;
	*t = (struct line_table){0};
	return 0;
}

#endif
