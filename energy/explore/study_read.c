/* Reads the study file: sections and values, each checked with its line. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/input.h"
#include "../../psim/base/config/ini_file.h"
#include "../../psim/base/mem.h"
#include "point_kind.h"
#include "study_state.h"

enum part { PART_HEAD, PART_SET, PART_SWEEP, PART_PAIR, PART_TRACES, PART_WEIGHTS, PART_LIMITS };

struct reading {
	struct study *study;
	enum part part;
	size_t pair; /* the axis of the current [pair] */
};

__attribute__((format(printf, 3, 4))) static int study_read_fail(const struct ini_place *at, struct err *e,
								 const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	err_vset(e, STATUS_USAGE, format, ap);
	va_end(ap);
	return err_prefix(e, "%s:%u", at->path, at->line);
}

static int study_read_place(const struct ini_place *at, struct err *e)
{
	return err_prefix(e, "%s:%u", at->path, at->line);
}

/* ---- sections ---- */
static int begin_pair(struct reading *r, const struct ini_place *at, const char *name, struct err *e)
{
	struct study_axes *axes = &r->study->axes;
	struct study_axis *axis;

	name += strspn(name, " \t");
	if (!*name)
		return study_read_fail(at, e, "a pair without a name, expected [pair NAME]");
	for (size_t n = 0; n < axes->count; n++)
		if (axes->at[n].name && !strcmp(axes->at[n].name, name))
			return study_read_fail(at, e, "duplicate [pair %s], first in line %u, expected another name",
					       name, axes->at[n].line);
	axis = vec_push(axes, e);
	if (!axis)
		return -1;
	*axis = (struct study_axis){.name = mem_copy_text(name, e), .line = at->line};
	r->pair = axes->count - 1;
	r->part = PART_PAIR;
	return axis->name ? 0 : -1;
}

static int section(void *user, const struct ini_place *at, const char *name, struct err *e)
{
	struct reading *r = user;
	const struct {
		const char *name;
		enum part part;
	} parts[] = {
		{"set", PART_SET},         {"sweep", PART_SWEEP},   {r->study->kind->section, PART_TRACES},
		{"weights", PART_WEIGHTS}, {"limits", PART_LIMITS},
	};
	if (!strncmp(name, "pair", 4) && (!name[4] || strchr(" \t", name[4])))
		return begin_pair(r, at, name + 4, e);
	for (size_t n = 0; n < sizeof(parts) / sizeof(parts[0]); n++) {
		if (!strcmp(name, parts[n].name)) {
			r->part = parts[n].part;
			return 0;
		}
	}
	return study_read_fail(
		at, e, "unknown section [%s], expected [set], [sweep], [pair NAME], [%s], [weights] or [limits]", name,
		r->study->kind->section);
}

/* ---- values ---- */
static int is_input(void *user, const char *path)
{
	(void)user;
	(void)path;
	return -1;
}

/* Takes the simulator, whose parameters the lines behind it have. */
static int study_read_simulator(struct study *s, const struct ini_place *at, const char *value, struct err *e)
{
	const struct point_kind *kind = point_kind_find(value, e);

	if (!kind)
		return study_read_place(at, e);
	if (config_each_input(s->config, is_input, NULL) < 0)
		return study_read_fail(at, e, "simulator behind base, expected it before");
	if (s->kind != &point_kind_psim)
		return study_read_fail(at, e, "simulator a second time, expected it once");
	return kind == s->kind ? 0 : study_use_kind(s, kind, e);
}

static int study_read_runs(struct study *s, const struct ini_place *at, const char *value, struct err *e)
{
	char *end;

	s->runs = *value >= '0' && *value <= '9' ? strtoull(value, &end, 10) : 0;
	if (!s->runs || *end || s->runs > STUDY_RUNS_MAX)
		return study_read_fail(at, e, "runs %s, expected 1 to %d", value, STUDY_RUNS_MAX);
	return 0;
}

/* Takes the plan of units, which is checked with the traces' lengths, but for its words. */
static int study_read_sample(struct study *s, const struct ini_place *at, const char *value, struct err *e)
{
	char text[POINT_UNITS_TEXT_MAX];
	struct sample_plan plan;
	int ret = point_units_plan(value, 0, &plan, text, e);

	if (ret < 0)
		return study_read_place(at, e);
	free(s->sample);
	s->sample = mem_copy_text(value, e);
	return s->sample ? 0 : -1;
}

static int study_read_head(struct study *s, const struct ini_place *at, const char *key, const char *value,
			   struct err *e)
{
	char *path;
	int ret;

