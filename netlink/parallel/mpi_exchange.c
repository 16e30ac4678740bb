/* Exchange of processes that an MPI has started. A module calls MPI: mpi_module.h. */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../psim/base/cores.h"
#include "../../psim/base/mem.h"
#include "exchange_state.h"
#include "mpi_module.h"

enum { POLLS = 1000 }; /* before a process leaves its core to others, if each has one */

static const char *const kind_names[] = {[MPI_KIND_MPICH] = "mpich", [MPI_KIND_OPENMPI] = "openmpi"};

/*
 * The variables in which a launcher gives number and count of processes: mpirun, or srun of SLURM. By PMI, or PMI 2,
 * srun sets those of MPICH; by PMIx (--mpi=pmix), which OpenMPI needs, the last ones.
 */
static const struct launcher {
	enum mpi_kind kind;
	const char *me, *processes;
} launchers[] = {
	{MPI_KIND_MPICH, "PMI_RANK", "PMI_SIZE"},
	{MPI_KIND_OPENMPI, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
	{MPI_KIND_OPENMPI, "PMIX_RANK", "SLURM_STEP_NUM_TASKS"},
};

/* Data of a round for one process. */
struct header {
	struct published published;
	uint64_t bytes; /* of records for it */
};

struct mpi_state {
	const struct mpi_module *module;
	int polls;
	struct header out[EXCHANGE_MOST], in[EXCHANGE_MOST];
};

/* ---- launch ---- */
static bool number(const char *variable, unsigned *value)
{
	const char *text = getenv(variable);
	char *end;
	unsigned long n = text ? strtoul(text, &end, 10) : 0;

	if (!text || end == text || *end || n > UINT_MAX)
		return false;
	*value = (unsigned)n;
	return true;
}

enum mpi_kind mpi_launched(unsigned *me, unsigned *processes)
{
	for (size_t i = 0; i < sizeof(launchers) / sizeof(launchers[0]); i++)
		if (number(launchers[i].processes, processes) && *processes > 1 && number(launchers[i].me, me))
			return launchers[i].kind;
	*me = 0;
	*processes = 1;
	return MPI_KIND_NONE;
}

unsigned mpi_launched_apart(void)
{
	unsigned me, tasks;
	bool apart = mpi_launched(&me, &tasks) == MPI_KIND_NONE && number("SLURM_STEP_NUM_TASKS", &tasks) &&
		     number("SLURM_PROCID", &me) && me == 0;

	return apart && tasks > 1 ? tasks : 1;
}

/* ---- the module ---- */
/* Writes the module's path: beside the program in a build, or where libraries are installed; false: neither. */
static bool find_module(const char *name, char path[PATH_MAX])
{
	static const char *const folders[] = {".", MODULES_FROM_BIN};
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (length <= 0)
		return false;
	self[length] = 0;
	*strrchr(self, '/') = 0;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (snprintf(path, PATH_MAX, "%s/%s/psim_exchange_%s.so", self, folders[i], name) < PATH_MAX &&
		    !access(path, R_OK))
			return true;
	return false;
}

static const struct mpi_module *mpi_exchange_load(const char *name, struct err *e)
{
	char path[PATH_MAX];
	const struct mpi_module *module;
	void *handle;

	if (!find_module(name, path)) {
		err_set(e, STATUS_FAILED,
			"mpirun of %s: no psim_exchange_%s.so beside the program, expected a build with this MPI", name,
			name);
		return NULL;
	}
	/* never closed: MPI libraries leave threads and handlers behind */
	handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	module = handle ? dlsym(handle, MPI_MODULE_SYMBOL) : NULL;
	if (!module)
		err_set(e, STATUS_FAILED, "mpirun of %s: %s", name, dlerror());
	return module;
}

void *mpi_exchange_create(enum mpi_kind kind, unsigned *me, unsigned *processes, struct err *e)
{
	struct mpi_state *s = mem_alloc(1, sizeof(*s), e);
	int rank = 0, count = 0, here = 0;

	if (!s)
		return NULL;
	s->module = mpi_exchange_load(kind_names[kind], e);
	if (s->module && s->module->begin(&rank, &count, &here)) {
		err_set(e, STATUS_FAILED, "mpirun of %s: MPI does not start", kind_names[kind]);
	} else if (s->module && count > EXCHANGE_MOST) {
		s->module->end();
		err_set(e, STATUS_USAGE, "mpirun: %d processes, expected at most %d", count, EXCHANGE_MOST);
	} else if (s->module) {
		s->polls = cores_allowed() >= (unsigned)here ? POLLS : 0;
		*me = (unsigned)rank;
		*processes = (unsigned)count;
		return s;
	}
	free(s);
	return NULL;
}

static void mpi_exchange_destroy(struct exchange *x)
{
	free(x->state);
}

/* ---- rounds ---- */
static int mpi_exchange_begin(struct exchange *x, struct err *e)
{
	struct exchange_values none = {{0}, {0}};

	return exchange_step(x, &none, e);
}

/* Without memory for what comes it ends all processes, since the others wait in the library. */
static void mpi_exchange_deliver(struct exchange *x)
{
	struct mpi_state *s = x->state;
	const void *out[EXCHANGE_MOST];
	void *in[EXCHANGE_MOST];
	size_t out_bytes[EXCHANGE_MOST], in_bytes[EXCHANGE_MOST];

	for (unsigned p = 0; p < x->processes; p++) {
		out_bytes[p] = s->out[p].bytes;
		in_bytes[p] = s->in[p].bytes;
		if (vec_reserve(&x->in[p], in_bytes[p], NULL) < 0)
			s->module->abort(STATUS_FAILED);
		out[p] = x->out[p].at;
		in[p] = x->in[p].at;
		x->in[p].count = in_bytes[p];
		x->got[p] = (struct got){in[p], in_bytes[p]};
	}
	s->module->deliver(out, out_bytes, in, in_bytes, s->polls);
}

static int64_t mpi_exchange_one_round(struct exchange *x, size_t done, struct published *mine, struct err *e)
{
	struct mpi_state *s = x->state;
	bool fails = mine->failed == x->me;

	(void)done;
	(void)e;
	mine->more = false;
	for (unsigned p = 0; p < x->processes; p++)
		s->out[p] = (struct header){*mine, fails || p == x->me ? 0 : x->out[p].count};
	s->module->all_to_all(s->out, s->in, sizeof(s->out[0]), s->polls);
	for (unsigned p = 0; p < x->processes; p++)
		if (p != x->me)
			exchange_reduce(mine, &s->in[p].published);
	if (mine->failed == EXCHANGE_MOST)
		mpi_exchange_deliver(x);
	return 0;
}

static void mpi_exchange_error_of(struct exchange *x, unsigned process, struct err *e)
{
	const struct mpi_state *s = x->state;
	struct err error = x->failure;

	s->module->broadcast(&error, sizeof(error), (int)process);
	*e = error;
}

static void mpi_exchange_end(struct exchange *x, bool failed)
{
	const struct mpi_state *s = x->state;

	(void)failed; /* the status of all is that of the first process */
	s->module->end();
	if (x->me)
		_exit(STATUS_DONE);
}

const struct exchange_transport mpi_exchange = {
	.begin = mpi_exchange_begin,
	.round = mpi_exchange_one_round,
	.error_of = mpi_exchange_error_of,
	.end = mpi_exchange_end,
	.destroy = mpi_exchange_destroy,
};
