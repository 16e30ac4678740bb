/* Models that are the largest of several sums: netlink/model/fit/lsq_positive.c, fit_largest.c. */
#include "tap.h"

#include <math.h>
#include <string.h>

#include "fit_data.h"
#include "netlink/model/fit/fit.h"

enum { SUMS = MODEL_SUMS_MAX };

/* Fits the larger of the sums, the last of them NULL if there are two. */
static int fit_texts(struct points *p, const char *const texts[SUMS], bool relative, struct fit *f, struct err *e)
{
	struct term terms[MODEL_ROWS_MAX];
	unsigned first[SUMS + 1] = {0}, sums = texts[2] ? 3 : 2;

	for (unsigned s = 0; s < sums; s++) {
		int count = terms_read(terms + first[s], texts[s], &p->variables, NULL);

		REQUIRE(count > 0);
		first[s + 1] = first[s] + (unsigned)count;
	}
	return fit_largest(p, terms, first, sums, relative, f, e);
}

static void fitted(struct points *p, const char *const texts[SUMS], bool relative, struct fit *f)
{
	struct err e = {0};

	CHECK_I64(fit_texts(p, texts, relative, f, &e), 0);
	CHECK_STR(e.text, "");
}

static unsigned largest(const struct fit *f, double n)
{
	unsigned sum = 99;

	model_largest(&f->model, &n, &sum);
	return sum;
}

static void coefficients_do_not_fall_below_zero(void)
{
	struct lsq s;
	double a[] = {1, 1}, b[] = {0, 1}, y[] = {2, 1}, x[2];
	const double *columns[] = {a, b};

	CHECK_I64(lsq_create(&s, 2, NULL), 0);
	/* exact would be 2 a - b; without b: (1 x 2 + 1 x 1) / (1 + 1) = 1.5 */
	lsq_positive(&s, columns, 2, y, x);
	CHECK_F64(x[0], 1.5, 1e-12);
	CHECK_F64(x[1], 0, 0);
	/* 2 a + 3 b, which is exact */
	y[1] = 5;
	lsq_positive(&s, columns, 2, y, x);
	CHECK_F64(x[0], 2, 1e-12);
	CHECK_F64(x[1], 3, 1e-12);
	/* nothing points there */
	y[0] = y[1] = -1;
	lsq_positive(&s, columns, 2, y, x);
	CHECK_F64(x[0], 0, 0);
	CHECK_F64(x[1], 0, 0);
	/* no rows, no coefficients */
	s.rows = 0;
	lsq_positive(&s, columns, 2, y, x);
	CHECK_F64(x[0], 0, 0);
	lsq_finish(&s);
}

static void a_column_comes_in_and_goes_out_again(void)
{
	/*
	 * y = (4, 4, 0) with a = (1, 1, 1), b = (1, 0, 0), c = (0, 1, 0): a points most along y (8 / sqrt 3 against
	 * 4), but b and c are exact without it.
	 */
	struct lsq s;
	double a[] = {1, 1, 1}, b[] = {1, 0, 0}, c[] = {0, 1, 0}, y[] = {4, 4, 0}, x[3];
	const double *columns[] = {a, b, c};

	CHECK_I64(lsq_create(&s, 3, NULL), 0);
	lsq_positive(&s, columns, 3, y, x);
	CHECK_F64(x[0], 0, 1e-12);
	CHECK_F64(x[1], 4, 1e-12);
	CHECK_F64(x[2], 4, 1e-12);
	lsq_finish(&s);
}

/* 100 + 2 n up to n = 11 (122 against 121), n^2 from 12 on (124 against 144); n = 1 … 20. */
static struct points line_and_square(void)
{
	struct points p = fit_data_points("n");

	for (int n = 1; n <= 20; n++)
		fit_data_add(&p, n, 0, fmax(100 + 2 * n, n * n));
	return p;
}

static void two_sums_are_recovered(void)
{
	struct points p = line_and_square();
	struct fit f;
	double far = 30;

	for (int relative = 0; relative < 2; relative++) {
		fitted(&p, (const char *const[SUMS]){"1, n", "n^2"}, relative, &f);
		CHECK_U64(f.model.sums, 2);
		CHECK_U64(f.model.count, 3);
		CHECK_F64(f.model.coefficient[0], 100, 1e-9);
		CHECK_F64(f.model.coefficient[1], 2, 1e-10);
		CHECK_F64(f.model.coefficient[2], 1, 1e-12);
		CHECK_U64(largest(&f, 11), 0);
		CHECK_U64(largest(&f, 12), 1);
		CHECK_F64(model_largest(&f.model, &far, NULL), 900, 1e-9);
		CHECK_U64(f.points, 20);
		CHECK_U64(f.degrees, 17);
		CHECK_F64(f.r2, 1, 1e-12);
		CHECK(f.model.max_error < 1e-9 && f.cross_validation < 1e-9);
	}
	points_finish(&p);
}

