/* Calls: environment, time, and extensions of MPI. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "object_calls.h"
#include "../vmpi_config.h"

int vmpi_Init(struct vmpi *v, int *argc, char ***argv)
{
	struct rank *r = rank_process(v);

	(void)argc;
	(void)argv;
	rank_enter(v, CALL_Init);
	if (r->init_called)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_OTHER, "called twice");
	r->initialized = r->init_called = true;
	rank_own(v)->main_thread = v->current->index;
	return VMPI_SUCCESS;
}

int vmpi_Init_thread(struct vmpi *v, int *argc, char ***argv, int required, int *provided)
{
	int level = required < VMPI_THREAD_SINGLE     ? VMPI_THREAD_SINGLE
		    : required > VMPI_THREAD_MULTIPLE ? VMPI_THREAD_MULTIPLE
						      : required;

	rank_process(v)->thread_level = (uint8_t)level;
	*provided = level;
	return vmpi_Init(v, argc, argv);
}

int vmpi_Initialized(struct vmpi *v, int *flag)
{
	rank_enter(v, CALL_Initialized);
	*flag = rank_process(v)->initialized;
	return VMPI_SUCCESS;
}

int vmpi_Finalize(struct vmpi *v)
{
	struct rank *r = rank_process(v);

	rank_enter(v, CALL_Finalize);
	if (!r->initialized || r->finalized)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_OTHER, "called %s",
				  r->finalized ? "twice" : "before MPI_Init");
	attributes_delete_all(v, OBJECT_COMM, VMPI_COMM_SELF);
	r->finalized = true;
	return VMPI_SUCCESS;
}

int vmpi_Finalized(struct vmpi *v, int *flag)
{
	rank_enter(v, CALL_Finalized);
	*flag = rank_process(v)->finalized;
	return VMPI_SUCCESS;
}

int vmpi_Query_thread(struct vmpi *v, int *provided)
{
	rank_enter(v, CALL_Query_thread);
	*provided = rank_process(v)->thread_level;
	return VMPI_SUCCESS;
}

int vmpi_Is_thread_main(struct vmpi *v, int *flag)
{
	/* threads of the host, as OpenMP has them, may call this too */
	*flag = pthread_equal(v->outside.thread, pthread_self()) != 0;
	if (*flag)
		*flag = rank_enter(v, CALL_Is_thread_main)->index == rank_own(v)->main_thread;
	return VMPI_SUCCESS;
}

int vmpi_Abort(struct vmpi *v, VMPI_Comm comm, int errorcode)
{
	struct rank *r = rank_enter(v, CALL_Abort);
	char place[128];

	(void)comm;
	program_place(v, r->where, place, sizeof(place));
	v->end.abort_status = errorcode & 0xff ? errorcode & 0xff : STATUS_FAILED;
	err_set(&v->err, STATUS_FAILED, "rank %u: MPI_Abort with code %d at %s", r->world, errorcode, place);
	rank_stop(v);
}

double vmpi_Wtime(struct vmpi *v)
{
	struct rank *r = rank_enter(v, CALL_Wtime);

	v->outside.clock_read = true;
	/* it takes time, or a loop that polls the clock would never end */
	rank_busy(v, r, v->cfg->mpi.clock_overhead);
	return (double)r->now / 1e12;
}

double vmpi_Wtick(struct vmpi *v)
{
	rank_enter(v, CALL_Wtick);
	return 1e-12;
}

int vmpi_Get_processor_name(struct vmpi *v, char *name, int *resultlen)
{
	char text[NODE_NAME_MAX];
	uint32_t node = rank_enter(v, CALL_Get_processor_name)->node;

	*resultlen = snprintf(name, VMPI_MAX_PROCESSOR_NAME, "%s", rank_node_name(v, node, text));
	return VMPI_SUCCESS;
}

int vmpi_Get_version(struct vmpi *v, int *version, int *subversion)
{
	rank_enter(v, CALL_Get_version);
	*version = VMPI_VERSION;
	*subversion = VMPI_SUBVERSION;
	return VMPI_SUCCESS;
}

