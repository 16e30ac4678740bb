#include "record_session.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../isa/simd.h"
#include "../../psim/base/cli/progress.h"
#include "../../psim/base/config/value.h"
#include "../../psim/base/message_line.h"
#include "../../psim/base/report/out.h"
#include "../../psim/base/version.h"
#include "line_table.h"
#include "record_run.h"
#include "sandbox.h"
#include "syscall.h"

/* State of the callbacks. */
struct session {
	const struct opt_program *program;
	const struct record_settings *settings;
	struct guest *guest;
	const char *path; /* of the program */
	char **args;      /* its arguments, including [0] */
	unsigned arg_count;
	struct progress progress;
	uint64_t checked, wrong;    /* runs of nests, and loops that differ */
	struct nest_runs nests;     /* what all of them take */
	char other[TRACE_NAME_MAX]; /* the first region that is none of --region */
};

/* A line on standard error; symbols of the program may be part of `text`. */
static void put_message(const struct session *s, const char *text)
{
	message("%s: %s: %s", s->program->name, s->path, text);
}

static void record_warn(void *user, const char *text)
{
	const struct session *s = user;
	if (!s->settings->quiet)
		put_message(s, text);
}

static bool progress(void *user, uint64_t insns)
{
	struct session *s = user;
	return progress_step(&s->progress, insns, NULL);
}

