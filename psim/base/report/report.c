#include "report.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../mem.h"
#include "report_tree.h"
#include "../config/config.h"
#include "../version.h"

struct report *report_create(void)
{
	return mem_alloc(1, sizeof(struct report), NULL);
}

static void report_release(char *text)
{
	if (text && *text)
		free(text);
}

void report_destroy(struct report *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->items.count; i++) {
		struct report_item *item = &r->items.at[i];

		report_release(item->name);
		report_release(item->unit);
		report_release(item->doc);
		if (item->kind == ITEM_TEXT)
			free(item->value.text);
	}
	vec_finish(&r->items);
	free(r);
}

static char *report_copy(struct report *r, const char *text)
{
	char *c = text && *text ? mem_copy_text(text, NULL) : (char *)(uintptr_t) "";

	if (!c)
		r->short_of_memory = true;
	return c;
}

void report_keep(struct report *r, const struct report_pick *picks, unsigned count)
{
	if (!r)
		return;
	r->kept = picks;
	r->kept_count = count;
}

void report_page_most(struct report *r, const struct report_most *tables, unsigned count)
{
	if (!r)
		return;
	r->most = tables;
	r->most_count = count;
}

bool report_keeps(const struct report *r, const char *name)
{
	size_t length = strlen(name);

	for (unsigned i = 0; r && i < r->kept_count; i++)
		if (!strncmp(r->kept[i].path, name, length) &&
		    (!r->kept[i].path[length] || r->kept[i].path[length] == '.'))
			return true;
	return r && !r->kept;
}

/* Begins a group or a table; returns whether it is dropped. */
static bool begin_dropped(struct report *r, const char *name)
{
	if (!r->dropped && (r->depth || report_keeps(r, name)))
		return false;
	r->dropped++;
	return true;
}

/* Ends a group or a table; returns whether it was dropped. */
static bool end_dropped(struct report *r)
{
	if (!r->dropped)
		return false;
	r->dropped--;
	return true;
}

/* Adds an item. If memory is short it adds nothing, and report_write returns the error. */
static void report_add(struct report *r, struct report_item item, const char *name, const char *unit, const char *doc)
{
	struct report_item *place;

	place = r && !r->short_of_memory && !r->dropped ? vec_push(&r->items, NULL) : NULL;
	if (!place) {
		if (r && !r->dropped)
			r->short_of_memory = true;
		if (item.kind == ITEM_TEXT)
			free(item.value.text);
		return;
	}
	*place = item;
	place->name = report_copy(r, name);
	place->unit = report_copy(r, unit);
	place->doc = report_copy(r, doc);
}

static void report_add_text(struct report *r, const char *name, const char *value, const char *doc)
{
	char *text;

	if (!r || r->dropped)
		return;
	text = mem_copy_text(value ? value : "", NULL);
	r->short_of_memory = r->short_of_memory || !text;
	if (text)
		report_add(r, (struct report_item){.kind = ITEM_TEXT, .value.text = text}, name, "", doc);
}

void report_group(struct report *r, const char *name, const char *doc)
{
	if (r && begin_dropped(r, name))
		return;
	if (r)
		r->depth++;
	report_add(r, (struct report_item){.kind = ITEM_GROUP}, name, "", doc);
}

void report_end(struct report *r)
{
	if (!r)
		return;
	if (end_dropped(r))
		return;
	if (!r->depth)
		bug("report_end without report_group");
	r->depth--;
	report_add(r, (struct report_item){.kind = ITEM_END}, "", "", "");
}

void report_u64(struct report *r, const char *name, uint64_t value, const char *unit, const char *doc)
{
	report_add(r, (struct report_item){.kind = ITEM_U64, .value.u64 = value}, name, unit, doc);
}

void report_f64(struct report *r, const char *name, double value, const char *unit, const char *doc)
{
	report_add(r, (struct report_item){.kind = ITEM_F64, .value.f64 = value}, name, unit, doc);
}

void report_text(struct report *r, const char *name, const char *value, const char *doc)
{
	report_add_text(r, name, value, doc);
}

/* A table is an item followed by its columns as items, then its cells row by row, then an end. */
void report_table(struct report *r, const char *name, const char *doc, const struct report_column *columns,
		  unsigned count)
{
	if (!r)
		return;
	if (r->table_columns || !count)
		bug("table %s: inside a table or without columns", name);
	r->table_columns = count;
	r->cells = 0;
	if (begin_dropped(r, name))
		return;
	report_add(r, (struct report_item){.kind = ITEM_TABLE, .value.u64 = count}, name, "", doc);
	for (unsigned i = 0; i < count; i++)
		report_add(r, (struct report_item){.kind = ITEM_COLUMN}, columns[i].name, columns[i].unit, "");
}