static void their_order_makes_no_difference(void)
{
	struct points p = line_and_square();
	struct fit f;

	fitted(&p, (const char *const[SUMS]){"n^2", "1, n"}, true, &f);
	CHECK_F64(f.model.coefficient[0], 1, 1e-12);
	CHECK_F64(f.model.coefficient[1], 100, 1e-9);
	CHECK_F64(f.model.coefficient[2], 2, 1e-10);
	CHECK_U64(largest(&f, 12), 0);
	points_finish(&p);
}

static void what_is_held_out_takes_no_part(void)
{
	struct points p = line_and_square();
	struct fit f;

	fit_data_add(&p, 25, 0, 1000); /* n^2 is 625 */
	CHECK_I64(points_hold_out(&p, "n>20", NULL), 1);
	fitted(&p, (const char *const[SUMS]){"1, n", "n^2"}, true, &f);
	CHECK_F64(f.model.coefficient[2], 1, 1e-12);
	CHECK_U64(f.points, 20);
	CHECK_F64(f.model.to[0], 20, 0);
	points_finish(&p);
}

static void two_sums_of_two_variables_are_recovered(void)
{
	/* the roof of a machine: n m of work, 8 n + 8 m of data; equal where 1/n + 1/m = 1/8, as at 16, 16 */
	struct points p = fit_data_points("n m");
	struct fit f;
	unsigned sum;

	for (double n = 2; n <= 64; n *= 2)
		for (double m = 2; m <= 64; m *= 2)
			fit_data_add(&p, n, m, fmax(n * m, 8 * n + 8 * m));
	fitted(&p, (const char *const[SUMS]){"n*m", "n, m"}, true, &f);
	CHECK_F64(f.model.coefficient[0], 1, 1e-12);
	CHECK_F64(f.model.coefficient[1], 8, 1e-11);
	CHECK_F64(f.model.coefficient[2], 8, 1e-11);
	CHECK_F64(model_largest(&f.model, (double[]){16, 32}, &sum), 512, 1e-9); /* 8 x 48 is less */
	CHECK_U64(sum, 0);
	CHECK_F64(model_largest(&f.model, (double[]){8, 32}, &sum), 320, 1e-9); /* 256 is less */
	CHECK_U64(sum, 1);
	points_finish(&p);
}

static void three_sums_are_recovered(void)
{
	/* 60 up to n = 6, 10 n up to 10, n^2 beyond */
	struct points p = fit_data_points("n");
	struct fit f;

	for (double n = 1; n <= 15; n += 0.5)
		fit_data_add(&p, n, 0, fmax(60, fmax(10 * n, n * n)));
	fitted(&p, (const char *const[SUMS]){"n", "1", "n^2"}, true, &f);
	CHECK_U64(f.model.sums, 3);
	CHECK_F64(f.model.coefficient[0], 10, 1e-10);
	CHECK_F64(f.model.coefficient[1], 60, 1e-10);
	CHECK_F64(f.model.coefficient[2], 1, 1e-11);
	CHECK_U64(largest(&f, 4), 1);
	CHECK_U64(largest(&f, 8), 0);
	CHECK_U64(largest(&f, 13), 2);
	points_finish(&p);
}

static void where_it_is_not_the_largest_a_sum_stays_above_zero(void)
{
	/*
	 * 30 up to n = 11, then 3 n - 5. '1, n' fitted to 12 … 20 alone would have -5; with no number below 0 it is
	 * c n, c = sum of n (3 n - 5) over sum of n^2 = 3 - 5 x 144 / 2364, which at 11 is below 30, at 12 above.
	 */
	struct points p = fit_data_points("n");
	struct fit f;

	for (int n = 1; n <= 20; n++)
		fit_data_add(&p, n, 0, fmax(30, 3 * n - 5));
	fitted(&p, (const char *const[SUMS]){"1", "1, n"}, false, &f);
	CHECK_F64(f.model.coefficient[0], 30, 1e-10);
	CHECK_F64(f.model.coefficient[1], 0, 0);
	CHECK_F64(f.model.coefficient[2], 3 - 5 * 144. / 2364, 1e-10);
	points_finish(&p);
}