static void nest_checked(void *user, const char *line)
{
	struct session *s = user;
	s->checked++;
	if (!*line)
		return;
	s->wrong++;
	put_message(s, line);
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* A recording that begins with the program has no warm-up. */
static uint64_t record_warm_up(const struct record_settings *o)
{
	return o->from || o->regions.count || o->skip ? o->warm_up : 0;
}

/* The file of the trace of a place: NAME.trace.gz, and NAME.1.trace.gz for the second thread. NULL: no memory. */
static char *trace_path(const char *output, unsigned place)
{
	static const char *const ends[] = {".trace.gz", ".gz", ""};
	size_t length = strlen(output), room = length + 16;
	char *path = malloc(room);
	const char *const *end = ends;

	while (length < strlen(*end) || strcmp(output + length - strlen(*end), *end) != 0)
		end++;
	if (path && place)
		snprintf(path, room, "%.*s.%u%s", (int)(length - strlen(*end)), output, place, *end);
	else if (path)
		snprintf(path, room, "%s", output);
	return path;
}

static struct trace_writer *create_at(const char *output, unsigned place, const struct trace_info *info, struct err *e)
{
	struct trace_writer *writer = NULL;
	char *path;

	if (place && strcmp(output, "-") == 0) {
		err_set(e, STATUS_USAGE,
			"--output: standard output takes the trace of one thread, expected a file's name");
		return NULL;
	}
	path = trace_path(output, place);
	if (path)
		writer = trace_writer_create(path, info, e);
	else
		err_set(e, STATUS_FAILED, "out of memory");
	free(path);
	return writer;
}

static struct trace_writer *open_trace(void *user, unsigned place, uint64_t first_insn, struct err *e)
{
	const struct session *s = user;
	const struct elf_image *image = &s->guest->image;
	char recorder[64];
	/* without the commit: all builds of a version record the same trace */
	snprintf(recorder, sizeof(recorder), "%s %s", s->program->name, version_number());
	struct trace_info info = {
		.program = file_name(s->path),
		.program_crc = image->crc,
		.args = (const char *const *)s->args,
		.arg_count = s->arg_count,
		.symbols = image->symbols,
		.symbol_count = image->symbol_count,
		.recorder = recorder,
		.fma_fused = s->guest->options.fma_fused,
		.entry = image->entry,
		.first_insn = first_insn,
		.warm_up = record_warm_up(s->settings) > 0,
		.thread = place,
	};
	if (guest_must_declare_array(s->guest)) {
		info.pes = s->guest->options.pes;
		info.sbm_bytes = s->guest->options.sbm_bytes;
	}
	struct line_table lines;
	struct trace_writer *writer = NULL;
	if (line_table_read(&lines, s->path, e) == 0) {
		info.files = (const char *const *)lines.files.at;
		info.file_count = (unsigned)lines.files.count;
		info.lines = lines.lines.at;
		info.line_count = (unsigned)lines.lines.count;
		writer = create_at(s->settings->output, place, &info, e);
	}
	line_table_finish(&lines);
	return writer;
}

/* Finds the address at which recording begins: a function or a number. */
static int find_start(const struct session *s, uint64_t *from, struct err *e)
{
	const char *name = s->settings->from;
	char *end;
	*from = 0;
	if (!name)
		return 0;
	const struct trace_symbol *symbol = elf_symbol_named(&s->guest->image, name);
	if (symbol) {
		*from = symbol->address;
		return 0;
	}
	*from = strtoull(name, &end, 16);
	if (strncmp(name, "0x", 2) == 0 && !*end && *from % 4 == 0 &&
	    address_space_allows(&s->guest->memory, *from, 4, SPACE_EXEC))
		return 0;
	return err_set(e, STATUS_USAGE,
		       "--from: '%s' is neither a function of %s nor the address "
		       "(0x…) of an instruction",
		       name, s->path);
}

static void summarize(const struct session *s, const struct run_result *r, double seconds)
{
	const struct record_settings *o = s->settings;
	int signal = progress_signal();
	if (!o->verbose && !signal)
		return;
	unsigned traces = 0;
	char file[PATH_MAX + 64] = "", threads[48] = "", speed[64] = "";
	for (unsigned n = 0; n < GUEST_THREADS; n++)
		traces += r->writer[n] != NULL;
	if (traces)
		snprintf(file, sizeof(file), ", %" PRIu64 " recorded in %s", r->recorded, o->output);
	if (traces > 1)
		snprintf(threads, sizeof(threads), " and those of %u threads", traces - 1);
	if (o->verbose)
		snprintf(speed, sizeof(speed), ", %.2f s, %.1f million a second", seconds,
			 seconds > 0 ? (double)r->executed / seconds / 1e6 : 0.0);
	message("%s: %s%" PRIu64 " instructions run%s%s%s", s->program->name, signal ? "stopped by a signal: " : "",
		r->executed, file, threads, speed);
}

/* Reports a program that ended before the recording began: how it ended comes first, since that is often why. */
static int ended_early(const struct session *s, const struct run_result *r, struct err *e)
{
	const struct guest *g = s->guest;
	const struct record_settings *o = s->settings;
	char end[sizeof(g->error.text) + 32] = "ended", region[TRACE_NAME_MAX + 64] = "no region of that name";

	if (g->end == GUEST_KILLED)
		snprintf(end, sizeof(end), "%s", g->error.text);
	else if (g->end != GUEST_STOPPED && g->exit_status)
		snprintf(end, sizeof(end), "ended with status %d", g->exit_status);
	if (*s->other)
		snprintf(region, sizeof(region), "no region of that name, the first is '%s'", s->other);
	return err_set(e, STATUS_FAILED,
		       "%s: %s after %" PRIu64 " instructions and recording never began (%s): nothing was written",
		       s->path, end, r->executed,
		       o->from            ? "--from was not reached"
		       : o->regions.count ? region
					  : "--skip is larger");
}

/* Returns the exit status for the end of the guest. */
static int guest_status(const struct session *s, const struct run_result *r, struct err *e)
{
	const struct guest *g = s->guest;
	const struct record_settings *o = s->settings;
	int signal = progress_signal();
	if (g->end == GUEST_FAILED) {
		*e = g->error;
		err_prefix(e, "%s", s->path);
		return -1;
	}
	if (!r->reached && !signal && (o->from || o->regions.count || o->skip))
		return ended_early(s, r, e);
	if (g->end == GUEST_KILLED) {
		if (host_signal(g->signal_number) !=
		    SIGPIPE) /* SIGPIPE: the reader of the output has finished, which is no error */
			put_message(s, g->error.text);
		return 128 + host_signal(g->signal_number);
	}
	if (g->end == GUEST_STOPPED)
		return signal ? 128 + signal : STATUS_DONE;
	return g->exit_status;
}

/* Warns of regions that the program never entered; others are in the trace, so that the run is no failure. */
static void warn_of_regions(const struct session *s, const bool *entered)
{
	const struct opt_list *regions = &s->settings->regions;

	if (s->guest->end != GUEST_EXITED)
		return;
	for (unsigned n = 0; regions->count > 1 && n < regions->count; n++)
		if (!entered[n] && !s->settings->quiet)
			message("%s: warning: --region %s: the program entered no region of that name",
				s->program->name, regions->item[n]);
}

/* Warns of loops that take longer on the array than on the scalar core. */
static void warn_of_nests(const struct session *s)
{
	char line[NEST_LINE];

	for (unsigned n = 0; n < s->nests.count; n++)
		if (nest_runs_line(&s->nests, n, line))
			record_warn((void *)s, line);
}

static double record_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns the exit status of a program that has ended well, of --check-simd. */
static int check_status(struct session *s)
{
	if (s->settings->verbose)
		message("%s: %" PRIu64 " runs of loops on the array checked, %" PRIu64 " loops differ",
			s->program->name, s->checked, s->wrong);
	if (!s->checked)
		record_warn(s, "--check-simd: no loop of psim-cc or psim-fc ran on the array");
	return s->wrong ? STATUS_FAILED : STATUS_DONE;
}

static void abort_traces(struct run_result *r, unsigned from)
{
	for (unsigned n = from; n < GUEST_THREADS; n++)
		trace_writer_abort(r->writer[n]);
}

static int close_traces(struct run_result *r, int status, struct err *e)
{
	for (unsigned n = 0; n < GUEST_THREADS; n++)
		if (r->writer[n] && trace_writer_close(r->writer[n], status, e) < 0) {
			abort_traces(r, n + 1);
			return -1;
		}
	return 0;
}

static int run_record(struct session *s, FILE *log, struct err *e)
{
	const struct record_settings *o = s->settings;
	struct run_options ro = {
		.regions = o->regions.item,
		.region_count = o->regions.count,
		.skip = o->skip,
		.max = o->max,
		.warm_up = record_warm_up(o),
		.log = log,
		.open = o->no_trace ? NULL : open_trace,
		.progress = progress,
		.checked = o->check_simd ? nest_checked : NULL,
		.nests = &s->nests,
		.user = s,
	};
	bool entered[OPT_LIST_MAX] = {false};
	ro.entered = entered;
	ro.other = s->other;
	struct run_result result;
	if (find_start(s, &ro.from, e) < 0)
		return -1;
	double start = record_now();
	/* on a terminal a progress line would mix with the program's output */
	bool silent = o->quiet || isatty(STDOUT_FILENO);
	progress_start(&s->progress, s->program->name, "insn", 0, silent);
	int failed = guest_run(s->guest, &ro, &result, e);
	progress_end(&s->progress);
	int status = failed ? -1 : guest_status(s, &result, e);
	if (failed || s->guest->end == GUEST_FAILED) {
		abort_traces(&result, 0);
		return -1;
	}
	if (close_traces(&result, status < 0 ? 0 : status, e) < 0)
		return -1;
	warn_of_regions(s, entered);
	warn_of_nests(s);
	summarize(s, &result, record_now() - start);
	return o->check_simd && status == 0 ? check_status(s) : status;
}

/* The program sees this path behind /proc/self/exe, where Linux has an absolute one. */
static int check_name(const struct record_settings *o, struct err *e)
{
	if (!o->name || *o->name == '/')
		return 0;
	return err_set(e, STATUS_USAGE, "--name %s: expected a path that begins with /", o->name);
}

/* Reads --sbm, a size in the configuration's syntax, "64 KiB". */
static int read_sbm(struct record_settings *o, struct err *e)
{
	static const struct param row = {
		.section = "",
		.key = "sbm",
		.type = PARAM_SIZE,
		.initial = "64 KiB",
		.min = SIMD_SBM_MIN,
		.max = SIMD_SBM_MAX,
		.unit = "B",
		.doc = "",
	};
	if (!o->sbm_text)
		return 0;
	if (value_read(&row, o->sbm_text, &o->sbm, e) < 0) {
		e->status = STATUS_USAGE;
		err_prefix(e, "--sbm %s", o->sbm_text);
		return -1;
	}
	if (!simd_size_valid(SIMD_PES, o->sbm))
		return err_set(e, STATUS_USAGE, "--sbm %s: expected a power of two", o->sbm_text);
	return 0;
}

/* Returns the bit of a unit's name, 0 if there is none. */
static unsigned unit_of(const char *text, size_t length)
{
	static const char *const names[SIMD_UNIT_COUNT] = {
#define U(name, text) text,
#include "../../isa/simd_unit.def"
#undef U
	};

	for (unsigned n = 0; n < SIMD_UNIT_COUNT; n++)
		if (strlen(names[n]) == length && memcmp(names[n], text, length) == 0)
			return 1u << n;
	return 0;
}

/* Reads --units, names with commas between them. */
static int read_pe_units(struct record_settings *o, struct err *e)
{
	for (const char *at = o->units, *next; at; at = *next ? next + 1 : NULL) {
		size_t length = strcspn(at, ",");
		unsigned bit = unit_of(at, length);

		next = at + length;
		if (!bit)
			return err_set(e, STATUS_USAGE, "--units %s: unknown unit '%.*s', expected one or more of"
#define U(name, text) " " text
#include "../../isa/simd_unit.def"
#undef U
				       ,
				       o->units, (int)length, at);
		o->unit_bits |= bit;
	}
	if (o->unit_bits && !o->pes)
		return err_set(e, STATUS_USAGE, "--units %s: expected an array, not --pes 0", o->units);
	return 0;
}

/* Refuses what --check-simd cannot go with. */
static int check_rules(const struct record_settings *o, struct err *e)
{
	if (!o->check_simd)
		return 0;
	if (!o->no_trace)
		return err_set(e, STATUS_USAGE,
			       "--check-simd: expected --no-trace, since loops run on the array and in scalar order");
	if (!o->pes)
		return err_set(e, STATUS_USAGE, "--check-simd: expected an array, not --pes 0");
	if (o->fma)
		return err_set(e, STATUS_USAGE,
			       "--check-simd: expected --fma unfused: which product joins an addition is the "
			       "compiler's choice, and fused it changes the rounding");
	return o->env.count < OPT_LIST_MAX ? 0 : err_set(e, STATUS_USAGE, "--check-simd: too many --env");
}

/* Checks the options, and that the output can be written, before the program runs. */
static int record_check_settings(const struct record_settings *o, struct err *e)
{
	if (o->pes > SIMD_PES_MAX)
		return err_set(e, STATUS_USAGE,
			       "--pes %" PRIu64 ": expected at most %d (0: no SIMD "
			       "array)",
			       o->pes, SIMD_PES_MAX);
	if (o->processors < 1 || o->processors > GUEST_THREADS)
		return err_set(e, STATUS_USAGE, "--cpus %" PRIu64 ": expected 1 to %d", o->processors, GUEST_THREADS);
	if (check_rules(o, e) < 0)
		return -1;
	for (unsigned n = 0; n < o->env.count; n++)
		if (!strchr(o->env.item[n], '='))
			return err_set(e, STATUS_USAGE, "--env %s: expected VAR=VALUE", o->env.item[n]);
	if (o->no_trace)
		return 0;
	if (!o->output)
		return err_set(e, STATUS_USAGE, "no output, expected -o FILE or --no-trace");
	return out_can_create(o->output, e);
}

static bool is_set(const struct opt_list *env, const char *name)
{
	for (unsigned n = 0; n < env->count; n++)
		if (strncmp(env->item[n], name, strlen(name)) == 0)
			return true;
	return false;
}

static int session_run(struct session *s, struct err *e)
{
	const struct record_settings *o = s->settings;
	struct opt_list env = o->env;
	if (o->check_simd && env.count < OPT_LIST_MAX)
		env.item[env.count++] = "PSIM_NEST_CHECK=1";
	/* a thread that waits in a loop would be recorded with rounds of which the order of turns decides */
	if (o->processors > 1 && env.count < OPT_LIST_MAX && !is_set(&env, "OMP_WAIT_POLICY="))
		env.item[env.count++] = "OMP_WAIT_POLICY=passive";
	struct guest_options go = {
		.program = s->path,
		.name = s->args[0],
		.read_only = o->sandbox,
		.args = s->args,
		.arg_count = s->arg_count,
		.env = (char *const *)env.item,
		.env_count = env.count,
		.stack_bytes = o->stack,
		.memory_bytes = o->memory,
		.random_seed = o->seed,
		.host_time = o->host_time,
		.fma_fused = o->fma,
		.processors = (unsigned)o->processors,
		.pes = (unsigned)o->pes,
		.sbm_bytes = (uint32_t)o->sbm,
		.units = o->unit_bits,
		.trace_on_stdout = !o->no_trace && o->output && strcmp(o->output, "-") == 0,
		.warn = record_warn,
		.user = s,
	};
	if (record_check_settings(o, e) < 0)
		return -1;
	const char *const outputs[] = {o->no_trace ? NULL : o->output, o->log_path};
	if (o->sandbox && sandbox_enter(s->path, outputs, 2, e) < 0)
		return -1;
	s->guest = guest_create(&go, e);
	if (!s->guest)
		return -1;
	struct out *log = o->log_path ? out_create(o->log_path, e) : NULL;
	if (o->log_path && !log)
		return -1;
	int status = run_record(s, log ? out_file(log) : NULL, e);
	if (log && status < 0)
		out_abort(log);
	else if (log && out_close(log, e) < 0)
		status = -1;
	return status;
}

/*
 * The path that the program sees as its own, which is on its stack. Without its folder, data have the same addresses
 * wherever the file is.
 */
static char *seen_path(const struct session *s, char *here, size_t size)
{
	if (s->settings->name)
		return (char *)s->settings->name;
	snprintf(here, size, "./%s", file_name(s->path));
	return here;
}

int record_program(const struct opt_program *program, struct record_settings *o, char **args, unsigned count)
{
	struct session s = {.program = program, .settings = o, .path = args[0], .args = args, .arg_count = count};
	struct err e;
	char here[NAME_MAX + 3];
	s.args[0] = seen_path(&s, here, sizeof(here));
	bool good = check_name(o, &e) == 0 && read_sbm(o, &e) == 0 && read_pe_units(o, &e) == 0;
	int status = good ? session_run(&s, &e) : -1;
	guest_destroy(s.guest);
	return status < 0 ? opt_fail(program, &e) : status;
}
