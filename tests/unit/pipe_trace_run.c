#include "pipe_trace_run.h"

#include <stdlib.h>

static void die(const char *what, const struct err *e)
{
	fprintf(stderr, "pipe_trace_run: %s: %s\n", what, e->text);
	exit(1);
}

static struct config *configure(struct core_config *cfg, const char *const *overrides)
{
	static const char *const perfect[] = {"l1i.perfect=yes", "l1d.perfect=yes", "tlb.perfect=yes", NULL};
	struct config *config = config_create();
	struct err e;

	core_config_add(config, cfg);
	for (const char *const *o = perfect; *o; o++)
		if (config_override(config, *o, "test", &e) < 0)
			die(*o, &e);
	for (; overrides && *overrides; overrides++)
		if (config_override(config, *overrides, "test", &e) < 0)
			die(*overrides, &e);
	if (core_config_check(config, cfg, &e) < 0)
		die("configuration", &e);
	return config;
}

char *pipe_trace_run(struct trace_maker *m, const char *const *overrides, enum pipe_trace_format format,
		     const struct pipe_trace_window *window, int *status)
{
	const struct pipe_trace_window all = {.count = UINT64_MAX};
	struct trace_reader *trace = trace_maker_open(m);
	struct core_options options = {.hooks = &whole_core, .check = true};
	struct core_config cfg;
	struct config *config = configure(&cfg, overrides);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct core *core;
	struct err e = {0};

	options.pipe_trace = pipe_trace_create(out, format, &cfg, trace_info(trace), window ? window : &all, NULL, &e);
	if (!options.pipe_trace)
		die("pipe trace", &e);
	core = core_create(&cfg, trace, &options, &e);
	if (!core || core_run(core, UINT64_MAX, &e) < 0)
		die("core", &e);
	if (pipe_trace_finish(options.pipe_trace, &e) < 0 && !status)
		die("pipe trace", &e);
	if (status)
		*status = (int)e.status;
	fclose(out);
	core_destroy(core);
	trace_close(trace);
	config_destroy(config);
	return text;
}