static void errors_come_from_the_points_of_a_sum(void)
{
	/*
	 * The line of 501-fit.c through (1, 2) … (5, 5), residuals' squares together 2.4, and n^4 / 1000 at 10, 11,
	 * 12, exact (10 against 2.2 + 6). 8 points, 3 terms: variance 2.4 / 5.
	 */
	static const double y[] = {2, 4, 5, 4, 5};
	struct points p = fit_data_points("n");
	struct fit f;
	double six = 6;

	for (int i = 0; i < 5; i++)
		fit_data_add(&p, i + 1, 0, y[i]);
	for (int n = 10; n <= 12; n++)
		fit_data_add(&p, n, 0, pow(n, 4) / 1000);
	fitted(&p, (const char *const[SUMS]){"1, n", "n^4"}, false, &f);
	CHECK_F64(f.model.coefficient[0], 2.2, 1e-10);
	CHECK_F64(f.model.coefficient[1], 0.6, 1e-10);
	CHECK_F64(f.model.coefficient[2], 1e-3, 1e-12);
	CHECK_U64(f.degrees, 5);
	CHECK_F64(f.variance, 0.48, 1e-10);
	CHECK_F64(f.standard_error[0], sqrt(0.48 * 1.1), 1e-10); /* 1/5 + 9/10 */
	CHECK_F64(f.standard_error[1], sqrt(0.048), 1e-10);
	CHECK_F64(f.covariance[0][2], 0, 0);
	/* at 6 it is the line: Student's bound of 5 degrees, 2.5706, x sqrt(0.48 (1 + 1/5 + 9/10)) */
	CHECK_F64(fit_data_half(&f, &six), 2.5706 * sqrt(0.48 * 2.1), 1e-4);
	points_finish(&p);
}

static void a_point_left_out_does_not_help_itself(void)
{
	/*
	 * 10 for n = 1, 2, 3 and n^2 for 4, 5, but for n = 2, where it is 13; equal weights. With all points the
	 * constant is 11. Left out one at a time: n = 1 and 3 by (10 + 13) / 2 - 10 = 1.5 each, n = 2 by -3, n = 4, 5
	 * exact: 13.5 / 5 against the mean square (100 + 169 + 100 + 256 + 625) / 5.
	 */
	static const double y[] = {10, 13, 10, 16, 25};
	struct points p = fit_data_points("n");
	struct fit f;

	for (int i = 0; i < 5; i++)
		fit_data_add(&p, i + 1, 0, y[i]);
	fitted(&p, (const char *const[SUMS]){"1", "n^2"}, false, &f);
	CHECK_F64(f.model.coefficient[0], 11, 1e-12);
	CHECK_F64(f.cross_validation, 100 * sqrt(13.5 / 1250), 1e-9);
	points_finish(&p);
}

static void refused(struct points *p, const char *const texts[SUMS], const char *message)
{
	struct err e = {0};
	struct fit f;

	CHECK_I64(fit_texts(p, texts, true, &f, &e), -1);
	CHECK_I64(e.status, STATUS_USAGE);
	CHECK_STR(e.text, message);
}

static void what_the_points_do_not_tell_is_refused(void)
{
	struct points p = fit_data_points("n m");

	for (int n = 1; n <= 4; n++)
		fit_data_add(&p, n, 2 * n, n);
	refused(&p, (const char *const[SUMS]){"1, n", "m"},
		"too few points: 4 for 3 terms in 2 sums, expected at least 5");
	for (int n = 5; n <= 8; n++)
		fit_data_add(&p, n, 2 * n, n);
	refused(&p, (const char *const[SUMS]){"1, n", "n^2"},
		"sum 1, '1, n', alone fits these points as well as the maximum of the sums, expected no other sum");
	/* n^2 / 10 decides at 90 alone */
	fit_data_add(&p, 90, 180, 810);
	refused(&p, (const char *const[SUMS]){"1, n", "n^2"},
		"sum 2, 'n^2', is the maximum at 1 of 9 points, expected at least 2: more points there, or fewer terms "
		"or sums");
	/* n^2 / 10 decides from 10 on, where m is twice n */
	for (int n = 11; n <= 20; n++)
		fit_data_add(&p, n, 2 * n, n * n / 10.);
	refused(&p, (const char *const[SUMS]){"n", "n*m, n^2"},
		"term 'n^2' of sum 2 is a linear combination of its others at the 11 points where that sum is the "
		"maximum, expected independent terms or other points");
	points_finish(&p);
}

static const struct tap_test tests[] = {
	{"coefficients do not fall below zero", coefficients_do_not_fall_below_zero},
	{"a column comes in and goes out again", a_column_comes_in_and_goes_out_again},
	{"two sums are recovered", two_sums_are_recovered},
	{"their order makes no difference", their_order_makes_no_difference},
	{"what is held out takes no part", what_is_held_out_takes_no_part},
	{"two sums of two variables are recovered", two_sums_of_two_variables_are_recovered},
	{"three sums are recovered", three_sums_are_recovered},
	{"where it is not the largest a sum stays above zero", where_it_is_not_the_largest_a_sum_stays_above_zero},
	{"errors come from the points of a sum", errors_come_from_the_points_of_a_sum},
	{"a point left out does not help itself", a_point_left_out_does_not_help_itself},
	{"what the points do not tell is refused", what_the_points_do_not_tell_is_refused},
};

int main(void)
{
	return tap_main("largest", tests, TAP_COUNT(tests));
}
