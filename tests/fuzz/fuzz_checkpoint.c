/*
 * Checkpoints: refused with one line, or parts that are written as they were read. The first byte says what the others
 * are: the whole file; or lines of parts, to which the head and the digest are added.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "fuzz_file.h"
#include "psim/base/cli/checkpoint.h"
#include "psim/base/cli/checkpoint_file.h"
#include "psim/base/version.h"

/* Writes head, lines and digest; `parts` is what the last line says. Returns the text, for free(). */
static char *complete(const uint8_t *data, size_t size, size_t *ret_size, unsigned parts)
{
	const size_t room = size + 1024;
	char *text = malloc(room), *line;
	struct digest d = {0};
	int at;

	if (!text)
		abort();
	at = snprintf(text, room, "%s\nprogram prog\nversion %s\nis trace 1\n", CHECKPOINT_FIRST_LINE, version_text());
	memcpy(text + at, data, size);
	*ret_size = (size_t)at + size;
	text[*ret_size] = '\0';
	for (char *from = text; (line = strchr(from, '\n')); from = line + 1) {
		*line = '\0';
		checkpoint_line_add(&d, from);
		*line = '\n';
	}
	*ret_size += (size_t)snprintf(text + *ret_size, room - *ret_size, "end %u %016" PRIx64 "%016" PRIx64 "\n",
				      parts, d.a, d.b);
	return text;
}

static void read_one(const char *path)
{
	const struct checkpoint_options o = {path, 0};
	struct checkpoint k, again;
	struct err e = {0};
	int ret;

	if (checkpoint_begin(&k, &o, "prog", &e) < 0 || checkpoint_is(&k, &e, "trace", "1") < 0)
		abort();
	ret = checkpoint_read(&k, &e);
	if (ret < 0 &&
	    ((e.status != STATUS_BAD_INPUT && e.status != STATUS_FAILED) || !*e.text || strchr(e.text, '\n')))
		abort();
	if (ret > 0) {
		k.unwritten = true;
		checkpoint_write(&k);
		if (checkpoint_begin(&again, &o, "prog", &e) < 0 || checkpoint_is(&again, &e, "trace", "1") < 0 ||
		    checkpoint_read(&again, &e) != 1 || again.parts.count != k.parts.count)
			abort();
		for (size_t n = 0; n < k.parts.count; n++)
			if (k.parts.at[n].count != again.parts.at[n].count ||
			    (k.parts.at[n].count && memcmp(k.parts.at[n].words, again.parts.at[n].words,
							   k.parts.at[n].count * sizeof(uint64_t)) != 0))
				abort();
		checkpoint_finish(&again);
	}
	checkpoint_finish(&k);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t whole;
	char *text;

	if (!size)
		return 0;
	if (data[0] == '=') {
		read_one(fuzz_file("a.ck", data + 1, size - 1));
		return 0;
	}
	text = complete(data + 1, size - 1, &whole, data[0] & 7);
	read_one(fuzz_file("a.ck", text, whole));
	free(text);
	return 0;
}
