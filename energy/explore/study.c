#include "study.h"

#include <stdio.h>
#include <string.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/renamed.h"
#include "../../psim/base/config/value.h"
#include "point_kind.h"
#include "study_state.h"

enum { STUDY_NAME_MAX = 128 }; /* bytes of section.key */

/* ---- rows and values by name ---- */
struct search {
	const char *name;
	size_t length;
	const struct param *found;
	char value[VALUE_TEXT_MAX];
};

static void match_param(void *user, const struct param *p, const char *value, const char *origin)
{
	struct search *s = user;
	size_t section = strlen(p->section), key = strlen(p->key);

	(void)origin;
	if (s->length != section + 1 + key || strncmp(s->name, p->section, section) != 0 || s->name[section] != '.' ||
	    strncmp(s->name + section + 1, p->key, key) != 0)
		return;
	s->found = p;
	snprintf(s->value, sizeof(s->value), "%s", value);
}

/* The row of section.key, which has `length` bytes, also by its name in the last release. */
static struct search search_row(const struct study *s, const char *name, size_t length)
{
	struct search search = {.name = name, .length = length};
	char given[STUDY_NAME_MAX], present[STUDY_NAME_MAX];

	config_visit(s->config, match_param, &search);
	if (search.found || length >= sizeof(given))
		return search;
	snprintf(given, sizeof(given), "%.*s", (int)length, name);
	if (renamed_path(given, present, sizeof(present))) {
		search = (struct search){.name = present, .length = strlen(present)};
		config_visit(s->config, match_param, &search);
	}
	return search;
}

const struct param *study_find_param(const struct study *s, const char *name, size_t length)
{
	return search_row(s, name, length).found;
}

/* ---- combinations ---- */
size_t study_axis_length(const struct study_axis *a)
{
	return a->params.at[0].values.count;
}

/* Returns whether the first `count` parameters of an axis are the same at two positions. */
static bool same_values(const struct study_axis *a, size_t count, size_t y, size_t z)
{
	for (size_t n = 0; n < count; n++)
		if (strcmp(a->params.at[n].values.at[y], a->params.at[n].values.at[z]) != 0)
			return false;
	return true;
}

bool study_axis_shows(const struct study_axis *a, size_t n)
{
	for (size_t y = 0; n && y < study_axis_length(a); y++)
		for (size_t z = 0; z < y; z++)
			if (same_values(a, n, y, z) && !same_values(a, n + 1, y, z))
				return true;
	return !n;
}

void study_axis_value(const struct study_axis *a, size_t position, char text[STUDY_LABEL_MAX])
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t n = 0; n < a->params.count && used < STUDY_LABEL_MAX; n++)
		if (study_axis_shows(a, n))
			used += (size_t)snprintf(text + used, STUDY_LABEL_MAX - used, "%s%s", n ? " " : "",
						 a->params.at[n].values.at[position]);
}

size_t study_axis_position(const struct study *s, size_t axis, size_t combination)
{
	return combination / study_axis_step(s, axis) % study_axis_length(&s->axes.at[axis]);
}

size_t study_param_count(const struct study *s)
{
	size_t count = 0;

	for (size_t n = 0; n < s->axes.count; n++)
		count += s->axes.at[n].params.count;
	return count;
}

/* The n-th parameter and its axis. */
static const struct study_param *locate(const struct study *s, size_t n, size_t *axis)
{
	for (*axis = 0; n >= s->axes.at[*axis].params.count; ++*axis)
		n -= s->axes.at[*axis].params.count;
	return &s->axes.at[*axis].params.at[n];
}

const struct study_param *study_param(const struct study *s, size_t n)
{
	size_t axis;

	return locate(s, n, &axis);
}

size_t study_axis_step(const struct study *s, size_t axis)
{
	size_t step = 1;

	while (++axis < s->axes.count)
		step *= study_axis_length(&s->axes.at[axis]);
	return step;
}

const char *study_value(const struct study *s, size_t combination, size_t n)
{
	size_t axis;
	const struct study_param *p = locate(s, n, &axis);

	combination /= study_axis_step(s, axis);
	return p->values.at[combination % p->values.count];
}

void study_label(const struct study *s, size_t combination, char text[STUDY_LABEL_MAX])
{
	size_t used = 0, count = study_param_count(s);

	snprintf(text, STUDY_LABEL_MAX, "base");
	for (size_t n = 0; n < count && used < STUDY_LABEL_MAX; n++) {
		const struct param *p = study_param(s, n)->param;

		used += (size_t)snprintf(text + used, STUDY_LABEL_MAX - used, "%s%s.%s=%s", n ? " " : "", p->section,
					 p->key, study_value(s, combination, n));
	}
}