	if (!strcmp(key, "title")) {
		free(s->title);
		s->title = mem_copy_text(value, e);
		return s->title ? 0 : -1;
	}
	if (!strcmp(key, "runs"))
		return study_read_runs(s, at, value, e);
	if (!strcmp(key, "sample"))
		return study_read_sample(s, at, value, e);
	if (!strcmp(key, "simulator"))
		return study_read_simulator(s, at, value, e);
	if (strcmp(key, "base") != 0)
		return study_read_fail(
			at, e, "%s before the first section, expected title, base, runs, sample or simulator", key);
	path = study_relative(s, value, e);
	if (!path)
		return -1;
	ret = config_read(s->config, path, e);
	free(path);
	return ret < 0 ? study_read_place(at, e) : 0;
}

/* The line of the study that sets `p`, 0 if none. */
static unsigned line_of(const struct study *s, const struct param *p)
{
	const char *origin = config_origin(s->config, p->section, p->key);
	size_t length = strlen(s->path);

	for (size_t n = 0; n < study_param_count(s); n++)
		if (study_param(s, n)->param == p)
			return study_param(s, n)->line;
	if (!strncmp(origin, s->path, length) && origin[length] == ':')
		return (unsigned)strtoul(origin + length + 1, NULL, 10);
	return 0;
}

static int check_unique(const struct study *s, const struct ini_place *at, const struct param *p, struct err *e)
{
	unsigned line = line_of(s, p);

	return line ? study_read_fail(at, e, "duplicate %s.%s, first in line %u, expected it once", p->section, p->key,
				      line)
		    : 0;
}

static int study_read_set(struct study *s, const struct ini_place *at, const char *key, const char *value,
			  struct err *e)
{
	const struct param *p = study_find_param(s, key, strlen(key));
	char text[512], origin[1024];

	if (p && check_unique(s, at, p, e) < 0)
		return -1;
	snprintf(text, sizeof(text), "%s=%s", key, value);
	snprintf(origin, sizeof(origin), "%s:%u", at->path, at->line);
	return config_override(s->config, text, origin, e);
}

/* The row of a key; the configuration reports an unknown key. */
static const struct param *study_read_find(struct study *s, const struct ini_place *at, const char *key, struct err *e)
{
	const struct param *p = study_find_param(s, key, strlen(key));
	bool made = !p;
	char place[1024];

	if (!p && !strchr(key, '.'))
		study_read_fail(at, e, "unknown parameter '%s', expected section.key", key);
	else if (!p && study_read_set(s, at, key, "0", e) == 0) /* of a section whose keys are the user's own */
		p = study_find_param(s, key, strlen(key));
	snprintf(place, sizeof(place), "%s:%u", at->path, at->line);
	if (p && !config_present_key(s->config, place, p->section, strrchr(key, '.') + 1, e))
		return NULL;
	return p && (made || check_unique(s, at, p, e) == 0) ? p : NULL;
}

static int vary(struct study_axis *axis, const struct param *p, const struct ini_place *at, const char *value,
		struct err *e)
{
	struct study_param *here = vec_push(&axis->params, e);

	if (!here)
		return -1;
	*here = (struct study_param){.param = p, .line = at->line};
	if (values_read(p, value, !axis->name, &here->values, e) < 0) {
		err_prefix(e, "%s.%s", p->section, p->key);
		return study_read_place(at, e);
	}
	if (here->values.count != axis->params.at[0].values.count)
		return study_read_fail(at, e, "%s.%s has %zu values, expected %zu, as many as %s.%s in line %u",
				       p->section, p->key, here->values.count, axis->params.at[0].values.count,
				       axis->params.at[0].param->section, axis->params.at[0].param->key,
				       axis->params.at[0].line);
	return 0;
}

static int study_read_sweep(struct study *s, const struct ini_place *at, const char *key, const char *value,
			    struct err *e)
{
	const struct param *p = study_read_find(s, at, key, e);
	struct study_axis *axis;

	if (!p)
		return -1;
	axis = vec_push(&s->axes, e);
	if (!axis)
		return -1;
	*axis = (struct study_axis){.line = at->line};
	return vary(axis, p, at, value, e);
}

static int pair(struct reading *r, const struct ini_place *at, const char *key, const char *value, struct err *e)
{
	const struct param *p = study_read_find(r->study, at, key, e);

	return p ? vary(&r->study->axes.at[r->pair], p, at, value, e) : -1;
}

/* Checks that every {section.key} of a trace's path is a parameter. */
static int check_template(const struct study *s, const struct ini_place *at, const char *path, struct err *e)
{
	for (const char *c = path; (c = strpbrk(c, "{}")) != NULL;) {
		size_t length = strcspn(c + 1, "}");

		if (*c == '}' || !c[1 + length])
			return study_read_fail(at, e, "\"%s\" has an unmatched brace, expected {section.key}", path);
		if (!study_find_param(s, c + 1, length))
			return study_read_fail(at, e,
					       "unknown parameter {%.*s}, expected {section.key} from --list-params",
					       (int)length, c + 1);
		c += length + 2;
	}
	return 0;
}

