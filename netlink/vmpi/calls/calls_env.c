/* Calls: environment, time, and extensions of MPI. */
#include <math.h>
#include <string.h>

#include "../message/message.h"

static const char *const error_texts[] = {
#define ERROR(name, doc) doc,
#include "../api/constants.def"
#undef ERROR
};

int vmpi_Init(struct vmpi *v, int *argc, char ***argv)
{
	struct rank *r = rank_enter(v, CALL_Init);

	(void)argc;
	(void)argv;
	if (r->init_called)
		return rank_error(v, 0, VMPI_ERR_OTHER, "called twice");
	r->initialized = r->init_called = true;
	return VMPI_SUCCESS;
}

int vmpi_Init_thread(struct vmpi *v, int *argc, char ***argv, int required, int *provided)
{
	(void)required;
	*provided = VMPI_THREAD_FUNNELED;
	return vmpi_Init(v, argc, argv);
}

int vmpi_Initialized(struct vmpi *v, int *flag)
{
	*flag = rank_enter(v, CALL_Initialized)->initialized;
	return VMPI_SUCCESS;
}

int vmpi_Finalize(struct vmpi *v)
{
	struct rank *r = rank_enter(v, CALL_Finalize);

	if (!r->initialized || r->finalized)
		return rank_error(v, 0, VMPI_ERR_OTHER, "called %s", r->finalized ? "twice" : "before MPI_Init");
	r->finalized = true;
	return VMPI_SUCCESS;
}

int vmpi_Finalized(struct vmpi *v, int *flag)
{
	*flag = rank_enter(v, CALL_Finalized)->finalized;
	return VMPI_SUCCESS;
}

int vmpi_Query_thread(struct vmpi *v, int *provided)
{
	rank_enter(v, CALL_Query_thread);
	*provided = VMPI_THREAD_FUNNELED;
	return VMPI_SUCCESS;
}

int vmpi_Is_thread_main(struct vmpi *v, int *flag)
{
	rank_enter(v, CALL_Is_thread_main);
	*flag = 1;
	return VMPI_SUCCESS;
}

int vmpi_Abort(struct vmpi *v, VMPI_Comm comm, int errorcode)
{
	struct rank *r = rank_enter(v, CALL_Abort);
	char place[128];

	(void)comm;
	program_place(v, r->where, place, sizeof(place));
	err_set(&v->err, STATUS_FAILED, "rank %u: MPI_Abort with code %d at %s", rank_index(v, r), errorcode, place);
	rank_fail(v);
	return VMPI_SUCCESS;
}

double vmpi_Wtime(struct vmpi *v)
{
	struct rank *r = rank_enter(v, CALL_Wtime);

	/* it takes time, or a loop that polls the clock would never end */
	rank_busy(v, r, v->cfg->mpi.clock_overhead);
	return (double)r->now * 1e-12;
}

double vmpi_Wtick(struct vmpi *v)
{
	rank_enter(v, CALL_Wtick);
	return 1e-12;
}

