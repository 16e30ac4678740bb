/* Names from outside in every output format: psim/base/escape.h, psim/base/report. */
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "psim/base/message_line.h"
#include "psim/base/err.h"
#include "psim/base/escape.h"
#include "psim/base/report/report.h"
#include "psim/base/report/svg.h"

/* Each kind of what a name may do to the text around it. */
static const char *const hostile[] = {
	"\033[31mred\033]0;title\007",
	"two\nlines\r\tand a tab",
	"</script><script>alert(1)</script>",
	"<!--<script>",
	"]]>&amp;&lt;",
	"\"quoted\", 'quoted', a,b",
	"=cmd|' /C calc'!A0",
	"\xff\xfe\xc3(\xe2\x80",
	"\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80", /* overlong, a surrogate, beyond Unicode */
	"\xe2\x80\xa8line\xe2\x80\xa9paragraph",
	("\xc2\x9b"
	 "31m\x7f"), /* CSI of C1 as UTF-8, DEL */
	"\xe2\x80\xaeright to left\xe2\x81\xa6",
	"\xef\xbf\xbe",
	"%s%n\\x1b",
};
enum { HOSTILE = sizeof(hostile) / sizeof(*hostile) };

/* The texts of escape_text by hand. */
static void what_people_cannot_see_is_shown_as_c_writes_it(void)
{
	static const struct {
		const char *text, *shown;
		int width;
	} rows[] = {
		{"plain_name+0x12", "plain_name+0x12", 15},
		{"\302\265s", "\302\265s", 2},
		{"a\nb\tc\rd", "a\\nb\\tc\\rd", 10},
		{"\033[m", "\\x1b[m", 6},
		{"\xff", "\\xff", 4},
		{"\xc3(", "\\xc3(", 5},
		{"\xe2\x80", "\\xe2\\x80", 8},
		{"\xe2\x80\xa8", "\\u2028", 6},
		{"\xc2\x9b", "\\u009b", 6},
		{"\x7f", "\\x7f", 4},
		{"\xc0\xaf", "\\xc0\\xaf", 8},
		{"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80", 1},
		{"\xf0\x9f\xbf\xbf", "\\U0001ffff", 10},
	};
	char text[64];

	for (size_t n = 0; n < sizeof(rows) / sizeof(*rows); n++) {
		CHECK_STR(escape_copy(text, sizeof(text), rows[n].text), rows[n].shown);
		CHECK_I64(escape_width(rows[n].text), rows[n].width);
	}
	CHECK_STR(escape_copy(text, 4, "ab\033"), "ab"); /* no part of an escape */
	CHECK_STR(escape_copy(text, 4, "ab\302\265"), "ab");
}

static struct report *with_name(const char *name)
{
	const struct report_column columns[] = {{"name", ""}, {"cycles", "cycles"}};
	struct report *r = report_create();

	report_group(r, "run", "");
	report_text(r, "program", name, "");
	report_end(r);
	report_table(r, "functions", "", columns, 2);
	report_cell_text(r, name);
	report_cell_u64(r, 1);
	report_table_end(r);
	return r;
}

static char *written(const char *name, enum report_format format)
{
	static char *text;
	static size_t size;
	FILE *f = open_memstream(&text, &size);
	struct report *r = with_name(name);

	CHECK_I64(report_write(r, format, f, NULL), 0);
	fclose(f);
	report_destroy(r);
	return text;
}

static size_t count(const char *text, const char *word)
{
	size_t n = 0;

	for (; (text = strstr(text, word)); text++)
		n++;
	return n;
}

/* Checks that an output is printable UTF-8. */
static void check_printable(const char *text)
{
	for (bool plain; *text;) {
		size_t length = escape_length(text, &plain);

		CHECK(plain || *text == '\n');
		text += length;
	}
}

