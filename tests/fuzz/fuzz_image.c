/*
 * Images of processes: refused with one line, or areas that do not overlap, with pages inside them. Each line is a
 * record: its kind, the bytes of its payload, and the payload's first words, all hexadecimal; others are zero. A line
 * `=` ends them: the last record, with its digest, is left out.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "psim/base/image/image_read.h"

enum { BYTES_MOST = 1 << 16, PAYLOAD_MOST = 1 << 14 };

struct text {
	unsigned char bytes[BYTES_MOST];
	size_t size;
	struct digest digest;
};

static void add_words(struct text *t, const uint64_t *words, size_t count)
{
	for (size_t n = 0; n < count && t->size + sizeof(*words) <= BYTES_MOST; n++) {
		memcpy(t->bytes + t->size, &words[n], sizeof(words[n]));
		t->size += sizeof(words[n]);
		digest_add(&t->digest, words[n]);
	}
}

static void add_record(struct text *t, const char *line)
{
	static uint64_t payload[PAYLOAD_MOST / sizeof(uint64_t)];
	char *at;
	const uint64_t kind = strtoull(line, &at, 16), bytes = strtoull(at, &at, 16);
	size_t count = 0;

	memset(payload, 0, sizeof(payload));
	for (const char *from = at; count < sizeof(payload) / sizeof(payload[0]); from = at, count++) {
		payload[count] = strtoull(from, &at, 16);
		if (at == from)
			break;
	}
	add_words(t, (const uint64_t[]){kind, bytes}, 2);
	add_words(t, payload, (bytes < PAYLOAD_MOST ? bytes : PAYLOAD_MOST) / sizeof(uint64_t));
}

static void check_areas(const struct image_contents *c)
{
	size_t n = 0;

	for (size_t a = 1; a < c->areas.count; a++)
		if (c->areas.at[a - 1].end > c->areas.at[a].begin)
			abort();
	for (size_t p = 0; p < c->pages.count; p++) {
		while (n < c->areas.count && c->areas.at[n].end <= c->pages.at[p].to)
			n++;
		if (n == c->areas.count || c->pages.at[p].to < c->areas.at[n].begin ||
		    c->pages.at[p].to + c->pages.at[p].bytes > c->areas.at[n].end ||
		    (p && c->pages.at[p - 1].to + c->pages.at[p - 1].bytes > c->pages.at[p].to))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct text t;
	struct image_contents c = {0};
	struct err e = {0};
	char *text = malloc(size + 1), *line, *left = NULL;
	FILE *in;

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	t.size = 0;
	t.digest = (struct digest){0};
	for (line = strtok_r(text, "\n", &left); line && *line != '='; line = strtok_r(NULL, "\n", &left))
		add_record(&t, line);
	if (!line) {
		const struct digest d = t.digest;

		add_words(&t, (const uint64_t[]){IMAGE_END, sizeof(d), d.a, d.b}, 4);
	}
	free(text);
	in = t.size ? fmemopen(t.bytes, t.size, "r") : NULL;
	if (!in)
		return 0;
	if (image_read(in, "x", &c, &e) == 0)
		check_areas(&c);
	else if (e.status != STATUS_BAD_INPUT || !*e.text || strchr(e.text, '\n'))
		abort();
	image_contents_finish(&c);
	fclose(in);
	return 0;
}