int vmpi_Get_processor_name(struct vmpi *v, char *name, int *resultlen)
{
	*resultlen = snprintf(name, VMPI_MAX_PROCESSOR_NAME, "node%u", rank_enter(v, CALL_Get_processor_name)->node);
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

int vmpi_Error_class(struct vmpi *v, int errorcode, int *errorclass)
{
	rank_enter(v, CALL_Error_class);
	*errorclass = errorcode;
	return VMPI_SUCCESS;
}

int vmpi_Error_string(struct vmpi *v, int errorcode, char *string, int *resultlen)
{
	bool known = errorcode >= 0 && errorcode < VMPI_ERR_LASTCODE;

	rank_enter(v, CALL_Error_string);
	*resultlen = snprintf(string, VMPI_MAX_ERROR_STRING, "%s", error_texts[known ? errorcode : VMPI_ERR_UNKNOWN]);
	return VMPI_SUCCESS;
}

int vmpi_Comm_set_errhandler(struct vmpi *v, VMPI_Comm comm, VMPI_Errhandler errhandler)
{
	struct comm *c = comm_find(&v->comms, comm);

	rank_enter(v, CALL_Comm_set_errhandler);
	if (!c)
		return rank_error(v, 0, VMPI_ERR_COMM, "communicator %d does not exist", comm);
	c->errors_return = errhandler == VMPI_ERRORS_RETURN;
	return VMPI_SUCCESS;
}

int vmpi_Comm_get_errhandler(struct vmpi *v, VMPI_Comm comm, VMPI_Errhandler *errhandler)
{
	const struct comm *c = comm_find(&v->comms, comm);

	rank_enter(v, CALL_Comm_get_errhandler);
	if (!c)
		return rank_error(v, 0, VMPI_ERR_COMM, "communicator %d does not exist", comm);
	*errhandler = c->errors_return ? VMPI_ERRORS_RETURN : VMPI_ERRORS_ARE_FATAL;
	return VMPI_SUCCESS;
}

int vmpi_Get_address(struct vmpi *v, const void *location, VMPI_Aint *address)
{
	rank_enter(v, CALL_Get_address);
	*address = (VMPI_Aint)location;
	return VMPI_SUCCESS;
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

int rank_compute(struct vmpi *v, struct rank *r, double seconds)
{
	int64_t ps, from = r->now;

	if (!to_ps(seconds * v->cfg->machine.slowdown, &ps))
		return rank_error(v, 0, VMPI_ERR_ARG, "%g seconds: expected 0 to 6e6", seconds);
	rank_busy(v, r, ps);
	rank_computed(v, r, from);
	return VMPI_SUCCESS;
}

int vmpi_Add_time(struct vmpi *v, double seconds)
{
	return rank_compute(v, rank_enter(v, CALL_Add_time), seconds);
}

int vmpi_Set_nic(struct vmpi *v, int nic)
{
	struct rank *r = rank_enter(v, CALL_Set_nic);

	if (nic < -1 || nic >= (int)v->setup.nics)
		return rank_error(v, 0, VMPI_ERR_ARG, "NIC %d: expected -1 to %d", nic, (int)v->setup.nics - 1);
	r->nic = nic < 0 ? NET_NIC_ANY : nic;
	return VMPI_SUCCESS;
}

int vmpi_Set_gap(struct vmpi *v, double seconds)
{
	struct rank *r = rank_enter(v, CALL_Set_gap);

	if (!to_ps(seconds, &r->gap))
		return rank_error(v, 0, VMPI_ERR_ARG, "a gap of %g seconds: expected 0 to 6e6", seconds);
	return VMPI_SUCCESS;
}

int vmpi_Set_jitter(struct vmpi *v, double interval, double length)
{
	struct rank *r = rank_enter(v, CALL_Set_jitter);

	if (!to_ps(interval, &r->noise_every) || !to_ps(length, &r->noise_length))
		return rank_error(v, 0, VMPI_ERR_ARG, "%g, %g seconds: expected 0 to 6e6", interval, length);
	if (r->noise_every && r->noise_length >= r->noise_every)
		return rank_error(v, 0, VMPI_ERR_ARG, "%g, %g seconds: expected a length below the interval", interval,
				  length);
	if (r->noise_length == 0)
		r->noise_every = 0;
	r->noise_next = 0;
	return VMPI_SUCCESS;
}

int vmpi_Event(struct vmpi *v, const char *name)
{
	const struct vmpi_observer *o = v->setup.observer;
	struct rank *r = rank_enter(v, CALL_Event);
	const char *kept;

	if (!name)
		return rank_error(v, 0, VMPI_ERR_ARG, "name NULL, expected a text");
	if (!o || !o->event)
		return VMPI_SUCCESS;
	kept = name_keep(v, name);
	if (kept)
		o->event(o->user, rank_index(v, r), r->now, kept);
	else
		rank_fail(v);
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
		return rank_error(v, 0, VMPI_ERR_RANK, "rank %d: expected 0 to %u", rank, v->size - 1);
	*node = (int)v->ranks[rank].node;
	return VMPI_SUCCESS;
}

void vmpi_exit(struct vmpi *v, int status)
{
	struct rank *r = rank_enter(v, CALL_exit);

	library_run_at_exit(v, rank_index(v, r));
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
