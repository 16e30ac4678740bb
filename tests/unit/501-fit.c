/* Least squares and the choice of terms: netlink/model/fit/lsq.c, fit.c, fit_choose.c. */
#include "tap.h"

#include <math.h>
#include <string.h>

#include "fit_data.h"
#include "netlink/model/fit/fit.h"

static void fit_text(struct points *p, const char *text, bool relative, struct fit *f)
{
	struct err e = {0};
	unsigned count;
	const struct term *terms = fit_data_terms(p, text, &count);

	CHECK_I64(fit_terms(p, terms, count, relative, f, &e), 0);
	CHECK_STR(e.text, "");
}

static void students_bounds_are_those_of_the_tables(void)
{
	/* degrees 1: tan(0.475 pi); 2: t^2 = 2 p^2 / (1 - p^2) with p = 0.95 */
	CHECK_F64(student_bound(0.95, 1), tan(0.475 * acos(-1)), 1e-10);
	CHECK_F64(student_bound(0.95, 2), sqrt(2 * 0.9025 / 0.0975), 1e-12);
	/* Abramowitz and Stegun, table 26.10 */
	CHECK_F64(student_bound(0.95, 3), 3.182, 5e-4);
	CHECK_F64(student_bound(0.95, 4), 2.776, 5e-4);
	CHECK_F64(student_bound(0.95, 5), 2.571, 5e-4);
	CHECK_F64(student_bound(0.95, 10), 2.228, 5e-4);
	CHECK_F64(student_bound(0.99, 7), 3.499, 5e-4);
	CHECK_F64(student_bound(0.95, 30), 2.042, 5e-4);
	CHECK_F64(student_bound(0.95, 120), 1.980, 5e-4);
	CHECK_F64(student_bound(0.95, 1000000), 1.960, 5e-4); /* the normal distribution */
}

/*
 * The straight line through (1, 2), (2, 4), (3, 5), (4, 4), (5, 5): mean of x 3, of y 4;
 * sum of (x - 3)^2 = 10, of (x - 3)(y - 4) = 4 + 0 + 0 + 0 + 2 = 6: slope 0.6,
 * intercept 4 - 3 x 0.6 = 2.2. Residuals -0.8 0.6 1 -0.6 -0.2, squares together 2.4.
 */
static void line(struct points *p)
{
	static const double y[] = {2, 4, 5, 4, 5};

	*p = fit_data_points("n");
	for (int i = 0; i < 5; i++)
		fit_data_add(p, i + 1, 0, y[i]);
}

static void a_straight_line_has_its_textbook_intervals(void)
{
	struct points p;
	struct fit f;
	double two = 2, low, high;

	line(&p);
	fit_text(&p, "1, n", false, &f);
	CHECK_F64(f.model.coefficient[0], 2.2, 1e-12);
	CHECK_F64(f.model.coefficient[1], 0.6, 1e-12);
	CHECK_U64(f.degrees, 3);
	CHECK_F64(f.variance, 0.8, 1e-12); /* 2.4 / 3 */
	/* sqrt(0.8 (1/5 + 9/10)), sqrt(0.8 / 10) */
	CHECK_F64(f.standard_error[0], sqrt(0.88), 1e-12);
	CHECK_F64(f.standard_error[1], sqrt(0.08), 1e-12);
	/* half of the slope's 95 % interval: 3.182446 x 0.282843 */
	CHECK_F64(f.bound * f.standard_error[1], 0.900132, 1e-5);
	CHECK_F64(f.r2, 0.6, 1e-12); /* 1 - 2.4 / 6 */
	/*
	 * another observation at 2: 3.182446 sqrt(0.8 (1 + 1/5 + 1/10)) = 3.182446 sqrt(1.04), if no less were left
	 * out: the squares of leaving_out_agrees_with_fitting_again are 1.4568 in the mean, 3.182446 sqrt(1.4568)
	 */
	CHECK(!fit_interval(&f, &two, &low, &high, NULL));
	CHECK_F64(high, 3.4 + 3.182446 * sqrt((4 + 36. / 49 + 25. / 16 + 36. / 49 + 0.25) / 5), 1e-5);
	CHECK_F64(low, 0, 0); /* as no point is below */
	f.left_out_variance = 0;
	CHECK_F64(fit_data_half(&f, &two), 3.182446 * sqrt(1.04), 1e-5);
	CHECK_F64(f.model.from[0], 1, 0);
	CHECK_F64(f.model.to[0], 5, 0);
	points_finish(&p);
}

