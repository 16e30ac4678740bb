/* Reads configuration files, and the files that they inherit. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "config_find.h"
#include "config_rows.h"
#include "ini_file.h"
#include "../input.h"
#include "../mem.h"

enum { DEPTH_MAX = 16, PLACE_MAX = 1024 };

struct reading {
	struct config *config;
	const char *path;
	const struct reading *outer; /* the file that inherits this one */
	unsigned depth, line;        /* line: that of its `inherit`, while that file is read */
};

static int config_read_file(struct config *c, const char *path, const struct reading *outer, struct err *e);

/* Checks the name here, since a misspelt section may have no keys. */
static int config_read_enter_section(void *user, const struct ini_place *at, const char *name, struct err *e)
{
	const struct reading *r = user;
	char place[PLACE_MAX];

	if (config_has_section(r->config, name))
		return 0;
	snprintf(place, sizeof(place), "%s:%u", at->path, at->line);
	return config_unknown_section(r->config, place, name, e);
}

/* Reads the file of "inherit = other.ini", relative to the folder of the present one. */
static int inherit(struct reading *r, const char *value, struct err *e)
{
	const char *slash = strrchr(r->path, '/');
	size_t room = strlen(r->path) + strlen(value) + 2;
	char *path, found[PATH_MAX];
	const char *other;
	int result;

	if (r->depth >= DEPTH_MAX)
		return err_set(e, STATUS_USAGE, "%s:%u: inherit: too deep, expected at most %d files", r->path, r->line,
			       DEPTH_MAX);
	path = mem_alloc(room, 1, e);
	if (!path)
		return -1;
	if (slash && value[0] != '/')
		snprintf(path, room, "%.*s%s", (int)(slash - r->path) + 1, r->path, value);
	else
		snprintf(path, room, "%s", value);
	other = access(path, F_OK) ? config_find(value, found) : path;
	result = config_read_file(r->config, other == value ? path : other, r, e);
	free(path);
	return result;
}

static int config_read_take(void *user, const struct ini_place *at, const char *section, const char *key,
			    const char *value, struct err *e)
{
	struct reading *r = user;
	char place[PLACE_MAX];

	snprintf(place, sizeof(place), "%s:%u", at->path, at->line);
	if (section)
		return config_assign(r->config, place, section, key, value, e);
	r->line = at->line;
	if (!strcmp(key, "inherit"))
		return inherit(r, value, e);
	if (!strcmp(key, "unused") && !strcmp(value, "allowed")) {
		r->config->allow_unused = true;
		return 0;
	}
	return err_set(e, STATUS_USAGE,
		       "%s: %s before the first section, expected [section], inherit = FILE or unused = allowed", place,
		       key);
}

/* Returns whether `path` is one of the files being read. */
static bool config_read_loops(const char *path, const struct reading *outer)
{
	char *real = realpath(path, NULL);
	bool same = false;

	for (; real && outer && !same; outer = outer->outer) {
		char *other = realpath(outer->path, NULL);

		same = other && !strcmp(real, other);
		free(other);
	}
	free(real);
	return same;
}

static int cannot_open(const char *path, const struct reading *outer, const char *why, struct err *e)
{
	enum exit_status status = err_errno(STATUS_USAGE);
	char places[PATH_MAX];

	config_find_places(path, places);
	if (outer)
		return err_set(e, status, "%s:%u: inherit: cannot open %s: %s%s", outer->path, outer->line, path, why,
			       places);
	return err_set(e, status, "%s: cannot open: %s%s", path, why, places);
}

static int note_file(struct config *c, const char *path, struct err *e)
{
	char *copy = mem_copy_text(path, e), **place = copy ? vec_push(&c->files, e) : NULL;

	if (!place) {
		free(copy);
		return -1;
	}
	*place = copy;
	return 0;
}

static int config_read_file(struct config *c, const char *path, const struct reading *outer, struct err *e)
{
	struct reading r = {.config = c, .path = path, .outer = outer};
	const struct ini_client client = {config_read_enter_section, config_read_take, &r};
	bool allowed = c->allow_unused;
	FILE *file;
	int result;

	if (config_read_loops(path, outer))
		return err_set(e, STATUS_USAGE, "%s:%u: inherit: %s inherits itself, expected another file",
			       outer->path, outer->line, path);
	if (note_file(c, path, e) < 0)
		return -1;
	r.depth = outer ? outer->depth + 1 : 0;
	file = input_open(path);
	if (!file)
		return cannot_open(path, outer, strerror(errno), e);
	c->allow_unused = false;
	result = ini_file_read(file, path, &client, e);
	c->allow_unused = allowed;
	fclose(file);
	return result;
}

int config_read(struct config *c, const char *path, struct err *e)
{
	char found[PATH_MAX];

	if (config_is_whole(c, e))
		return -1;
	return config_read_file(c, config_find(path, found), NULL, e);
}
