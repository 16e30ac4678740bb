#include "load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../psim/base/config/config_find.h"
#include "../../psim/base/mem.h"
#include "../../psim/base/temporary.h"
#include "build.h"
#include "program.h"
#include "../wormhole/guard.h"

enum { OPERANDS_MAX = 64 };

struct ndl_loaded {
	char *file, *operands;
	void *handle;
	const struct ndl_program *program;
	struct network *net;
	int argc;
	char *argv[OPERANDS_MAX + 2];
};

static int ndl_load_split(struct ndl_loaded *l, struct err *e)
{
	l->argv[l->argc++] = l->file;
	for (char *rest = l->operands, *word; (word = strtok_r(rest, " \t", &rest));) {
		if (l->argc > OPERANDS_MAX)
			return err_set(e, STATUS_USAGE, "%s: too many operands, expected at most %d", l->file,
				       OPERANDS_MAX);
		l->argv[l->argc++] = word;
	}
	return 0;
}

/* Compiles in a temporary folder, which the caller removes. */
static int compile_and_open(struct ndl_loaded *l, const char *folder, struct err *e)
{
	char source[PATH_MAX + 16], object[PATH_MAX + 16];
	struct ndl_places places;
	struct ndl_compile compile = {.source = source, .shared = true, .output = object};
	int result;

	snprintf(source, sizeof(source), "%s/network.c", folder);
	snprintf(object, sizeof(object), "%s/network.so", folder);
	result = ndl_find_places(&places, e) || ndl_translate(l->file, source, e) || ndl_compile(&compile, &places, e);
	if (!result) {
		l->handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
		if (!l->handle)
			result = err_set(e, STATUS_FAILED, "%s: cannot load: %s", l->file, dlerror());
	}
	return result ? -1 : 0;
}

static int ndl_load_build(struct ndl_loaded *l, struct err *e)
{
	int taken;

	l->program = dlsym(l->handle, "ndl_network");
	if (!l->program)
		return err_set(e, STATUS_FAILED, "%s: %s", l->file, dlerror());
	guard_enter("net_config", l->file, 0, NULL, 0);
	taken = l->program->config(l->argc, l->argv);
	guard_leave();
	if (taken < 0 || taken >= l->argc)
		return err_set(e, STATUS_USAGE, "%s: net_config rejects the operands", l->file);
	if (taken + 1 < l->argc)
		return err_set(e, STATUS_USAGE, "%s: net_config took %d of %d operands, unexpected operand \"%s\"",
			       l->file, taken, l->argc - 1, l->argv[taken + 1]);
	l->net = network_create(l->file, e);
	if (!l->net)
		return -1;
	guard_enter_statements(l->net);
	taken = l->program->build(l->net, e);
	guard_leave();
	if (taken)
		return -1;
	return network_finish(l->net, e);
}

struct ndl_loaded *ndl_load(const char *file, const char *operands, struct err *e)
{
	struct ndl_loaded *l = mem_alloc(1, sizeof(*l), e);
	static const char *const made[] = {"network.c", "network.so"};
	char folder[PATH_MAX], found[PATH_MAX];
	int result = -1;

	if (!l)
		return NULL;
	l->file = mem_copy_text(config_find(file, found), e);
	l->operands = mem_copy_text(operands ? operands : "", e);
	if (l->file && l->operands && !ndl_load_split(l, e) && temporary_folder("network", folder, e) == 0) {
		result = compile_and_open(l, folder, e);
		/* before statements of the description run, whose faults lead elsewhere */
		temporary_remove(folder, made, sizeof(made) / sizeof(made[0]));
		result = result || ndl_load_build(l, e);
	}
	if (!result)
		return l;
	ndl_unload(l);
	return NULL;
}

void ndl_unload(struct ndl_loaded *l)
{
	if (!l)
		return;
	network_destroy(l->net);
	if (l->handle)
		dlclose(l->handle);
	free(l->operands);
	free(l->file);
	free(l);
}

const struct network *ndl_network_of(const struct ndl_loaded *l)
{
	return l->net;
}