static void leaving_out_agrees_with_fitting_again(void)
{
	/*
	 * Leverages 1/5 + (x - 3)^2 / 10: 0.6 0.3 0.2 0.3 0.6, so the points left out are missed by
	 * -2, 6/7, 1.25, -6/7, -0.5: squares 4, 36/49, 25/16, 36/49, 1/4. The first of them from
	 * scratch: the line through the other four has slope 0.2 (Sxx 5, Sxy 1) and height 4.5
	 * at 3.5, that is 4 at x = 1, where 2 is right.
	 */
	double mean = (4 + 36. / 49 + 25. / 16 + 36. / 49 + 0.25) / 5;
	struct points p;
	struct fit f, again;
	double one = 1;

	line(&p);
	fit_text(&p, "1, n", false, &f);
	/* in percent of the root mean square of y: (4 + 16 + 25 + 16 + 25) / 5 = 17.2 */
	CHECK_F64(f.cross_validation, 100 * sqrt(mean / 17.2), 1e-9);
	CHECK_I64(points_hold_out(&p, "n=1", NULL), 1);
	fit_text(&p, "1, n", false, &again);
	CHECK_F64(model_largest(&again.model, &one, NULL), 4, 1e-12);
	points_finish(&p);
}

static void exact_polynomials_are_recovered(void)
{
	struct points p = fit_data_points("n");
	struct fit f;

	for (double n = 16; n <= 256; n += 16)
		fit_data_add(&p, n, 0, 1e-7 + 3e-9 * n + 2e-10 * n * n + 5e-10 * n * n * n);
	for (int relative = 0; relative < 2; relative++) {
		fit_text(&p, "1, n, n^2, n^3", relative, &f);
		CHECK_F64(f.model.coefficient[0] / 1e-7, 1, relative ? 1e-10 : 1e-6);
		CHECK_F64(f.model.coefficient[1] / 3e-9, 1, relative ? 1e-10 : 1e-6);
		CHECK_F64(f.model.coefficient[2] / 2e-10, 1, relative ? 1e-10 : 1e-8);
		CHECK_F64(f.model.coefficient[3] / 5e-10, 1, 1e-10);
		CHECK_F64(f.r2, 1, 1e-12);
		CHECK(f.model.max_error < 1e-8);
	}
	points_finish(&p);
}

static void relative_weights_minimise_percent(void)
{
	/*
	 * One coefficient for y = 1 at 1 and y = 4 at 2. Equal weights: (1 + 8) / (1 + 4) = 1.8;
	 * relative ones: rows 1 and 2/4 against 1 and 1: (1 + 0.5) / (1 + 0.25) = 1.2.
	 */
	struct points p = fit_data_points("n");
	struct fit f;

	fit_data_add(&p, 1, 0, 1);
	fit_data_add(&p, 2, 0, 4);
	fit_text(&p, "n", false, &f);
	CHECK_F64(f.model.coefficient[0], 1.8, 1e-12);
	fit_text(&p, "n", true, &f);
	CHECK_F64(f.model.coefficient[0], 1.2, 1e-12);
	CHECK_F64(f.model.max_error, 40, 1e-9); /* 2.4 instead of 4; at 1 it is 20 % */
	points_finish(&p);
}

static void refused(struct points *p, const char *text, enum exit_status status, const char *message)
{
	struct err e = {0};
	struct fit f;
	unsigned count;
	const struct term *terms = fit_data_terms(p, text, &count);

	CHECK_I64(fit_terms(p, terms, count, true, &f, &e), -1);
	CHECK_I64(e.status, status);
	CHECK_STR(e.text, message);
}

