/* Numbers of a report for people: prefixes of units, and columns aligned at the decimal point. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report_tree.h"
#include "../config/value.h"

/* Returns whether the unit takes a prefix; others are printed unchanged. */
static bool takes_prefix(const char *unit)
{
	static const char *const units[] = {"s", "J", "W", "J s"};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(unit, units[i]))
			return true;
	return false;
}

static void choose_prefix(double largest, struct report_style *style)
{
	static const struct {
		double from;
		const char *text;
	} prefixes[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}, {0, "p"}};
	size_t i = 0;

	while (largest < prefixes[i].from)
		i++;
	style->prefix = prefixes[i].text;
	style->scale = 1 / (prefixes[i].from > 0 ? prefixes[i].from : 1e-12);
}

double report_largest(const struct report_item *first, size_t rows, size_t step)
{
	double largest = 0;

	for (size_t row = 0; row < rows; row++)
		if (first[row * step].kind == ITEM_F64 && isfinite(first[row * step].value.f64))
			largest = fmax(largest, fabs(first[row * step].value.f64));
	return largest;
}

/* Returns whether all numbers of a column are whole. */
static bool all_whole(const struct report_item *first, size_t rows, size_t step)
{
	for (size_t row = 0; row < rows; row++) {
		const struct report_item *item = &first[row * step];

		if (item->kind == ITEM_F64 && isfinite(item->value.f64) && item->value.f64 != floor(item->value.f64))
			return false;
	}
	return true;
}

struct report_style report_style(const struct report_item *first, size_t rows, size_t step, const char *unit,
				 double beside)
{
	struct report_style style = {1, "", REPORT_DIGITS};
	double largest = report_largest(first, rows, step);
	int digits;

	if (largest > 0 && takes_prefix(unit))
		choose_prefix(fmax(largest, beside), &style);
	if (rows < 2 && step == 0)
		return style;
	largest *= style.scale;
	digits = largest > 0 ? (int)floor(log10(largest)) + 1 : 1;
	if (!strcmp(unit, "%"))
		style.decimals = 2;
	else if (all_whole(first, rows, step) && style.scale == 1 && digits <= 15)
		style.decimals = 0;
	else if (digits > -3)
		style.decimals = digits < 5 ? 5 - digits : 0;
	return style;
}

const char *report_value_text(const struct report_item *item, bool exact, char number[REPORT_CELL_MAX])
{
	if (item->kind == ITEM_TEXT)
		return item->value.text;
	if (item->kind == ITEM_U64)
		snprintf(number, REPORT_CELL_MAX, "%" PRIu64, item->value.u64);
	else if (!isfinite(item->value.f64))
		snprintf(number, REPORT_CELL_MAX, "%s", exact ? "" : isnan(item->value.f64) ? "-" : "inf");
	else if (exact)
		value_real(item->value.f64, number, REPORT_CELL_MAX);
	else
		snprintf(number, REPORT_CELL_MAX, "%.6g", item->value.f64);
	return number;
}

const char *report_styled_text(const struct report_item *item, const struct report_style *style,
			       char number[REPORT_CELL_MAX])
{
	struct report_item scaled = *item;

	if (item->kind != ITEM_F64 || !isfinite(item->value.f64))
		return report_value_text(item, false, number);
	scaled.value.f64 *= style->scale;
	if (style->decimals == REPORT_DIGITS || fabs(scaled.value.f64) >= 1e16)
		return report_value_text(&scaled, false, number);
	snprintf(number, REPORT_CELL_MAX, "%.*f", style->decimals, scaled.value.f64);
	/* no sign of what rounds to 0 */
	return number[0] == '-' && !number[1 + strspn(number + 1, "0.")] ? number + 1 : number;
}
