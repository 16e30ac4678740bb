/* The C library's state of each rank: library.h. */
#define _GNU_SOURCE /* fopencookie, newlocale, NL_LOCALE_NAME */
#include "loaded.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../psim/base/mem.h"
#include "world.h"

enum stream { STREAM_IN, STREAM_OUT, STREAM_ERR, STREAMS };

struct rank_library {
	locale_t locale;       /* 0: the simulator's, "C" */
	char *name;            /* the latest result of setlocale */
	FILE *stream[STREAMS]; /* NULL: the original stream */
};

static ssize_t read_nothing(void *cookie, char *text, size_t length)
{
	(void)cookie;
	(void)text;
	(void)length;
	return 0;
}

int library_create(struct library *l, struct err *e)
{
	process_state_create(&l->process);
	l->empty = fopencookie(NULL, "r", (cookie_io_functions_t){.read = read_nothing});
	return l->empty ? 0 : mem_short(e);
}

static void close_streams(struct rank_library *own)
{
	for (int i = 0; i < STREAMS; i++)
		if (own->stream[i])
			fclose(own->stream[i]);
	memset(own->stream, 0, sizeof(own->stream));
}

void library_finish(struct library *l, uint32_t ranks)
{
	for (uint32_t i = 0; l->of && i < ranks; i++)
		library_rank_ended(l, i);
	free(l->of);
	process_state_finish(&l->process);
	if (l->empty && stdin == l->empty) /* the run was cut short */
		stdin = l->in;
	if (l->empty)
		fclose(l->empty);
	*l = (struct library){0};
}

void library_begin(struct library *l)
{
	process_state_begin(&l->process);
	l->in = stdin;
	l->err = stderr;
}

void library_end(struct library *l)
{
	stdin = l->in;
	stderr = l->err;
	process_state_end(&l->process);
}

void library_enter_own(struct vmpi *v, uint32_t rank)
{
	const struct rank_library *own = rank < v->size ? v->loaded->library.of[rank] : NULL;

	stdout = v->loaded->output.stream;
	if (!own)
		return;
	if (own->stream[STREAM_IN])
		stdin = own->stream[STREAM_IN];
	if (own->stream[STREAM_OUT])
		stdout = own->stream[STREAM_OUT];
	if (own->stream[STREAM_ERR])
		stderr = own->stream[STREAM_ERR];
	if (own->locale)
		uselocale(own->locale);
}

void library_leave_own(struct vmpi *v)
{
	stdout = v->loaded->output.stream;
	stderr = v->loaded->library.err;
	uselocale(LC_GLOBAL_LOCALE);
}

void library_rank_ended(struct library *l, uint32_t rank)
{
	struct rank_library *own = l->of ? l->of[rank] : NULL;

	if (!own)
		return;
	l->of[rank] = NULL;
	close_streams(own);
	if (own->locale)
		freelocale(own->locale);
	free(own->name);
	free(own);
}

/* Returns the running rank's state, made on first use. NULL: no rank runs, or memory is short. */
static struct rank_library *own_library(struct vmpi *v)
{
	struct library *l = &v->loaded->library;
	uint32_t rank;

	if (!v->current || rank_is_operation(v, v->current))
		return NULL;
	rank = v->current->world;
	if (!l->of)
		l->of = mem_alloc(v->size, sizeof(struct rank_library *), &v->err);
	if (l->of && !l->of[rank])
		l->of[rank] = mem_alloc(1, sizeof(struct rank_library), &v->err);
	if (!l->of || !l->of[rank])
		rank_stop(v);
	return l->of[rank];
}

/* ---- streams ---- */

/* Returns the standard stream that `f` is, the shared one or the rank's own; STREAMS: none. */
static enum stream standard_stream(const struct vmpi *v, const struct rank_library *own, const FILE *f)
{
	for (int i = 0; i < STREAMS; i++)
		if (own->stream[i] && f == own->stream[i])
			return (enum stream)i;
	if (f == v->loaded->library.empty || f == v->loaded->library.in)
		return STREAM_IN;
	if (f == v->loaded->output.stream)
		return STREAM_OUT;
	return f == v->loaded->library.err ? STREAM_ERR : STREAMS;
}