static void what_has_no_solution_is_refused(void)
{
	struct points p = fit_data_points("n m");

	fit_data_add(&p, 1, 2, 3);
	fit_data_add(&p, 2, 4, 5);
	fit_data_add(&p, 4, 8, 9);
	refused(&p, "1, n, m", STATUS_USAGE, "too few points: 3 for 3 terms, expected at least 4");
	fit_data_add(&p, 8, 16, 17);
	refused(&p, "n, m", STATUS_USAGE,
		"term 'm' is a linear combination of the others at these 4 points, expected independent terms or other "
		"points");
	fit_data_add(&p, 0, 1, 1);
	refused(&p, "1, log2(n)", STATUS_BAD_INPUT,
		"made by hand: term 'log2(n)' is undefined there, expected variables above 0 for logarithms and "
		"fractional or negative powers");
	fit_data_add(&p, 9, 1, -1);
	refused(&p, "1, n", STATUS_BAD_INPUT,
		"made by hand: seconds is -1, expected more than 0 for relative weights (--weights equal accepts any)");
	points_finish(&p);
}

static void chosen(struct points *p, const char *expected, double coefficient, double tolerance)
{
	struct err e = {0};
	char text[TERM_TEXT_MAX] = "";
	struct fit f;

	CHECK_I64(fit_choose(p, &(struct fit_choice){.max_terms = 4, .relative = true}, &f, &e), 0);
	CHECK_STR(e.text, "");
	CHECK_U64(f.model.count, 1);
	term_write(&f.model.terms[0], &f.model.variables, text);
	CHECK_STR(text, expected);
	CHECK_F64(f.model.coefficient[0] / coefficient, 1, tolerance);
	CHECK(f.hypotheses > 100);
}

static void the_chooser_finds_n2_log_n(void)
{
	struct points p = fit_data_points("n");

	for (double n = 16; n <= 2048; n *= 2)
		fit_data_add(&p, n, 0, 3e-9 * n * n * log2(n));
	chosen(&p, "n^2*log2(n)", 3e-9, 1e-12);
	points_finish(&p);
}

static void the_chooser_finds_a_product_of_two_variables(void)
{
	struct points p = fit_data_points("n m");

	for (double n = 8; n <= 128; n *= 2)
		for (double m = 2; m <= 32; m *= 2)
			fit_data_add(&p, n, m, 7e-8 * n * sqrt(n) * log2(m));
	chosen(&p, "n^(3/2)*log2(m)", 7e-8, 1e-12);
	points_finish(&p);
}

/* Work divided among p, and a tree of messages. */
static void the_chooser_finds_strong_scaling(void)
{
	struct points p = fit_data_points("p");
	struct err e = {0};
	char text[TERM_TEXT_MAX];
	struct fit f;

	for (double n = 1; n <= 64; n *= 2)
		fit_data_add(&p, n, 0, 100 / n + log2(n));
	CHECK_I64(fit_choose(&p, &(struct fit_choice){.max_terms = 4, .relative = true}, &f, &e), 0);
	CHECK_U64(f.model.count, 2);
	term_write(&f.model.terms[0], &f.model.variables, text);
	CHECK_STR(text, "log2(p)");
	term_write(&f.model.terms[1], &f.model.variables, text);
	CHECK_STR(text, "p^-1");
	CHECK_F64(f.model.coefficient[0], 1, 1e-9);
	CHECK_F64(f.model.coefficient[1], 100, 1e-9);
	points_finish(&p);
}

/*
 * Three values of m do not determine three functions of it, whatever noise there is (1 % up and down, in a pattern
 * of 7 that no product of powers follows): at most two, and beyond them the model is within the noise's reach of the
 * law.
 */
static void functions_are_fewer_than_values(void)
{
	for (int shift = 0; shift < 7; shift++) {
		struct points p = fit_data_points("n m");
		struct err e = {0};
		struct fit f;
		double far[] = {256, 32};
		int i = shift;

		for (double n = 16; n <= 128; n *= 2)
			for (double m = 4; m <= 16; m *= 2, i++)
				fit_data_add(&p, n, m, n * m * (1 + 0.01 * ((3 * i) % 7 - 3) / 3.));
		CHECK_I64(fit_choose(&p, &(struct fit_choice){.max_terms = 4, .relative = true}, &f, &e), 0);
		CHECK_U64(f.values[0], 4);
		CHECK_U64(f.values[1], 3);
		CHECK(fit_functions(f.model.terms, f.model.count, 0) <= 3);
		CHECK(fit_functions(f.model.terms, f.model.count, 1) <= 2);
		CHECK_F64(model_largest(&f.model, far, NULL) / (256 * 32), 1, 0.1);
		points_finish(&p);
	}
}