int vmpi_Get_library_version(struct vmpi *v, char *version, int *resultlen)
{
	rank_enter(v, CALL_Get_library_version);
	*resultlen = snprintf(version, VMPI_MAX_LIBRARY_VERSION_STRING, "psim virtual ranks");
	return VMPI_SUCCESS;
}

int vmpi_Alloc_mem(struct vmpi *v, VMPI_Aint size, VMPI_Info info, void *baseptr)
{
	(void)info;
	rank_enter(v, CALL_Alloc_mem);
	if (size < 0)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_ARG, "size %ld: expected 0 or more", (long)size);
	*(void **)baseptr = malloc(size ? (size_t)size : 1);
	if (!*(void **)baseptr)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_NO_MEM, "out of memory: %ld bytes", (long)size);
	return VMPI_SUCCESS;
}

int vmpi_Free_mem(struct vmpi *v, void *base)
{
	rank_enter(v, CALL_Free_mem);
	free(base);
	return VMPI_SUCCESS;
}

int vmpi_Address(struct vmpi *v, const void *location, VMPI_Aint *address)
{
	return vmpi_Get_address(v, location, address);
}

VMPI_Aint vmpi_Aint_add(struct vmpi *v, VMPI_Aint base, VMPI_Aint disp)
{
	(void)v;
	return base + disp;
}

VMPI_Aint vmpi_Aint_diff(struct vmpi *v, VMPI_Aint addr1, VMPI_Aint addr2)
{
	(void)v;
	return addr1 - addr2;
}

int vmpi_Get_address(struct vmpi *v, const void *location, VMPI_Aint *address)
{
	rank_enter(v, CALL_Get_address);
	*address = (VMPI_Aint)location;
	return VMPI_SUCCESS;
}

/* ---- the C library's clocks ---- */

/* Virtual days begin here: 2000-01-01 00:00:00 UTC, in seconds since 1970. */
#define VIRTUAL_EPOCH 946684800LL

long long vmpi_virtual_clock(struct vmpi *v, int of_day)
{
	struct rank *r = v->current;

	if (v->cfg->ranks.clock == CLOCK_HOST || !r || !pthread_equal(v->outside.thread, pthread_self()))
		return -1;
	v->outside.clock_read = true;
	rank_timer(v, r);
	/* it takes time, or a loop that polls the clock would never end */
	rank_busy(v, r, v->cfg->mpi.clock_overhead);
	return r->now / 1000 + (of_day ? VIRTUAL_EPOCH * 1000000000 : 0);
}

int vmpi_virtual_sleep(struct vmpi *v, long long ns)
{
	struct rank *r = v->current;

	if (v->cfg->ranks.clock == CLOCK_HOST || !r || !pthread_equal(v->outside.thread, pthread_self()))
		return 0;
	rank_sleep(v, r, ns);
	if (rank_own(v)->threads) /* which may set what the thread reads next */
		rank_catch_up(v, r);
	return 1;
}

/* ---- extensions of MPI ---- */

/* Converts seconds to ps; false: not finite, negative, or more than 10 weeks. */
static bool to_ps(double seconds, int64_t *ps)
{
	if (!(seconds >= 0 && seconds <= 6e6))
		return false;
	*ps = (int64_t)llround(seconds * 1e12);
	return true;
}

/* A model's power holds for all of its time: what lengthens the time adds energy in proportion. */
static void count_cost(const struct vmpi *v, int64_t from, int64_t to, double seconds, const struct vmpi_cost *cost)
{
	const struct vmpi_observer *o = v->setup.observer;
	struct rank *r = rank_process(v);
	struct vmpi_cost all = *cost;
	int64_t ps = to - from;

	r->memory_bytes += cost->memory_bytes;
	if (cost->has_energy) {
		all.joules = seconds > 0 ? cost->joules * ((double)ps * 1e-12 / seconds) : cost->joules;
		r->modelled += ps;
		r->joules += all.joules;
	}
	if (o && o->modelled)
		o->modelled(o->user, from, to, &all);
}