static int trace(struct study *s, const struct ini_place *at, const char *key, const char *value, struct err *e)
{
	struct study_trace *t;

	for (size_t n = 0; n < s->traces.count; n++)
		if (!strcmp(s->traces.at[n].name, key))
			return study_read_fail(at, e, "duplicate %s %s, first in line %u, expected another name",
					       s->kind->input, key, s->traces.at[n].line);
	if (!*value || !strcmp(value, "-"))
		return study_read_fail(at, e, "%s %s has no file, expected NAME = FILE", s->kind->input, key);
	if (check_template(s, at, value, e) < 0)
		return -1;
	t = vec_push(&s->traces, e);
	if (!t)
		return -1;
	*t = (struct study_trace){mem_copy_text(key, e), mem_copy_text(value, e), at->line, 1};
	return t->name && t->path ? 0 : mem_short(e);
}

static int weight(struct study *s, const struct ini_place *at, const char *key, const char *value, struct err *e)
{
	char *end;
	double w = strtod(value, &end);

	if (end == value || *end || !(w > 0 && w <= 1e9))
		return study_read_fail(at, e, "weight %s of %s, expected a number above 0", value, key);
	for (size_t n = 0; n < s->traces.count; n++) {
		if (strcmp(s->traces.at[n].name, key) != 0)
			continue;
		s->traces.at[n].weight = w;
		return 0;
	}
	return study_read_fail(at, e, "weight of unknown trace %s, expected one of the traces above", key);
}

static int limit(struct study *s, const struct ini_place *at, const char *key, const char *value, struct err *e)
{
	struct study_limit *l;

	for (size_t n = 0; n < s->limits.count; n++)
		if (!strcmp(s->limits.at[n].name, key))
			return study_read_fail(at, e, "duplicate limit %s, first in line %u, expected it once", key,
					       s->limits.at[n].line);
	l = vec_push(&s->limits, e);
	if (!l)
		return -1;
	*l = (struct study_limit){mem_copy_text(key, e), mem_copy_text(value, e), at->line};
	return l->name && l->value ? 0 : mem_short(e);
}

static int read_key(void *user, const struct ini_place *at, const char *section_name, const char *key,
		    const char *value, struct err *e)
{
	struct reading *r = user;

	(void)section_name; /* `part` identifies the section */
	switch (r->part) {
	case PART_HEAD: return study_read_head(r->study, at, key, value, e);
	case PART_SET: return study_read_set(r->study, at, key, value, e);
	case PART_SWEEP: return study_read_sweep(r->study, at, key, value, e);
	case PART_PAIR: return pair(r, at, key, value, e);
	case PART_TRACES: return trace(r->study, at, key, value, e);
	case PART_WEIGHTS: return weight(r->study, at, key, value, e);
	case PART_LIMITS: return limit(r->study, at, key, value, e);
	}
	return -1;
}

/* ---- the whole ---- */
static bool same_position(const struct study_axis *a, size_t x, size_t y)
{
	for (size_t n = 0; n < a->params.count; n++)
		if (strcmp(a->params.at[n].values.at[x], a->params.at[n].values.at[y]) != 0)
			return false;
	return true;
}

/* Checks a pair: single values may repeat, but no two positions may be equal. */
static int check_pair(const struct study *s, const struct study_axis *a, struct err *e)
{
	if (!a->params.count)
		return err_set(e, STATUS_USAGE, "%s:%u: [pair %s] is empty, expected section.key = VALUES", s->path,
			       a->line, a->name);
	for (size_t y = 1; y < a->params.at[0].values.count; y++)
		for (size_t x = 0; x < y; x++)
			if (same_position(a, x, y))
				return err_set(
					e, STATUS_USAGE,
					"%s:%u: values %zu and %zu of [pair %s] are equal, expected different ones",
					s->path, a->line, x + 1, y + 1, a->name);
	return 0;
}

static int check_whole(const struct study *s, struct err *e)
{
	if (s->sample && (s->runs > 1 || s->kind != &point_kind_psim))
		return err_set(e, STATUS_USAGE, "%s: sample = %s and %s, expected one of them", s->path, s->sample,
			       s->runs > 1 ? "several runs" : "a study of systems");
	for (size_t n = 0; n < s->axes.count; n++)
		if (s->axes.at[n].name && check_pair(s, &s->axes.at[n], e) < 0)
			return -1;
	if (!s->traces.count)
		return err_set(e, STATUS_USAGE, "%s: no %ss, expected [%s] with NAME = FILE", s->path, s->kind->input,
			       s->kind->section);
	return 0;
}

int study_read(struct study *s, struct err *e)
{
	struct reading r = {.study = s};
	const struct ini_client client = {section, read_key, &r};
	FILE *file = input_plain(s->path);
	int ret;

	if (!file)
		return err_set(e, err_errno(STATUS_USAGE), "%s: cannot open: %s", s->path, strerror(errno));
	ret = ini_file_read(file, s->path, &client, e);
	fclose(file);
	return ret < 0 ? -1 : check_whole(s, e);
}