/*
 * n m at (1, 1), (2, 1), (1, 2), (2, 2), but 5 at the last, fitted by c n m with equal weights: c = (1 + 4 + 4 + 20)
 * / 25 = 1.16. Without n = 1: (4 + 20) / 20 = 1.2, so that 1 and 2 are missed by 0.2 and 0.4; without n = 2: (1 + 4)
 * / 5 = 1, which misses 2 and 5 by 0 and 1; the same for m. The mean squares are 0.1 and 0.5.
 */
static void values_are_left_out_as_a_whole(void)
{
	struct points p = fit_data_points("n m");
	struct fit f;

	fit_data_add(&p, 1, 1, 1);
	fit_data_add(&p, 2, 1, 2);
	fit_data_add(&p, 1, 2, 2);
	fit_data_add(&p, 2, 2, 5);
	fit_text(&p, "n*m", false, &f);
	CHECK_F64(f.model.coefficient[0], 1.16, 1e-12);
	/* in percent of the root mean square of the values, (1 + 4 + 4 + 25) / 4 */
	CHECK_F64(f.cross_validation, 100 * sqrt(0.3 / 8.5), 1e-9);
	points_finish(&p);
}

static void the_chooser_prefers_fewer_terms(void)
{
	/* n^2 with an error of 1 % up and down in turn: more terms would only follow the errors */
	struct points p = fit_data_points("n");

	for (int i = 1; i <= 12; i++)
		fit_data_add(&p, 10 * i, 0, 100. * i * i * (i % 2 ? 1.01 : 0.99));
	chosen(&p, "n^2", 1, 0.01);
	points_finish(&p);
}

static void the_chooser_does_not_let_times_fall_below_zero(void)
{
	/* 100 n - n^2 is exact from 10 to 40, but negative from 100 on */
	struct points p = fit_data_points("n");
	struct fit f;
	struct err e = {0};
	double far = 1e6;

	for (double n = 10; n <= 40; n += 3)
		fit_data_add(&p, n, 0, 100 * n - n * n);
	CHECK_I64(fit_choose(&p, &(struct fit_choice){.max_terms = 3, .relative = true}, &f, &e), 0);
	CHECK(model_largest(&f.model, &far, NULL) > 0);
	points_finish(&p);
}

static void the_chooser_needs_five_points(void)
{
	struct points p = fit_data_points("n");
	struct err e = {0};
	struct fit f;

	for (int i = 1; i <= 4; i++)
		fit_data_add(&p, i, 0, i);
	CHECK_I64(fit_choose(&p, &(struct fit_choice){.max_terms = 3, .relative = true}, &f, &e), -1);
	CHECK_STR(e.text, "too few points to choose terms: 4, expected at least 5, or --terms");
	fit_data_add(&p, 5, 0, 5);
	chosen(&p, "n", 1, 1e-12);
	points_finish(&p);
}

static const struct tap_test tests[] = {
	{"Student's bounds are those of the tables", students_bounds_are_those_of_the_tables},
	{"a straight line has its textbook intervals", a_straight_line_has_its_textbook_intervals},
	{"leaving out agrees with fitting again", leaving_out_agrees_with_fitting_again},
	{"exact polynomials are recovered", exact_polynomials_are_recovered},
	{"relative weights minimise percent", relative_weights_minimise_percent},
	{"what has no solution is refused", what_has_no_solution_is_refused},
	{"the chooser finds n^2 log n", the_chooser_finds_n2_log_n},
	{"the chooser finds a product of two variables", the_chooser_finds_a_product_of_two_variables},
	{"the chooser finds strong scaling", the_chooser_finds_strong_scaling},
	{"functions are fewer than values", functions_are_fewer_than_values},
	{"values are left out as a whole", values_are_left_out_as_a_whole},
	{"the chooser prefers fewer terms", the_chooser_prefers_fewer_terms},
	{"the chooser does not let times fall below zero", the_chooser_does_not_let_times_fall_below_zero},
	{"the chooser needs five points", the_chooser_needs_five_points},
};

int main(void)
{
	return tap_main("fit", tests, TAP_COUNT(tests));
}