static int assign(struct study *s, size_t combination, size_t n, struct err *e)
{
	const struct study_param *p = study_param(s, n);
	char text[2 * VALUE_TEXT_MAX], origin[1024];

	snprintf(text, sizeof(text), "%s.%s=%s", p->param->section, p->param->key, study_value(s, combination, n));
	snprintf(origin, sizeof(origin), "%s:%u", s->path, p->line);
	return config_override(s->config, text, origin, e);
}

int study_configure(struct study *s, size_t combination, struct err *e)
{
	size_t count = study_param_count(s);
	char label[STUDY_LABEL_MAX];
	struct err rule;

	for (size_t n = 0; n < count; n++)
		if (assign(s, combination, n, e) < 0)
			return -1;
	if (s->kind->check(s, &rule) == 0)
		return 0;
	study_label(s, combination, label);
	return err_set(e, rule.status, "%s (%s)", rule.text, label);
}

/* ---- paths ---- */
char *study_relative(const struct study *s, const char *path, struct err *e)
{
	const char *slash = strrchr(s->path, '/');
	size_t room = strlen(s->path) + strlen(path) + 2;
	char *whole = mem_alloc(room, 1, e);

	if (whole && slash && path[0] != '/')
		snprintf(whole, room, "%.*s%s", (int)(slash - s->path) + 1, s->path, path);
	else if (whole)
		snprintf(whole, room, "%s", path);
	return whole;
}

char *study_trace_path(const struct study *s, const struct study_trace *t, struct err *e)
{
	char *text = NULL, *path;
	size_t size;
	bool failed;
	FILE *f = open_memstream(&text, &size);

	if (!f) {
		mem_short(e);
		return NULL;
	}
	for (const char *c = t->path; *c; c++) {
		size_t length = strcspn(c, "}") - 1;

		if (*c != '{') {
			fputc(*c, f);
			continue;
		}
		fputs(search_row(s, c + 1, length).value, f);
		c += length + 1;
	}
	failed = ferror(f) != 0;
	if (fclose(f) || failed || !text) { /* glibc: a buffer that cannot be made is no error of fclose */
		mem_short(e);
		free(text);
		return NULL;
	}
	path = s->kind->is_file(text) ? study_relative(s, text, e) : mem_copy_text(text, e);
	free(text);
	return path;
}

/* ---- life ---- */
static size_t study_product(const struct study *s)
{
	size_t count = 1;

	for (size_t n = 0; n < s->axes.count && count <= STUDY_POINTS_MAX; n++)
		count *= study_axis_length(&s->axes.at[n]);
	return count;
}

int study_use_kind(struct study *s, const struct point_kind *kind, struct err *e)
{
	config_destroy(s->config);
	s->kind = kind;
	s->config = config_create();
	return s->config ? kind->config_add(s, e) : mem_short(e);
}

struct study *study_open(const char *path, struct err *e)
{
	struct study *s = mem_alloc(1, sizeof(*s), e);

	if (!s)
		return NULL;
	s->runs = 1;
	s->path = mem_copy_text(path, e);
	if (!s->path || study_use_kind(s, &point_kind_psim, e) < 0 || study_read(s, e) < 0) {
		study_close(s);
		return NULL;
	}
	s->combinations = study_product(s);
	if (s->combinations * s->traces.count > STUDY_POINTS_MAX) {
		err_set(e, STATUS_USAGE, "%s: too many points, expected at most %d", path, STUDY_POINTS_MAX);
		study_close(s);
		return NULL;
	}
	return s;
}

void study_close(struct study *s)
{
	if (!s)
		return;
	for (size_t n = 0; n < s->axes.count; n++) {
		struct study_axis *a = &s->axes.at[n];

		for (size_t p = 0; p < a->params.count; p++)
			values_finish(&a->params.at[p].values);
		vec_finish(&a->params);
		free(a->name);
	}
	vec_finish(&s->axes);
	for (size_t n = 0; n < s->traces.count; n++) {
		free(s->traces.at[n].name);
		free(s->traces.at[n].path);
	}
	vec_finish(&s->traces);
	for (size_t n = 0; n < s->limits.count; n++) {
		free(s->limits.at[n].name);
		free(s->limits.at[n].value);
	}
	vec_finish(&s->limits);
	config_destroy(s->config);
	if (s->kind && s->kind->config_free)
		s->kind->config_free(s);
	free(s->title);
	free(s->sample);
	free(s->path);
	free(s);
}
