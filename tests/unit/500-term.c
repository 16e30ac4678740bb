/* Terms of models: netlink/model/term.c. */
#include "tap.h"

#include <math.h>
#include <string.h>

#include "netlink/model/term.h"

static const struct variables two = {.count = 2, .name = {"n", "m_2"}};

static double value_of(const char *text, double n, double m)
{
	struct err e = {0};
	struct term t;
	double values[MODEL_VARIABLES_MAX] = {n, m};

	CHECK_I64(term_read(&t, text, &two, &e), 0);
	CHECK_STR(e.text, "");
	return term_value(&t, 2, values);
}

static void a_term_is_a_product(void)
{
	CHECK_F64(value_of("1", 8, 5), 1, 0);
	CHECK_F64(value_of("n", 8, 5), 8, 0);
	CHECK_F64(value_of(" n ^ 2 * m_2 ", 8, 5), 320, 0);    /* 64 x 5 */
	CHECK_F64(value_of("n*n*m_2^3", 2, 5), 500, 0);        /* 4 x 125 */
	CHECK_F64(value_of("log2(n)^2*m_2", 8, 5), 45, 1e-12); /* 3^2 x 5 */
	CHECK_F64(value_of("n^(2/3)", 8, 5), 4, 1e-12);
	CHECK_F64(value_of("n^1.5", 4, 5), 8, 1e-12);
	CHECK_F64(value_of("n^-2", 4, 5), 0.0625, 1e-15);
	CHECK_F64(value_of("n^(-1/3)*1", 8, 5), 0.5, 1e-12);
	CHECK_F64(value_of("n^3", -2, 5), -8, 0); /* whole powers are defined everywhere */
}

static void logarithms_and_broken_powers_need_positive_numbers(void)
{
	CHECK(isnan(value_of("log2(n)", 0, 1)));
	CHECK(isnan(value_of("log2(n)", -1, 1)));
	CHECK(isnan(value_of("n^0.5", -1, 1)));
	CHECK(isnan(value_of("n^-1", 0, 1)));
}

static void what_is_written_reads_back(void)
{
	static const char *const texts[][2] = {
		{"1", "1"},
		{"n", "n"},
		{"n^2*m_2", "n^2*m_2"},
		{"m_2*n^2", "n^2*m_2"},
		{"n^1.50", "n^(3/2)"},
		{"n^(4/2)", "n^2"},
		{"n^(-1/3)", "n^(-1/3)"},
		{"n*log2(n)^2", "n*log2(n)^2"},
		{"log2(m_2)*log2(m_2)", "log2(m_2)^2"},
		{"n*n^-1", "1"},
		{"n^0.5*n^(1/2)", "n"},
	};

	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct term t, again;
		char text[TERM_TEXT_MAX];

		CHECK_I64(term_read(&t, texts[i][0], &two, NULL), 0);
		term_write(&t, &two, text);
		CHECK_STR(text, texts[i][1]);
		CHECK_I64(term_read(&again, text, &two, NULL), 0);
		CHECK(term_equal(&t, &again));
	}
}

static void malformed_terms_are_refused(void)
{
	static const char *const texts[] = {
		"",       "2",      "n^",     "n^x",           "n**m_2",      "n^2 m_2",    "n^(1/0)",
		"n^(1/2", "log2 n", "log2(n", "log2(n)^-1",    "log2(n)^0.5", "log2(n)^10", "q",
		"n^21",   "n^20*n", "log2()", "n^99999999999", "1n",          "*n",         "n*",
	};

	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct err e = {0};
		struct term t;

		CHECK_I64(term_read(&t, texts[i], &two, &e), -1);
		CHECK_I64(e.status, STATUS_USAGE);
		CHECK(strlen(e.text) > 10);
	}
}

static void a_list_holds_each_term_once(void)
{
	struct term terms[MODEL_TERMS_MAX];
	struct err e = {0};

	CHECK_I64(terms_read(terms, "1, n, n^2*m_2", &two, &e), 3);
	CHECK_I64(terms_read(terms, "1,,n", &two, &e), -1);
	CHECK_I64(terms_read(terms, "n^2, n*n", &two, &e), -1);
	CHECK_STR(e.text, "duplicate term 'n*n', expected each once");
	CHECK_I64(terms_read(terms, "1,n,n^2,n^3,n^4,n^5,n^6,n^7,n^8,n^9,n^10,n^11,n^12", &two, &e), -1);
	CHECK_STR(e.text, "too many terms, expected at most 12");
}

static void growth_is_compared_variable_by_variable(void)
{
	static const struct {
		const char *a, *b;
		bool dominates;
	} rows[] = {
		{"n^2", "n", true},
		{"n", "n^2", false},
		{"n", "n", false},
		{"n*log2(n)", "n", true},
		{"n^1.5", "n*log2(n)^2", true},
		{"n", "m_2", false},
		{"n*m_2", "m_2", true},
		{"n", "1", true},
		{"1", "n^-1", true},
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct term a, b;

		CHECK_I64(term_read(&a, rows[i].a, &two, NULL), 0);
		CHECK_I64(term_read(&b, rows[i].b, &two, NULL), 0);
		CHECK_I64(term_dominates(&a, &b), rows[i].dominates);
	}
}

static void names_of_variables_are_checked(void)
{
	static const char *const bad[] = {"", "2n", "n-m", "log2", "n n", "a12345678901234567890123456789012"};
	struct variables v = {0};

	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK_I64(variables_add(&v, bad[i], strlen(bad[i]), NULL), -1);
	CHECK_I64(variables_add(&v, "n", 1, NULL), 0);
	CHECK_I64(variables_add(&v, "n", 1, NULL), -1);
	CHECK_I64(variables_add(&v, "log3", 4, NULL), 0);
	CHECK_I64(variables_add(&v, "a", 1, NULL), 0);
	CHECK_I64(variables_add(&v, "b", 1, NULL), 0);
	CHECK_I64(variables_add(&v, "c", 1, NULL), -1); /* MODEL_VARIABLES_MAX is 4 */
	CHECK_I64(variables_find(&v, "log3(", 4), 1);
	CHECK_I64(variables_find(&v, "lo", 2), -1);
}

static const struct tap_test tests[] = {
	{"a term is a product", a_term_is_a_product},
	{"logarithms and broken powers need positive numbers", logarithms_and_broken_powers_need_positive_numbers},
	{"what is written reads back", what_is_written_reads_back},
	{"malformed terms are refused", malformed_terms_are_refused},
	{"a list holds each term once", a_list_holds_each_term_once},
	{"growth is compared variable by variable", growth_is_compared_variable_by_variable},
	{"names of variables are checked", names_of_variables_are_checked},
};

int main(void)
{
	return tap_main("term", tests, TAP_COUNT(tests));
}