int rank_compute_by(struct vmpi *v, struct rank *r, double seconds, const char *model, const struct vmpi_cost *cost)
{
	int64_t ps, from = r->now;

	if (!to_ps(seconds * rank_slowdown(v, r), &ps))
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_ARG, "%g seconds: expected 0 to 6e6", seconds);
	rank_busy(v, r, ps);
	rank_computed_by(v, r, from, model);
	if (cost)
		count_cost(v, from, r->now, seconds, cost);
	return VMPI_SUCCESS;
}

int rank_compute(struct vmpi *v, struct rank *r, double seconds)
{
	return rank_compute_by(v, r, seconds, NULL, NULL);
}

int vmpi_Add_time(struct vmpi *v, double seconds)
{
	return rank_compute(v, rank_enter(v, CALL_Add_time), seconds);
}

int vmpi_Set_nic(struct vmpi *v, int nic)
{
	struct rank *r = rank_enter(v, CALL_Set_nic);

	if (nic < -1 || nic >= (int)v->setup.nics)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_ARG, "NIC %d: expected -1 to %d", nic,
				  (int)v->setup.nics - 1);
	r->nic = nic < 0 ? NET_NIC_ANY : nic;
	return VMPI_SUCCESS;
}

int vmpi_Set_gap(struct vmpi *v, double seconds)
{
	struct rank *r = rank_enter(v, CALL_Set_gap);

	if (!to_ps(seconds, &r->gap))
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_ARG, "gap of %g seconds: expected 0 to 6e6", seconds);
	return VMPI_SUCCESS;
}

int vmpi_Set_jitter(struct vmpi *v, double interval, double length)
{
	struct rank *r = rank_enter(v, CALL_Set_jitter);
	int64_t every, taken;

	if (!to_ps(interval, &every) || !to_ps(length, &taken))
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_ARG, "%g, %g seconds: expected 0 to 6e6", interval,
				  length);
	if (every && taken >= every)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_ARG,
				  "%g, %g seconds: expected a length below the interval", interval, length);
	r->noise_every = taken ? every : 0;
	r->noise_length = taken;
	r->noise_next = 0;
	return VMPI_SUCCESS;
}

int vmpi_Event(struct vmpi *v, const char *name)
{
	const struct vmpi_observer *o = v->setup.observer;
	struct rank *r = rank_enter(v, CALL_Event);
	const char *kept;

	if (!name)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_ARG, "name NULL, expected a string");
	if (!o || !o->event)
		return VMPI_SUCCESS;
	kept = name_keep(v, name);
	if (kept)
		o->event(o->user, r->world, r->now, kept);
	else
		rank_stop(v);
	return VMPI_SUCCESS;
}

int vmpi_Nics(struct vmpi *v, int *count)
{
	rank_enter(v, CALL_Nics);
	*count = (int)v->setup.nics;
	return VMPI_SUCCESS;
}

int vmpi_Node(struct vmpi *v, int rank, int *node)
{
	rank_enter(v, CALL_Node);
	if (rank < 0 || (uint32_t)rank >= v->size)
		return rank_error(v, VMPI_COMM_WORLD, VMPI_ERR_RANK, "rank %d: expected 0 to %u", rank, v->size - 1);
	*node = (int)v->ranks[rank].node;
	return VMPI_SUCCESS;
}

void vmpi_exit(struct vmpi *v, int status)
{
	struct rank *r = rank_enter(v, CALL_exit);

	program_exit(v, status);
	rank_end(v, r, status & 0xff);
}

void vmpi__Exit(struct vmpi *v, int status)
{
	rank_end(v, rank_enter(v, CALL__Exit), status & 0xff);
}

void vmpi__exit(struct vmpi *v, int status)
{
	vmpi__Exit(v, status);
}
