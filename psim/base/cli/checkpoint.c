#include "checkpoint.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../mem.h"
#include "../message_line.h"
#include "../report/out.h"
#include "../version.h"
#include "checkpoint_file.h"

static double checkpoint_host_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int checkpoint_begin(struct checkpoint *k, const struct checkpoint_options *o, const char *program, struct err *e)
{
	*k = (struct checkpoint){.path = o->path, .program = program, .seconds = 60.0 * (double)o->minutes};
	k->next = checkpoint_host_seconds() + k->seconds;
	if (o->path)
		image_begin(&k->image);
	if (!o->path && o->minutes != CHECKPOINT_MINUTES_DEFAULT)
		return err_set(e, STATUS_USAGE, "--checkpoint-minutes: it has no effect without --checkpoint");
	if (o->path && strcmp(o->path, "-") == 0)
		return err_set(e, STATUS_USAGE, "--checkpoint -: standard output, expected a file");
	return 0;
}

void checkpoint_forget(struct checkpoint *k)
{
	for (size_t n = 0; n < k->parts.count; n++)
		free(k->parts.at[n].words);
	vec_finish(&k->parts);
}

void checkpoint_finish(struct checkpoint *k)
{
	checkpoint_forget(k);
	vec_finish(&k->facts);
}

const struct checkpoint_part *checkpoint_find(const struct checkpoint *k, const char *name)
{
	for (size_t n = 0; n < k->parts.count; n++)
		if (strcmp(k->parts.at[n].name, name) == 0)
			return &k->parts.at[n];
	return NULL;
}

/* ---- writing ---- */
struct writer {
	FILE *out;
	struct digest digest;
};

__attribute__((format(printf, 2, 3))) static void put_line(struct writer *w, const char *format, ...)
{
	char line[CHECKPOINT_LINE_MAX];
	va_list ap;

	va_start(ap, format);
	vsnprintf(line, sizeof(line), format, ap);
	va_end(ap);
	checkpoint_line_add(&w->digest, line);
	fprintf(w->out, "%s\n", line);
}

static void put_part(struct writer *w, const struct checkpoint_part *p)
{
	char line[CHECKPOINT_LINE_MAX];

	put_line(w, "part %s %zu", p->name, p->count);
	for (size_t n = 0; n < p->count;) {
		int at = 0;

		for (unsigned in_line = 0; in_line < CHECKPOINT_WORDS && n < p->count; in_line++)
			at += snprintf(line + at, sizeof(line) - (size_t)at, " %" PRIx64, p->words[n++]);
		put_line(w, "%s", line);
	}
}

static void put_head(const struct checkpoint *k, struct writer *w)
{
	put_line(w, "%s", CHECKPOINT_FIRST_LINE);
	put_line(w, "program %s", k->program);
	put_line(w, "version %s", version_text());
	for (size_t n = 0; n < k->facts.count; n++)
		put_line(w, "is %s %s", k->facts.at[n].name, k->facts.at[n].value);
}

static void put_all(const struct checkpoint *k, FILE *out)
{
	struct writer w = {.out = out};

	put_head(k, &w);
	for (size_t n = 0; n < k->parts.count; n++)
		put_part(&w, &k->parts.at[n]);
	fprintf(out, "end %zu %016" PRIx64 "%016" PRIx64 "\n", k->parts.count, w.digest.a, w.digest.b);
}

static int write_file(const struct checkpoint *k, struct err *e)
{
	struct out *o = out_create_packed(k->path, e);

	if (!o)
		return -1;
	put_all(k, out_file(o));
	return out_close_on_disk(o, e);
}

/* Sets the time of the next write; warns of the first one that failed. */
static void wrote(struct checkpoint *k, const struct err *failed)
{
	if (failed && !k->warned)
		message("%s: warning: %s; the run goes on", k->program, failed->text);
	k->warned |= failed != NULL;
	k->next = checkpoint_host_seconds() + k->seconds;
}

void checkpoint_write(struct checkpoint *k)
{
	struct err e;

	if (!k->path || !k->unwritten)
		return;
	k->unwritten = write_file(k, &e) < 0;
	wrote(k, k->unwritten ? &e : NULL);
}

/* ---- a run as a whole ---- */

static enum image_saved save_whole(struct checkpoint *k, struct err *e)
{
	struct out *o = out_create_packed(k->path, e);
	enum image_saved saved = IMAGE_FAILED;
	struct writer w = {0};
	int fd;

	if (!o)
		return IMAGE_FAILED;
	w.out = out_file(o);
	put_head(k, &w);
	fprintf(w.out, "%s\n", CHECKPOINT_IMAGE_LINE);
	fd = out_private(o, e);
	if (fd >= 0)
		saved = image_save(&k->image, fd, e);
	if (saved == IMAGE_WRITTEN)
		return out_close_on_disk(o, e) < 0 ? IMAGE_FAILED : IMAGE_WRITTEN;
	out_abort(o);
	return saved;
}

/* Writes the file. True: this process continues from it. */
static bool keep(struct checkpoint *k)
{
	struct err e;
	const enum image_saved saved = save_whole(k, &e);

	if (saved == IMAGE_FAILED && !strstr(e.text, k->path))
		err_prefix(&e, "%s", k->path);
	wrote(k, saved == IMAGE_FAILED ? &e : NULL);
	return saved == IMAGE_CONTINUES;
}

bool checkpoint_step(struct checkpoint *k, struct progress *p, uint64_t done, const char *note, bool *continues)
{
	const bool goes_on = progress_step(p, done, note);

	if (continues)
		*continues = false;
	if (!k->path || !k->whole || (goes_on && checkpoint_host_seconds() < k->next) || !keep(k))
		return goes_on;
	/* clocks and signals are those of this process */
	progress_end(p);
	progress_start(p, p->program, p->unit, p->total, p->quiet);
	progress_from(p, done);
	if (!p->quiet)
		message("%s: %s: continues%s%s", k->program, k->path, note ? " at " : "", note ? note : "");
	if (continues)
		*continues = true;
	return true;
}

int checkpoint_add(struct checkpoint *k, const char *name, const void *words, size_t count, struct err *e)
{
	struct checkpoint_part *p = k->path ? vec_push(&k->parts, e) : NULL;

	if (!k->path)
		return 0;
	if (!p)
		return -1;
	*p = (struct checkpoint_part){.words = mem_alloc(count ? count : 1, sizeof(uint64_t), e), .count = count};
	if (!p->words) {
		k->parts.count--;
		return -1;
	}
	snprintf(p->name, sizeof(p->name), "%s", name);
	memcpy(p->words, words, count * sizeof(uint64_t));
	k->unwritten = true;
	if (checkpoint_host_seconds() >= k->next)
		checkpoint_write(k);
	return 0;
}

void checkpoint_done(const struct checkpoint *k)
{
	if (k->path)
		out_remove(k->path);
}

void checkpoint_failed(struct checkpoint *k, const struct err *e)
{
	if (e->status == STATUS_EXPECT)
		checkpoint_done(k);
	else
		checkpoint_write(k);
}