static void set_stream(struct vmpi *v, struct rank_library *own, enum stream which, FILE *f)
{
	FILE **name = which == STREAM_IN ? &stdin : which == STREAM_OUT ? &stdout : &stderr;

	if (which == STREAM_OUT && !own->stream[which])
		output_by(&v->loaded->output, v->current->world);
	if (own->stream[which])
		fclose(own->stream[which]);
	if (which == STREAM_ERR)
		setvbuf(f, NULL, _IONBF, 0);
	own->stream[which] = f;
	*name = f;
}

void *vmpi_freopen(struct vmpi *v, const char *path, const char *mode, void *stream)
{
	struct rank_library *own = own_library(v);
	enum stream which = own ? standard_stream(v, own, stream) : STREAMS;
	FILE *f;

	if (which == STREAMS) {
		f = freopen(path, mode, stream);
		if (f)
			vmpi_file_opened(v, fileno(f));
		return f;
	}
	if (!path) /* a mode change of a stream that other ranks share is ignored */
		return stream;
	f = fopen(path, mode);
	if (!f)
		return NULL;
	vmpi_file_opened(v, fileno(f));
	set_stream(v, own, which, f);
	return f;
}

int vmpi_fclose(struct vmpi *v, void *stream)
{
	struct rank_library *own = NULL;
	enum stream which = STREAMS;
	FILE *nothing;

	/* most files are no standard streams and need no record */
	if (v->current && (stream == stdin || stream == stdout || stream == stderr))
		own = own_library(v);
	if (own)
		which = standard_stream(v, own, stream);
	if (which == STREAMS)
		return fclose(stream);
	nothing = fopen("/dev/null", which == STREAM_IN ? "r" : "w");
	if (nothing)
		set_stream(v, own, which, nothing);
	return 0;
}

/* ---- descriptors ---- */

/* Returns whether descriptors are those of a rank: of none before the run, nor in a process that a rank has forked. */
static bool has_streams(const struct vmpi *v)
{
	return v->current && getpid() == v->outside.process;
}

int vmpi_fileno(struct vmpi *v, void *stream)
{
	int file = fileno(stream);

	(void)v;
	if (file >= 0)
		return file;
	return stream == stdin    ? STDIN_FILENO
	       : stream == stdout ? STDOUT_FILENO
	       : stream == stderr ? STDERR_FILENO
				  : file;
}

long long vmpi_write(struct vmpi *v, int file, const void *text, long long bytes)
{
	FILE *to = file == STDOUT_FILENO ? stdout : file == STDERR_FILENO ? stderr : NULL;

	if (!to || bytes < 0 || !has_streams(v))
		return write(file, text, (size_t)bytes);
	bytes = (long long)fwrite(text, 1, (size_t)bytes, to);
	if (to == v->loaded->output.stream)
		output_show(&v->loaded->output, v->current->world);
	return bytes;
}

long long vmpi_read(struct vmpi *v, int file, void *to, long long bytes)
{
	if (file == STDIN_FILENO && has_streams(v) && stdin == v->loaded->library.empty)
		return 0;
	return read(file, to, (size_t)bytes);
}

/* The stream of a standard descriptor of the rank that runs; NULL: it is none, or no rank's. */
static FILE *stream_of(const struct vmpi *v, int file)
{
	if (!has_streams(v))
		return NULL;
	return file == STDIN_FILENO ? stdin : file == STDOUT_FILENO ? stdout : file == STDERR_FILENO ? stderr : NULL;
}

int vmpi_close(struct vmpi *v, int file)
{
	FILE *stream = stream_of(v, file);

	return stream ? vmpi_fclose(v, stream) : close(file);
}

