/* Quantities of a model besides its value, in psim-fit's report and in model files. */
#include "fit_report.h"

static void report_terms_of(struct report *r, const struct model *m, enum model_quantity q)
{
	char term[TERM_TEXT_MAX];

	for (unsigned t = 0; t < m->count; t++) {
		term_write(&m->terms[t], &m->variables, term);
		report_cell_text(r, model_quantity_name(q));
		report_cell_text(r, model_quantity_unit(q));
		report_cell_text(r, term);
		report_cell_f64(r, m->coefficient[t]);
	}
}

static void report_fits(struct report *r, const struct fit *const quantity[MODEL_QUANTITIES])
{
	static const struct report_column columns[] = {{"quantity", ""},         {"value", ""},      {"formula", ""},
						       {"points", ""},           {"rms_error", "%"}, {"max_error", "%"},
						       {"cross_validation", "%"}};
	char formula[1024];

	report_table(r, "quantity_fits", "fits of what the model says besides its value", columns, 7);
	for (enum model_quantity q = 0; q < MODEL_QUANTITIES; q++) {
		const struct fit *f = quantity[q];

		if (!f)
			continue;
		report_cell_text(r, model_quantity_name(q));
		report_cell_text(r, f->model.value_name);
		fit_formula_read(&f->model, 0, NULL, formula, sizeof(formula));
		report_cell_text(r, formula);
		report_cell_u64(r, f->points);
		report_cell_f64(r, f->rms_error);
		report_cell_f64(r, f->model.max_error);
		report_cell_f64(r, f->cross_validation);
	}
	report_table_end(r);
}

void fit_report_quantities(struct report *r, const struct fit *const quantity[MODEL_QUANTITIES])
{
	static const struct report_column columns[] = {
		{"quantity", ""}, {"unit", ""}, {"term", ""}, {"coefficient", ""}};
	bool any = false;

	for (enum model_quantity q = 0; q < MODEL_QUANTITIES; q++)
		any |= quantity[q] != NULL;
	if (!any)
		return;
	report_table(r, "quantities", "terms of what the model says besides its value", columns, 4);
	for (enum model_quantity q = 0; q < MODEL_QUANTITIES; q++)
		if (quantity[q])
			report_terms_of(r, &quantity[q]->model, q);
	report_table_end(r);
	report_fits(r, quantity);
}
