/* The list of figures: what tables, --front, --where and limits of a study may name (--list-figures). */
#include <string.h>

#include "point_kind.h"
#include "tables.h"

/* The column of designs that has a figure's name; COLUMN_COUNT: there is none, so only the CSV has it. */
static unsigned column_of(const char *name)
{
	unsigned column = 0;

	while (column < COLUMN_COUNT && strcmp(column_name(column), name) != 0)
		column++;
	return column;
}

static void list_row(struct report *r, const char *name, unsigned column, bool systems, const char *unit,
		     const char *doc)
{
	const char *alias = column < COLUMN_COUNT ? column_alias(column) : "";
	char also[64];

	/* systems have a cost in place of an area */
	snprintf(also, sizeof(also), column == CRITERION_area ? "%s, %s" : "%s", alias, point_kind_bsim.cost);
	report_cell_text(r, name);
	report_cell_text(r, also);
	report_cell_text(r, unit);
	report_cell_text(r, systems ? "chips, systems" : "chips");
	report_cell_text(r, column < COLUMN_COUNT ? "tables, CSV" : "CSV");
	report_cell_text(r, doc);
}

void tables_figures(struct report *r)
{
	static const struct report_column columns[] = {{"figure", ""},  {"also", ""}, {"unit", ""},
						       {"studies", ""}, {"in", ""},   {"meaning", ""}};

	report_table(r, "figures", "what --front, --axes, --columns, --where and limits of a study name", columns,
		     sizeof(columns) / sizeof(columns[0]));
	for (unsigned n = 0; n < FIGURE_COUNT; n++)
		list_row(r, figure_rows[n].name, column_of(figure_rows[n].name), point_has_figure(&point_kind_bsim, n),
			 figure_rows[n].unit, figure_rows[n].doc);
	for (unsigned column = 0; column < COLUMN_COUNT; column++) {
		unsigned n = 0;

		while (n < FIGURE_COUNT && strcmp(figure_rows[n].name, column_name(column)) != 0)
			n++;
		if (n == FIGURE_COUNT)
			list_row(r, column_name(column), column, point_has_column(&point_kind_bsim, column),
				 column_unit(column), column_words(column));
	}
	report_table_end(r);
}