/* Returns whether a descriptor leads to the simulator's own output. */
static bool is_host_output(int file, int standard)
{
	struct stat a, b;

	return fstat(file, &a) == 0 && fstat(standard, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int vmpi_dup2(struct vmpi *v, int file, int to)
{
	FILE *stream = stream_of(v, to), *f;
	struct rank_library *own = stream && file != to ? own_library(v) : NULL;
	enum stream which = own ? standard_stream(v, own, stream) : STREAMS;
	int copy;

	if (which == STREAMS)
		return dup2(file, to);
	if (stream_of(v, file))
		fflush(stream_of(v, file));
	copy = dup(file);
	f = copy >= 0 ? fdopen(copy, which == STREAM_IN ? "r" : "w") : NULL;
	if (!f)
		return -1;
	/* descriptors have no buffer, and several of them may lead to one file */
	setvbuf(f, NULL, which == STREAM_OUT && is_host_output(file, to) ? _IOLBF : _IONBF, 0);
	set_stream(v, own, which, f);
	return to;
}

void vmpi_file_opened(struct vmpi *v, int file)
{
	struct stat s;

	if (has_streams(v) && fstat(file, &s) == 0 && S_ISREG(s.st_mode))
		v->outside.opened++;
}

/* ---- locale ---- */

static const struct category {
	int category;
	const char *name;
} categories[] = {
	{LC_CTYPE, "LC_CTYPE"},
	{LC_NUMERIC, "LC_NUMERIC"},
	{LC_TIME, "LC_TIME"},
	{LC_COLLATE, "LC_COLLATE"},
	{LC_MONETARY, "LC_MONETARY"},
	{LC_MESSAGES, "LC_MESSAGES"},
	{LC_PAPER, "LC_PAPER"},
	{LC_NAME, "LC_NAME"},
	{LC_ADDRESS, "LC_ADDRESS"},
	{LC_TELEPHONE, "LC_TELEPHONE"},
	{LC_MEASUREMENT, "LC_MEASUREMENT"},
	{LC_IDENTIFICATION, "LC_IDENTIFICATION"},
};
enum { CATEGORIES = sizeof(categories) / sizeof(categories[0]) };

static const char *category_name(locale_t l, int category)
{
	return l ? nl_langinfo_l(NL_LOCALE_NAME(category), l) : "C";
}

/* The names of all categories: one name, or "LC_CTYPE=…;LC_NUMERIC=…" if they differ. */
static char *all_names(locale_t l)
{
	const char *first = category_name(l, LC_CTYPE);
	size_t size = 0;
	char *text = NULL;
	FILE *f = open_memstream(&text, &size);
	bool same = true;

	if (!f)
		return NULL;
	for (int i = 1; i < CATEGORIES; i++)
		same = same && strcmp(category_name(l, categories[i].category), first) == 0;
	for (int i = 0; !same && i < CATEGORIES; i++)
		fprintf(f, "%s%s=%s", i ? ";" : "", categories[i].name, category_name(l, categories[i].category));
	if (same)
		fputs(first, f);
	if (ferror(f)) {
		fclose(f);
		free(text);
		return NULL;
	}
	return fclose(f) == 0 ? text : NULL;
}

/* Parses the result of all_names. Consumes `l`; 0: a name is unknown. */
static locale_t set_each(locale_t l, const char *names)
{
	for (int i = 0; l && i < CATEGORIES; i++) {
		const char *at = strstr(names, categories[i].name);
		char name[64];
		locale_t with;

		if (!at)
			continue;
		at += strlen(categories[i].name) + 1;
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(at, ";"), at);
		with = newlocale(1 << categories[i].category, name, l);
		if (!with)
			freelocale(l);
		l = with;
	}
	return l;
}

static bool set_locale(struct rank_library *own, int category, const char *name)
{
	locale_t l = own->locale ? duplocale(own->locale) : newlocale(LC_ALL_MASK, "C", (locale_t)0), with;

	if (!l)
		return false;
	if (category == LC_ALL && strchr(name, ';'))
		with = set_each(l, name);
	else if (!(with = newlocale(category == LC_ALL ? LC_ALL_MASK : 1 << category, name, l)))
		freelocale(l);
	if (!with)
		return false;
	uselocale(with);
	if (own->locale)
		freelocale(own->locale);
	own->locale = with;
	return true;
}

char *vmpi_setlocale(struct vmpi *v, int category, const char *locale)
{
	struct rank_library *own = own_library(v);

	if (!own || category < 0 || category > LC_IDENTIFICATION)
		return NULL;
	if (locale && !set_locale(own, category, locale))
		return NULL;
	free(own->name);
	own->name = category == LC_ALL ? all_names(own->locale) : strdup(category_name(own->locale, category));
	return own->name;
}
