/* "Did you mean": psim/base/near.h. */
#include "tap.h"

#include "psim/base/near.h"

static const char *nearest(const char *word, const char *a, const char *b, const char *c)
{
	struct near n = near_start(word);

	near_offer(&n, a);
	if (b)
		near_offer(&n, b);
	if (c)
		near_offer(&n, c);
	return n.best;
}

static void one_letter_changed(void)
{
	CHECK_STR(nearest("rob_entrees", "rob_entries", "rse_entries", "rsf_entries"), "rob_entries");
}

static void one_letter_left_out(void)
{
	CHECK_STR(nearest("widh", "ways", "width", NULL), "width");
}

static void two_letters_swapped_count_once(void)
{
	/* by changes alone "aws" to "was" would be two; a word of three letters may have one */
	CHECK_STR(nearest("aws", "was", NULL, NULL), "was");
}

static void letter_case_and_dashes_do_not_count(void)
{
	CHECK_STR(nearest("ROB-ENTRIES", "rob_entries", NULL, NULL), "rob_entries");
}

static void a_far_word_is_not_proposed(void)
{
	CHECK_STR(nearest("frobnicate", "width", "rob_entries", NULL), NULL);
}

static void a_third_of_the_letters_is_the_limit(void)
{
	/* nine letters: three changes are near enough, four are not */
	CHECK_STR(nearest("abcdefxyz", "abcdefghi", NULL, NULL), "abcdefghi");
	CHECK_STR(nearest("abcdewxyz", "abcdefghi", NULL, NULL), NULL);
}

static void the_first_of_equals_wins(void)
{
	CHECK_STR(nearest("rsx_entries", "rsa_entries", "rsf_entries", NULL), "rsa_entries");
}

static void the_nearest_wins_over_the_first(void)
{
	CHECK_STR(nearest("rsf_entrie", "rsa_entries", "rsf_entries", NULL), "rsf_entries");
}

static void words_beyond_64_letters_are_passed_over(void)
{
	CHECK_STR(nearest("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
			  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", NULL, NULL),
		  NULL);
}

static void an_empty_word_has_no_neighbour_but_one_letter(void)
{
	CHECK_STR(nearest("", "ab", "a", NULL), "a"); /* one letter inserted */
}

static const struct tap_test tests[] = {
	{"a word with one letter changed is found", one_letter_changed},
	{"a word with one letter left out is found", one_letter_left_out},
	{"two swapped letters count as one mistake", two_letters_swapped_count_once},
	{"letter case and dashes do not count", letter_case_and_dashes_do_not_count},
	{"a far word is not proposed", a_far_word_is_not_proposed},
	{"up to a third of the letters may differ", a_third_of_the_letters_is_the_limit},
	{"the first of equally near words wins", the_first_of_equals_wins},
	{"the nearest word wins over an earlier one", the_nearest_wins_over_the_first},
	{"words of more than 64 letters are passed over", words_beyond_64_letters_are_passed_over},
	{"the empty word is near a single letter only", an_empty_word_has_no_neighbour_but_one_letter},
};

int main(void)
{
	return tap_main("near", tests, TAP_COUNT(tests));
}
