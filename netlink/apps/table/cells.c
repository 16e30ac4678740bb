#include "cells.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/mem.h"
#include "../../../psim/base/config/value.h"
#include "measure.h"

static const char *const names[] = {
	"p2p",
#define COLLECTIVE(NAME, name, calls, measured) #name,
#include "../../vmpi/collective_ops.def"
};
enum { TABLES = sizeof(names) / sizeof(names[0]), LIST_MAX = 64, BARRIER_TABLE = 1 };

const char *cell_table(unsigned table)
{
	return names[table];
}

/* Operations with parts of any length use the table of equal parts (vmpi/collectives/collective_table.c). */
static bool is_planned(unsigned table, const char *tables)
{
	size_t n = strlen(names[table]);

	if (!tables)
		return names[table][n - 1] != 'v';
	for (const char *at = tables; *at; at += strcspn(at, ","), at += *at == ',')
		if (strcspn(at, ",") == n && strncmp(at, names[table], n) == 0)
			return true;
	return false;
}

static int table_cells_check_tables(const char *tables, struct err *e)
{
	for (const char *at = tables; at && *at; at += strcspn(at, ","), at += *at == ',') {
		size_t n = strcspn(at, ",");
		bool known = false;

		for (unsigned t = 0; t < TABLES; t++)
			known |= strlen(names[t]) == n && strncmp(at, names[t], n) == 0;
		if (!known)
			return err_set(e, STATUS_USAGE,
				       "--tables %s: unknown table %.*s, expected p2p or a collective operation of "
				       "bsim --list-collectives",
				       tables, (int)n, at);
	}
	return 0;
}

/* Parses a list of ascending numbers; returns their count, or -1 with `e`. */
static int read_list(const char *option, const char *text, uint64_t list[LIST_MAX], struct err *e)
{
	const struct param p = {.type = PARAM_SIZE, .min = 0, .max = 0x1p40, .unit = ""};
	char *copy = mem_copy_text(text, e), *save;
	int count = 0, ret = copy ? 0 : -1;

	for (char *w = copy ? strtok_r(copy, ",", &save) : NULL; w && ret == 0; w = strtok_r(NULL, ",", &save)) {
		struct err why;

		if (count == LIST_MAX)
			ret = err_set(e, STATUS_USAGE, "%s %s: expected at most %d numbers", option, text, LIST_MAX);
		else if (value_read(&p, w, &list[count], &why) < 0)
			ret = err_set(e, STATUS_USAGE, "%s %s: %s", option, text, why.text);
		else if (count && list[count] <= list[count - 1])
			ret = err_set(e, STATUS_USAGE, "%s %s: %s, expected ascending numbers", option, text, w);
		count++;
	}
	free(copy);
	return ret < 0 ? -1 : count;
}

static int table_cells_add(struct cells *cells, unsigned table, uint64_t row, uint64_t bytes, struct err *e)
{
	if (cells->count == cells->room) {
		size_t room = cells->room * 2 + 64;
		struct cell *at = mem_resize(cells->at, room, sizeof(*at), e);

		if (!at)
			return -1;
		cells->at = at;
		cells->room = room;
	}
	cells->at[cells->count++] = (struct cell){table, (uint32_t)row, bytes, -1};
	return 0;
}

/* Adds the cells of p2p for distances 0, 1, 2, 4 … and the largest distance of two nodes. */
static int plan_p2p(struct cells *cells, const struct machine *m, const uint64_t *sizes, int size_count, struct err *e)
{
	unsigned most = machine_diameter(m);

	for (unsigned d = 0; d <= most; d = d < most && 2 * d > most ? most : d ? 2 * d : 1) {
		uint32_t node;

		if (d && !machine_at_distance(m, d, &node))
			continue;
		for (int i = 0; i < size_count; i++)
			if (table_cells_add(cells, 0, d, sizes[i], e) < 0)
				return -1;
	}
	return 0;
}

static int plan_collective(struct cells *cells, unsigned table, const uint64_t *ranks, int rank_count,
			   const uint64_t *sizes, int size_count, struct err *e)
{
	for (int r = 0; r < rank_count; r++)
		for (int i = 0; i < (table == BARRIER_TABLE ? 1 : size_count); i++)
			if (table_cells_add(cells, table, ranks[r], table == BARRIER_TABLE ? 0 : sizes[i], e) < 0)
				return -1;
	return 0;
}