static void count_cell(struct report *r)
{
	if (r && !r->table_columns)
		bug("report_cell outside a table");
	if (r)
		r->cells++;
}

void report_cell_u64(struct report *r, uint64_t value)
{
	count_cell(r);
	report_add(r, (struct report_item){.kind = ITEM_U64, .value.u64 = value}, "", "", "");
}

void report_cell_f64(struct report *r, double value)
{
	count_cell(r);
	report_add(r, (struct report_item){.kind = ITEM_F64, .value.f64 = value}, "", "", "");
}

void report_cell_text(struct report *r, const char *value)
{
	count_cell(r);
	report_add_text(r, "", value, "");
}

void report_table_end(struct report *r)
{
	if (!r)
		return;
	if (!r->table_columns || r->cells % r->table_columns)
		bug("report_table_end: %u cells in a table of %u columns", r->cells, r->table_columns);
	r->table_columns = 0;
	if (end_dropped(r))
		return;
	report_add(r, (struct report_item){.kind = ITEM_END}, "", "", "");
}

struct echo {
	struct report *report;
	const char *section;
};

static void echo_row(void *user, const struct param *p, const char *value, const char *origin)
{
	struct echo *echo = user;

	if (!echo->section || strcmp(echo->section, p->section)) {
		if (echo->section)
			report_end(echo->report);
		report_group(echo->report, p->section, "");
		echo->section = p->section;
	}
	report_text(echo->report, p->key, value, strcmp(origin, "default") ? origin : "");
}

void report_config(struct report *r, const struct config *c)
{
	struct echo echo = {r, NULL};

	report_group(r, "config", "every parameter as used; after # where it was set");
	config_visit(c, echo_row, &echo);
	if (echo.section)
		report_end(r);
	report_end(r);
}

/* argv as shell words, in quotes where a word has special characters. */
static char *command_line(int argc, char *const argv[])
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
	size_t room = 1;
	char *line, *to;

	for (int i = 0; i < argc; i++)
		room += 4 * strlen(argv[i]) + 3;
	line = to = mem_alloc(room, 1, NULL);
	for (int i = 0; line && i < argc; i++) {
		bool quoted = !*argv[i] || argv[i][strspn(argv[i], plain)];

		if (i)
			*to++ = ' ';
		if (quoted)
			*to++ = '\'';
		for (const char *from = argv[i]; *from; from++) {
			if (*from == '\'') {
				memcpy(to, "'\\''", 4);
				to += 4;
			} else {
				*to++ = *from;
			}
		}
		if (quoted)
			*to++ = '\'';
	}
	return line;
}

void report_identity(struct report *r, const char *program, int argc, char *const argv[])
{
	char *line = command_line(argc, argv);

	if (!line && r)
		r->short_of_memory = true;
	report_group(r, "run", "identification of the run");
	report_text(r, "program", program, "");
	report_text(r, "version", version_text(), "version and commit");
	report_text(r, "command", line, "");
	report_end(r);
	free(line);
}

size_t report_rows(const struct report *r, size_t at, size_t *end)
{
	size_t columns = (size_t)r->items.at[at].value.u64, i = at + 1 + columns;

	while (r->items.at[i].kind != ITEM_END)
		i++;
	*end = i;
	return (i - at - 1 - columns) / columns;
}

void report_path_enter(struct report_path *p, const char *name)
{
	size_t n = strlen(p->text);

	if (p->depth == REPORT_DEPTH_MAX)
		bug("report groups nest more than %d deep", REPORT_DEPTH_MAX);
	p->length[p->depth++] = n;
	snprintf(p->text + n, sizeof(p->text) - n, "%s%s", n ? "." : "", name);
}

void report_path_leave(struct report_path *p)
{
	p->text[p->length[--p->depth]] = '\0';
}

int report_write(const struct report *r, enum report_format format, FILE *out, struct err *e)
{
	if (!r || r->short_of_memory)
		return mem_short(e);
	if (r->depth || r->table_columns)
		bug("report_write: %u groups and %s are open", r->depth, r->table_columns ? "a table" : "no table");
	switch (format) {
	case REPORT_TEXT: return report_write_text(r, out, e);
	case REPORT_JSON: return report_write_json(r, out, e);
	case REPORT_CSV: return report_write_csv(r, out, e);
	case REPORT_HTML: return report_write_html(r, out, e);
	}
	bug("report format %d", (int)format);
}
