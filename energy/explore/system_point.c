/* Points of systems: programs on virtual ranks, and traffic, on simulated networks (bsim, nsim). */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <zlib.h>

#include "../../psim/base/config/config_find.h"
#include "../../psim/base/input.h"
#include "../../psim/base/mem.h"
#include "system_point.h"

#include "../../psim/base/config/config_sections.h" /* after the structs of the same rows */

static void own_add(struct config *c, struct system_own *target)
{
#include "system_params.def"
}

static int system_config_add(struct study *s, struct err *e)
{
	struct config *c = s->config;

	s->system = mem_alloc(1, sizeof(*s->system), e);
	if (!s->system)
		return -1;
	topology_config_add(c, &s->system->topology);
	net_config_add(c, &s->system->net);
	vmpi_config_add(c, &s->system->vmpi);
	power_config_add(c, &s->system->power);
	cost_config_add(c, &s->system->cost);
	reliability_config_add(c, &s->system->reliability);
	own_add(c, &s->system->own);
	config_add_open(c, "models", "time models by name: NAME = FILE [FACTOR]; FILE is relative to this file", true);
	config_add_open(c, "skeleton", "parameters of skeletons: NAME = NUMBER", false);
	config_add_open(c, "arguments", "words of programs' arguments: NAME = WORD", false);
	if (config_override(c, "cost.node=1", "psim-explore", e) < 0)
		return -1;
	return s->kind == &point_kind_bsim ? config_override(c, "engine.kind=linear", "bsim", e) : 0;
}

static void system_config_free(struct study *s)
{
	free(s->system);
}

static int system_check(struct study *s, struct err *e)
{
	struct system_config *x = s->system;

	if (topology_config_check(s->config, &x->topology, e) < 0 || net_config_check(s->config, &x->net, e) < 0 ||
	    power_config_check(s->config, &x->power, e) < 0 ||
	    reliability_config_check(s->config, &x->reliability, e) < 0)
		return -1;
	return vmpi_config_check(s->config, &x->vmpi, e);
}

/* ---- identity ---- */

static int add_content(const char *path, uLong *crc, struct err *e)
{
	unsigned char block[65536];
	size_t got;
	FILE *f = input_plain(path);

	if (!f)
		return err_set(e, err_errno(STATUS_USAGE), "%s: cannot open: %s", path, strerror(errno));
	while ((got = fread(block, 1, sizeof(block), f)) > 0)
		*crc = crc32(*crc, block, (uInt)got);
	got = ferror(f) != 0;
	fclose(f);
	return got ? err_set(e, STATUS_FAILED, "%s: cannot read", path) : 0;
}

struct contents {
	uLong crc;
	int ret;
	struct err *e;
};

/* Adds the contents of a file that a parameter names; a model's name may have a factor behind it. */
static void add_file(void *user, const struct param *p, const char *value, const char *origin)
{
	struct contents *c = user;
	bool model = !strcmp(p->section, "models");
	char path[PARAM_TEXT_MAX], found[PATH_MAX];

	(void)origin;
	if (c->ret < 0 || !*value || (p->type != PARAM_PATH && !model))
		return;
	snprintf(path, sizeof(path), "%s", value);
	if (model)
		path[strcspn(path, " \t*")] = '\0';
	c->ret = add_content(config_find(path, found), &c->crc, c->e);
}

static int system_identity(const struct study *s, char text[POINT_IDENTITY_MAX], struct err *e)
{
	struct contents c = {.crc = crc32(0, NULL, 0), .e = e};

	config_visit(s->config, add_file, &c);
	snprintf(text, POINT_IDENTITY_MAX, "%s %08lx\n", s->kind->name, c.crc);
	return c.ret;
}

/* Returns whether the words begin with a program; else they are options, as --pattern. */
static bool program_is_file(const char *words)
{
	return words[0] != '-';
}

/* The words without the folder of the program. */
static const char *words_of(const char *path)
{
	size_t program = strcspn(path, " \t");
	const char *words = path;

	for (size_t n = 0; program_is_file(path) && n < program; n++)
		words = path[n] == '/' ? path + n + 1 : words;
	return words;
}

/* Adds the content of each file that a word names, as it is or behind a `=`; words with {…} name none before a run. */
static int add_files_of(const char *words, uLong *crc, struct err *e)
{
	char path[PATH_MAX];
	struct stat about;

	for (const char *at = words; *at; at += strspn(at, " \t")) {
		const size_t length = strcspn(at, " \t");
		const char *equals = memchr(at, '=', length), *file = equals ? equals + 1 : at;

		snprintf(path, sizeof(path), "%.*s", (int)(at + length - file), file);
		if (stat(path, &about) == 0 && S_ISREG(about.st_mode) && add_content(path, crc, e) < 0)
			return -1;
		at += length;
	}
	return 0;
}

/* The program's content, the words, and the files that they name identify it. */
static int open_program(struct plan_file *f, struct err *e)
{
	const char *words = words_of(f->path);
	uLong crc = crc32(crc32(0, NULL, 0), (const Bytef *)words, (uInt)strlen(words));
	char *program = mem_copy_text(f->path, e);
	int ret = program ? 0 : -1;

	if (program && program_is_file(program)) {
		program[strcspn(program, " \t")] = '\0';
		ret = add_content(program, &crc, e);
	}
	if (ret == 0)
		ret = add_files_of(f->path + (program_is_file(f->path) ? strcspn(f->path, " \t") : 0), &crc, e);
	free(program);
	f->program = mem_copy_text(words, e);
	f->checksum = (uint32_t)crc;
	f->length = 1;
	return f->program ? ret : -1;
}

/* ---- columns ---- */

static bool system_has_figure(unsigned figure)
{
	static const enum figure figures[] = {
		FIGURE_runs,
		FIGURE_seconds_error,
		FIGURE_system_error_j,
#define S(figure, table, key, factor) FIGURE_##figure,
#include "system_figures.def"
#undef S
	};

	for (size_t n = 0; n < sizeof(figures) / sizeof(figures[0]); n++)
		if (figures[n] == figure)
			return true;
	return false;
}

static const struct config_use system_uses[] = {
#define USE(keys, when) {keys, when, false},
#include "../../netlink/engine/net_uses.def"
#include "../../netlink/power/power_uses.def"
#include "../../netlink/cost/cost_uses.def"
#include "../../netlink/reliability/reliability_uses.def"
#include "../../netlink/vmpi/vmpi_uses.def"
#undef USE
	{NULL, NULL, false},
};

#define SYSTEM(id, about) \
	const struct point_kind point_kind_##id = { \
		.name = #id, \
		.doc = about, \
		.section = "programs", \
		.input = "program", \
		.unit = "run", \
		.config_add = system_config_add, \
		.config_free = system_config_free, \
		.check = system_check, \
		.uses = system_uses, \
		.identity = system_identity, \
		.open = open_program, \
		.is_file = program_is_file, \
		.run = system_run, \
		.has_figure = system_has_figure, \
		.cost = "cost", \
	};
SYSTEM(bsim, "skeletons on a system")
SYSTEM(nsim, "programs and traffic on a system")
#undef SYSTEM