/*
 * Lists the default numbers of ranks: 2, 4 … 64 and their neighbours 3, 5, 7, 9 … 63, up to `most`. Times of other
 * sizes are interpolated between sizes that are no powers of two (times.h), and algorithms that fold ranks beyond a
 * power of two need the same number of rounds from one power to the next.
 */
static int usual_ranks(uint64_t most, uint64_t list[LIST_MAX])
{
	int count = 0;

	for (uint64_t n = 2; n <= 64; n *= 2)
		for (uint64_t k = n > 4 ? n - 1 : n; k <= n + 1; k++)
			if (k <= most && k <= 64)
				list[count++] = k;
	if (most < 64 && most > 1 && list[count - 1] < most)
		list[count++] = most;
	return count;
}

int cells_plan(struct cells *cells, const struct machine *m, const char *sizes, const char *ranks, const char *tables,
	       struct err *e)
{
	uint64_t size_list[LIST_MAX], rank_list[LIST_MAX], most = machine_ranks(m);
	int size_count = read_list("--sizes", sizes ? sizes : "0,256,4KiB,64KiB,1MiB", size_list, e);
	int rank_count = ranks ? read_list("--ranks", ranks, rank_list, e) : usual_ranks(most, rank_list);

	if (size_count < 0 || rank_count < 0 || table_cells_check_tables(tables, e) < 0)
		return -1;
	for (int i = 0; i < rank_count; i++)
		if (rank_list[i] < 2 || rank_list[i] > most)
			return err_set(e, STATUS_USAGE, "--ranks: %" PRIu64 ", expected 2 to the machine's %" PRIu64,
				       rank_list[i], most);
	for (unsigned t = 0; t < TABLES; t++) {
		int ret = 0;

		if (is_planned(t, tables))
			ret = t ? plan_collective(cells, t, rank_list, rank_count, size_list, size_count, e)
				: plan_p2p(cells, m, size_list, size_count, e);
		if (ret < 0)
			return -1;
	}
	return cells->count
		       ? 0
		       : err_set(e, STATUS_USAGE, "no cells, expected --sizes, and --ranks for collective operations");
}

void cells_finish(struct cells *cells)
{
	free(cells->at);
	*cells = (struct cells){0};
}

/* ---- files ---- */

void cell_write(const struct cell *c, FILE *out)
{
	fprintf(out, "%s %" PRIu32 " %" PRIu64 " %" PRId64 "\n", names[c->table], c->row, c->bytes, c->ps);
	fflush(out);
}

void cells_read(struct cells *cells, FILE *in)
{
	char name[32], end;
	uint32_t row;
	uint64_t bytes;
	int64_t ps;

	/* a line that a full disk has cut has no end */
	while (fscanf(in, "%31s %" SCNu32 " %" SCNu64 " %" SCNd64 "%c", name, &row, &bytes, &ps, &end) == 5 &&
	       end == '\n')
		for (size_t i = 0; i < cells->count; i++) {
			struct cell *c = &cells->at[i];

			if (c->row == row && c->bytes == bytes && strcmp(names[c->table], name) == 0 && ps >= 0)
				c->ps = ps;
		}
}

void cells_write(const struct cells *cells, FILE *out)
{
	for (size_t i = 0; i < cells->count; i++) {
		const struct cell *c = &cells->at[i], *before = i ? c - 1 : NULL;

		if (!before || before->table != c->table) {
			fprintf(out, "%s\ntable %s\nbytes", before ? "\n" : "", names[c->table]);
			for (size_t k = i;
			     k < cells->count && cells->at[k].table == c->table && cells->at[k].row == c->row; k++)
				fprintf(out, " %" PRIu64, cells->at[k].bytes);
		}
		if (!before || before->table != c->table || before->row != c->row)
			fprintf(out, "\n%" PRIu32, c->row);
		fprintf(out, " %" PRId64 "ps", c->ps);
	}
	fputc('\n', out);
}
