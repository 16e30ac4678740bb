/* The files of a Chakra trace, one a rank: chakra.h. */
#include "chakra.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "../../../psim/base/input.h"
#include "../../../psim/base/mem.h"
#include "chakra_parts.h"
#include "replay_read.h"

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), of = strlen(end);

	return length >= of && strcmp(text + length - of, end) == 0;
}

bool chakra_is_name(const char *path)
{
	return strstr(path, "%d") || ends_with(path, ".et") || ends_with(path, ".json") || ends_with(path, ".et.gz") ||
	       ends_with(path, ".json.gz");
}

/* The name of a rank's file; the caller frees it. */
static char *rank_file(const char *path, uint32_t rank, struct err *e)
{
	const char *at = strstr(path, "%d");
	size_t size = strlen(path) + 16;
	char *name = mem_alloc(size, 1, e);

	if (name && at)
		snprintf(name, size, "%.*s%u%s", (int)(at - path), path, rank, at + 2);
	else if (name)
		snprintf(name, size, "%s", path);
	return name;
}

/* Counts the files from rank 0 on. */
static int64_t count_files(const char *path, struct err *e)
{
	for (uint32_t rank = 0; rank <= REPLAY_RANKS_MAX; rank++) {
		char *name = rank_file(path, rank, e);
		bool there;

		if (!name)
			return -1;
		there = access(name, F_OK) == 0;
		if (!there && !rank)
			err_set(e, STATUS_BAD_INPUT, "%s: cannot open: %s", name, strerror(errno));
		free(name);
		if (!there)
			return rank ? (int64_t)rank : -1;
	}
	return err_set(e, STATUS_BAD_INPUT, "%s: more than %d files, expected one for each rank", path,
		       REPLAY_RANKS_MAX);
}

/* A name that ends in ".0.et" is of one rank of several, if there is one of rank 1. */
static int check_single(const char *path, struct err *e)
{
	static const char *const ends[] = {".0.et", ".0.json", ".0.et.gz", ".0.json.gz"};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		char *other = ends_with(path, ends[i]) ? mem_copy_text(path, e) : NULL;
		bool there;

		if (!other)
			continue;
		other[strlen(path) - strlen(ends[i]) + 1] = '1';
		there = access(other, F_OK) == 0;
		free(other);
		if (there)
			return err_set(e, STATUS_BAD_INPUT,
				       "%s: the file of rank 0 of several, expected %%d in place of 0", path);
	}
	return 0;
}

static int read_file(struct chakra *c)
{
	bool text = ends_with(c->path, ".json") || ends_with(c->path, ".json.gz"),
	     messages = ends_with(c->path, ".et") || ends_with(c->path, ".et.gz");
	FILE *file = input_open(c->path);
	int first, ret;

	if (!file)
		return err_set(c->e, err_errno(STATUS_BAD_INPUT), "%s: cannot open: %s", c->path, strerror(errno));
	first = getc(file);
	if (first != EOF)
		ungetc(first, file);
	ret = text || (first == '{' && !messages) ? chakra_read_json(c, file) : chakra_read_protobuf(c, file);
	fclose(file);
	return ret < 0 ? -1 : chakra_end_rank(c);
}

static int read_rank_files(struct chakra *c, const char *path)
{
	if (chakra_read_dims(c) < 0)
		return -1;
	c->path = (char *)(uintptr_t)c->cfg->chakra.groups;
	if (*c->cfg->chakra.groups && chakra_read_groups(c, c->cfg->chakra.groups) < 0)
		return -1;
	for (c->rank = 0; c->rank < c->goal->ranks; c->rank++) {
		int ret;

		c->path = rank_file(path, c->rank, c->e);
		ret = c->path ? read_file(c) : -1;
		free(c->path);
		if (ret < 0)
			return -1;
	}
	return goal_groups_check(c->goal, c->e);
}

static void chakra_finish(struct chakra *c)
{
	vec_finish(&c->node.data_deps);
	vec_finish(&c->node.ctrl_deps);
	vec_finish(&c->node.values);
	vec_finish(&c->ops);
	vec_finish(&c->sorted);
	vec_finish(&c->ids);
	vec_finish(&c->deps);
	vec_finish(&c->edges);
	vec_finish(&c->names);
	vec_finish(&c->common);
}

struct goal *chakra_read(const char *path, const struct vmpi_config *cfg, struct err *e)
{
	struct chakra c = {.cfg = cfg, .e = e};
	bool many = strstr(path, "%d") != NULL;
	int64_t ranks = many ? count_files(path, e) : check_single(path, e) + 1;

	if (ranks <= 0 || !(c.goal = goal_create(path, (uint32_t)ranks, e)))
		return NULL;
	c.goal->places = GOAL_NODES;
	c.goal->unit = 1;
	c.goal->by_number = true;
	c.goal->at_once = (uint32_t)cfg->chakra.streams;
	if (read_rank_files(&c, path) < 0) {
		goal_destroy(c.goal);
		c.goal = NULL;
	}
	chakra_finish(&c);
	return c.goal;
}