static void no_format_lets_a_name_out(void)
{
	static const enum report_format formats[] = {REPORT_TEXT, REPORT_CSV, REPORT_JSON, REPORT_HTML};

	for (size_t f = 0; f < sizeof(formats) / sizeof(*formats); f++) {
		char *plain = written("plain", formats[f]);

		for (size_t n = 0; n < HOSTILE; n++) {
			char *text = written(hostile[n], formats[f]);

			check_printable(text + (formats[f] == REPORT_HTML ? strcspn(text, "{") : 0));
			CHECK_U64(count(text, "\n"), count(plain, "\n"));
			if (formats[f] == REPORT_HTML || formats[f] == REPORT_JSON)
				for (const char *c = "<>&"; *c; c++)
					CHECK_U64(count(text, (char[]){*c, 0}), count(plain, (char[]){*c, 0}));
			free(text);
		}
		free(plain);
	}
}

/* Escapes of JSON are of the same text: what is UTF-8 is read as it was. */
static void json_reads_back(void)
{
	for (size_t n = 0; n < HOSTILE; n++) {
		char *text = written(hostile[n], REPORT_JSON);
		json_t *root = json_loads(text, 0, NULL);
		const char *read = json_string_value(json_object_get(json_object_get(root, "run"), "program"));
		json_t *whole = json_string(hostile[n]); /* NULL: not UTF-8 */

		CHECK(read != NULL);
		if (whole && read)
			CHECK_STR(read, hostile[n]);
		json_decref(whole);
		json_decref(root);
		free(text);
	}
}

static void a_page_takes_nothing_from_elsewhere(void)
{
	char *text = written("plain", REPORT_HTML);

	CHECK_U64(count(text, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
			      "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"),
		  1);
	free(text);
}

static void a_picture_keeps_its_marks(void)
{
	for (size_t n = 0; n < HOSTILE; n++) {
		char *text = NULL;
		size_t size;
		FILE *f = open_memstream(&text, &size);

		svg_begin(f, 10, 10, hostile[n], hostile[n]);
		svg_text(f, 1, 1, "label", "start", hostile[n]);
		svg_end(f);
		fclose(f);
		CHECK_U64(count(text, "<script"), 0);
		CHECK_U64(count(text, "<!--"), 0);
		CHECK_U64(count(text, "<text"), 1);
		CHECK_U64(count(text, "</"), 5); /* title, desc, style, text, svg */
		for (const char *c = text; *c; c++)
			CHECK((unsigned char)*c >= ' ' || *c == '\n' || *c == '\t');
		free(text);
	}
}

static void messages_are_one_printable_line(void)
{
	for (size_t n = 0; n < HOSTILE; n++) {
		struct err e;

		err_set(&e, STATUS_BAD_INPUT, "%s: is bad", hostile[n]);
		check_printable(e.text);
		CHECK_U64(count(e.text, "\n"), 0);
	}
}

/* Lines of programs on standard error, which names from outside cannot leave. */
static void lines_of_programs_are_printable(void)
{
	for (size_t n = 0; n < HOSTILE; n++) {
		char text[4096] = "";
		FILE *to = tmpfile();
		int kept = dup(STDERR_FILENO);

		REQUIRE(to && kept >= 0);
		dup2(fileno(to), STDERR_FILENO);
		message("psim: warning: %s: is bad", hostile[n]);
		message_lines("one\n\033two\n");
		dup2(kept, STDERR_FILENO);
		close(kept);
		rewind(to);
		text[fread(text, 1, sizeof(text) - 1, to)] = 0;
		fclose(to);
		CHECK_U64(count(text, "\n"), 3);
		CHECK(strstr(text, "is bad\none\n\\x1btwo\n") != NULL);
		check_printable(text);
	}
}

static const struct tap_test tests[] = {
	{"what people cannot see is shown as C writes it", what_people_cannot_see_is_shown_as_c_writes_it},
	{"no format lets a name out", no_format_lets_a_name_out},
	{"JSON reads back", json_reads_back},
	{"a page takes nothing from elsewhere", a_page_takes_nothing_from_elsewhere},
	{"a picture keeps its marks", a_picture_keeps_its_marks},
	{"messages are one printable line", messages_are_one_printable_line},
	{"lines of programs are printable", lines_of_programs_are_printable},
};

int main(void)
{
	return tap_main("escape", tests, TAP_COUNT(tests));
}
