/* Errors as values: psim/base/err.h. */
#include "tap.h"

#include <string.h>

#include "psim/base/err.h"

static void set_fills_status_and_text(void)
{
	struct err e = {0};

	CHECK_I64(err_set(&e, STATUS_BAD_INPUT, "%s:%d: %s", "a.ini", 12, "wrong"), -1);
	CHECK_U64(e.status, 3);
	CHECK_STR(e.text, "a.ini:12: wrong");
}

static void null_drops_the_message(void)
{
	CHECK_I64(err_set(NULL, STATUS_FAILED, "x"), -1);
	CHECK_I64(err_prefix(NULL, "x"), -1);
}

static void prefix_stands_before_the_text(void)
{
	struct err e;

	err_set(&e, STATUS_FAILED, "inner");
	CHECK_I64(err_prefix(&e, "outer %d", 7), -1);
	CHECK_STR(e.text, "outer 7: inner");
	CHECK_U64(e.status, STATUS_FAILED);
}

static void long_text_is_cut_and_terminated(void)
{
	struct err e;
	char big[3000];

	memset(big, 'x', sizeof(big) - 1);
	big[sizeof(big) - 1] = 0;
	err_set(&e, STATUS_FAILED, "%s", big);
	CHECK_U64(strlen(e.text), sizeof(e.text) - 1); /* 1024 characters with the NUL */
	err_prefix(&e, "place");
	CHECK_U64(strlen(e.text), sizeof(e.text) - 1);
	CHECK(!strncmp(e.text, "place: xxx", 10));
}

static void long_prefix_is_cut_and_terminated(void)
{
	struct err e;
	char big[3000];

	memset(big, 'y', sizeof(big) - 1);
	big[sizeof(big) - 1] = 0;
	err_set(&e, STATUS_FAILED, "inner");
	err_prefix(&e, "%s", big);
	CHECK_U64(strlen(e.text), sizeof(e.text) - 1);
}

static void control_characters_are_shown_as_question_marks(void)
{
	struct err e;

	err_set(&e, STATUS_FAILED, "%s", "a\033[2Jb\nc\177\xc3\xa9");
	CHECK_STR(e.text, "a?[2Jb?c?\xc3\xa9"); /* UTF-8 stays */
	err_prefix(&e, "x\ty");
	CHECK_STR(e.text, "x?y: a?[2Jb?c?\xc3\xa9");
}

static const struct tap_test tests[] = {
	{"control characters are shown as question marks", control_characters_are_shown_as_question_marks},
	{"set fills status and text", set_fills_status_and_text},
	{"NULL drops the message", null_drops_the_message},
	{"a prefix stands before the text", prefix_stands_before_the_text},
	{"a long text is cut and terminated", long_text_is_cut_and_terminated},
	{"a long prefix is cut and terminated", long_prefix_is_cut_and_terminated},
};

int main(void)
{
	return tap_main("err", tests, TAP_COUNT(tests));
}
