#include "near.h"

#include <ctype.h>
#include <string.h>

enum { LETTERS_MAX = 64 };

static int letter(char c)
{
	return c == '-' ? '_' : tolower((unsigned char)c);
}

static size_t near_least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Edit distance with transpositions (optimal string alignment), three rows at a time. */
static size_t near_distance(const char *a, size_t an, const char *b, size_t bn)
{
	size_t row[3][LETTERS_MAX + 1];

	for (size_t j = 0; j <= bn; j++)
		row[0][j] = j;
	for (size_t i = 1; i <= an; i++) {
		size_t *now = row[i % 3];
		const size_t *last = row[(i - 1) % 3], *before = row[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= bn; j++) {
			int same = letter(a[i - 1]) == letter(b[j - 1]);

			now[j] = near_least(last[j - 1] + !same, near_least(last[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && letter(a[i - 1]) == letter(b[j - 2]) &&
			    letter(a[i - 2]) == letter(b[j - 1]))
				now[j] = near_least(now[j], before[j - 2] + 1);
		}
	}
	return row[an % 3][bn];
}

struct near near_start(const char *word)
{
	return (struct near){.word = word, .best = NULL, .distance = 0};
}

void near_offer(struct near *n, const char *candidate)
{
	size_t an = strlen(n->word), bn = strlen(candidate);
	size_t longer = an > bn ? an : bn, d;

	if (an > LETTERS_MAX || bn > LETTERS_MAX)
		return;
	d = near_distance(n->word, an, candidate, bn);
	if (d > (longer < 6 ? 1 : longer / 3))
		return;
	if (n->best && d >= n->distance)
		return;
	n->best = candidate;
	n->distance = d;
}
