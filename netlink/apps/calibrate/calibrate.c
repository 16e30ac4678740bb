#include "calibrate.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES_LEAST = 3 }; /* of a way to send */
enum { HELD_OUT = 3 };    /* every third size is predicted by a fit of the others */
/* A network whose own interval is this close to a measured one makes it: hosts add no gap. */
static const double NETWORK_LIMITS = 1.02;

/* ---- the network's part ---- */

static int network_ps(const struct calibrate_machine *m, uint64_t bytes, double *ps, struct err *e)
{
	struct alone_time time;

	if (alone_measure(m->network, m->src, m->dst, bytes, &time, e) < 0)
		return -1;
	*ps = (double)time.delivered;
	return 0;
}

static int sizes_of(struct calibrate_table *t, const struct calibrate_machine *m, const struct measured *latency,
		    struct err *e)
{
	for (size_t i = 0; i < latency->samples.count; i++) {
		const struct measured_sample *s = &latency->samples.at[i];
		struct calibrate_size *size = vec_push(&t->sizes, e);

		if (!size)
			return -1;
		*size = (struct calibrate_size){.bytes = s->bytes, .measured_ps = s->ps, .held_out_ps = -1};
		if (network_ps(m, s->bytes, &size->network_ps, e) < 0)
			return -1;
	}
	return 0;
}

/* ---- fits ---- */

static int add_fit_sample(struct calibrate_fit *f, double bytes, double ps, double scale, struct err *e)
{
	struct piece_sample *s;

	if (f->samples.count == PIECES_SAMPLES_MOST)
		return err_set(e, STATUS_BAD_INPUT, "more than %d sizes", PIECES_SAMPLES_MOST);
	s = vec_push(&f->samples, e);
	if (!s)
		return -1;
	*s = (struct piece_sample){bytes, ps, scale};
	return 0;
}

static int fit_pieces(struct calibrate_fit *f, double noise, struct err *e)
{
	if (!f->samples.count)
		return 0;
	if (vec_reserve(&f->pieces, f->samples.count, e))
		return -1;
	f->pieces.count = pieces_fit(f->samples.at, f->samples.count, noise, f->pieces.at, e);
	return f->pieces.count ? 0 : -1;
}

static void finish_fit(struct calibrate_fit *f)
{
	vec_finish(&f->samples);
	vec_finish(&f->pieces);
}

static double fit_at(const struct calibrate_fit *f, uint64_t bytes)
{
	return f->pieces.count ? pieces_at(f->samples.at, f->pieces.at, f->pieces.count, (double)bytes) : 0;
}

static bool is_eager(const struct calibrate_machine *m, uint64_t bytes)
{
	return bytes <= m->mpi->mpi.eager;
}

/* The time of a message that is neither the network's nor what the fits have. */
static double fixed_ps(const struct calibrate_table *t, const struct calibrate_machine *m, uint64_t bytes,
		       double handshake)
{
	double processors = t->overheads ? fit_at(&t->send, bytes) + fit_at(&t->receive, bytes) : 2 * t->processor_ps;

	return t->calls * (double)m->mpi->mpi.overhead + processors + (is_eager(m, bytes) ? 0 : handshake);
}

/* Fits the delays of sizes of one way to send; `skip`: sizes whose number has this remainder are left out, or -1. */
static int fit_delays(struct calibrate_table *t, const struct calibrate_machine *m, bool eager, double handshake,
		      int skip, struct err *e)
{
	struct calibrate_fit *f = eager ? &t->eager : &t->rendezvous;

	f->samples.count = f->pieces.count = 0;
	for (size_t i = 0; i < t->sizes.count; i++) {
		const struct calibrate_size *s = &t->sizes.at[i];
		double rest = s->measured_ps - s->network_ps - fixed_ps(t, m, s->bytes, handshake);

		if (is_eager(m, s->bytes) != eager || (skip >= 0 && (int)(i % HELD_OUT) == skip))
			continue;
		if (add_fit_sample(f, (double)s->bytes, rest, s->measured_ps, e) < 0)
			return -1;
	}
	return fit_pieces(f, m->noise, e);
}

/* The network's time of both messages of a handshake, and their delays. */
static int handshake_ps(const struct calibrate_table *t, const struct calibrate_machine *m, double *ps, struct err *e)
{
	double one;

	if (network_ps(m, m->mpi->mpi.control_bytes, &one, e) < 0)
		return -1;
	*ps = 2 * (one + (t->copies ? 0 : fit_at(&t->eager, 0)));
	return 0;
}

static double model_ps(const struct calibrate_table *t, const struct calibrate_machine *m,
		       const struct calibrate_size *s, double handshake)
{
	const struct calibrate_fit *f = is_eager(m, s->bytes) ? &t->eager : &t->rendezvous;

	return s->network_ps + fixed_ps(t, m, s->bytes, handshake) + fit_at(f, s->bytes);
}

/* Both fits, without the sizes of `skip`; then the model of those sizes, or of all if `skip` is -1. */
static int fit_both(struct calibrate_table *t, const struct calibrate_machine *m, int skip, struct err *e)
{
	double handshake = 0;

	if (fit_delays(t, m, true, 0, skip, e) < 0 || handshake_ps(t, m, &handshake, e) < 0 ||
	    fit_delays(t, m, false, handshake, skip, e) < 0)
		return -1;
	for (size_t i = 0; i < t->sizes.count; i++) {
		struct calibrate_size *s = &t->sizes.at[i];

		if (skip < 0)
			s->model_ps = model_ps(t, m, s, handshake);
		else if ((int)(i % HELD_OUT) == skip && i && i + 1 < t->sizes.count)
			s->held_out_ps = model_ps(t, m, s, handshake);
	}
	return 0;
}

/* ---- processor times and gaps ---- */

enum { ANSWER_BYTES = 4 }; /* behind a window */

/* A measured latency, linear between sizes. */
static double latency_at(const struct measured *latency, uint64_t bytes)
{
	const struct measured_sample *s = latency->samples.at;
	size_t i = 1, last = latency->samples.count - 1;

	while (i < last && s[i].bytes < bytes)
		i++;
	if (bytes <= s[0].bytes)
		return s[0].ps;
	return s[i - 1].ps +
	       (s[i].ps - s[i - 1].ps) * (double)(bytes - s[i - 1].bytes) / (double)(s[i].bytes - s[i - 1].bytes);
}

/*
 * Takes the ends of windows out of rates: a window of W messages takes W - 1 intervals, the latency of the last message
 * and that of the answer.
 */
static void without_windows(struct measured *interval, const struct measured *latency)
{
	double w = interval->window;

	for (size_t i = 0; w > 1 && i < interval->samples.count; i++) {
		struct measured_sample *s = &interval->samples.at[i];
		double ends = latency_at(latency, s->bytes) + latency_at(latency, ANSWER_BYTES);

		if (w * s->ps > ends)
			s->ps = (w * s->ps - ends) / (w - 1);
	}
}

/* Gaps where hosts, not the network, limit the rate of messages. */
static int fit_gaps(struct calibrate_table *t, const struct calibrate_machine *m, const struct measured *interval,
		    struct err *e)
{
	double empty, one = 0;

	if (network_ps(m, 0, &empty, e) < 0)
		return -1;
	for (size_t i = 0; i < interval->samples.count; i++) {
		const struct measured_sample *s = &interval->samples.at[i];
		bool limits;

		if (network_ps(m, s->bytes, &one, e) < 0)
			return -1;
		if (s->ps < (one - empty) * (1 - 3 * m->noise))
			return err_set(e, STATUS_BAD_INPUT,
				       "%s: %" PRIu64 " bytes every %.6g us, which the network carries in %.6g us: "
				       "expected a faster network (-c, -p)",
				       interval->path ? interval->path : "measured", s->bytes, s->ps / 1e6,
				       (one - empty) / 1e6);
		limits = s->ps > NETWORK_LIMITS * (one - empty);
		if (add_fit_sample(&t->gap, (double)s->bytes, limits ? s->ps : 0, s->ps, e) < 0)
			return -1;
	}
	return fit_pieces(&t->gap, m->noise, e);
}

/*
 * The rate of messages bounds the processor's time of one, and latencies bound twice that time. Without a rate all of a
 * latency but the call's overhead is a delay.
 */
static double processor_ps(const struct calibrate_table *t, const struct calibrate_machine *m,
			   const struct measured *interval)
{
	double least = (double)INFINITY, overhead = (double)m->mpi->mpi.overhead;

	for (size_t i = 0; i < interval->samples.count; i++)
		least = fmin(least, interval->samples.at[i].ps - overhead);
	for (size_t i = 0; i < t->sizes.count; i++)
		least = fmin(least, (t->sizes.at[i].measured_ps - t->sizes.at[i].network_ps - t->calls * overhead) / 2);
	return fmax(0, least);
}

/* Fits the time of calls beyond mpi.overhead: 0 if they take less. */
static int fit_processor(struct calibrate_fit *f, const struct calibrate_machine *m, const struct measured *measured,
			 struct err *e)
{
	for (size_t i = 0; i < measured->samples.count; i++) {
		const struct measured_sample *s = &measured->samples.at[i];
		double overhead = (double)m->mpi->mpi.overhead;

		if (add_fit_sample(f, (double)s->bytes, fmax(0, s->ps - overhead), fmax(s->ps, overhead + 1), e) < 0)
			return -1;
	}
	return fit_pieces(f, m->noise, e);
}

int calibrate_processors(struct calibrate_table *t, const struct calibrate_machine *m, const struct measured *send,
			 const struct measured *receive, struct err *e)
{
	t->overheads = send->benchmark;
	return fit_processor(&t->send, m, send, e) < 0 ? -1 : fit_processor(&t->receive, m, receive, e);
}

/* ---- the whole ---- */

/* A piece of one or two sizes says nothing of those around them. */
static int refuse_few(const struct calibrate_table *t, const struct calibrate_machine *m, const char *path,
		      struct err *e)
{
	size_t eager = 0, count = t->sizes.count;

	for (size_t i = 0; i < count; i++)
		eager += is_eager(m, t->sizes.at[i].bytes);
	if ((!eager || eager >= SIZES_LEAST) && (eager == count || count - eager >= SIZES_LEAST))
		return 0;
	return err_set(e, STATUS_BAD_INPUT,
		       "%s: %zu sizes up to mpi.eager = %" PRIu64
		       " and %zu beyond, expected none or at least %d on each "
		       "side (-p mpi.eager=BYTES)",
		       path ? path : "measured", eager, m->mpi->mpi.eager, count - eager, SIZES_LEAST);
}

/* A network that alone takes longer than what was measured is another machine. */
static int refuse_slow_network(const struct calibrate_table *t, const struct calibrate_machine *m, const char *path,
			       struct err *e)
{
	for (size_t i = 0; i < t->sizes.count; i++) {
		const struct calibrate_size *s = &t->sizes.at[i];
		double least = s->network_ps + fixed_ps(t, m, s->bytes, 0);

		if (s->measured_ps < least * (1 - 3 * m->noise))
			return err_set(
				e, STATUS_BAD_INPUT,
				"%s: %" PRIu64 " bytes %s nodes took %.6g us; the network%s mpi.overhead alone take "
				"%.6g us: expected a faster network (-c, -p)",
				path ? path : "measured", s->bytes, protocol_where_name(t->where), s->measured_ps / 1e6,
				t->overheads ? ", the overheads and" : " and", least / 1e6);
	}
	return 0;
}

int calibrate_fit(struct calibrate_table *t, const struct calibrate_machine *m, const struct measured *latency,
		  struct measured *interval, struct err *e)
{
	t->benchmark = latency->benchmark;
	t->calls = latency->kind == MEASURED_EXCHANGE ? 2 : 1;
	t->rate_benchmark = interval ? interval->benchmark : NULL;
	if (sizes_of(t, m, latency, e) < 0 || refuse_few(t, m, latency->path, e) < 0 ||
	    refuse_slow_network(t, m, latency->path, e) < 0)
		return -1;
	if (interval) {
		without_windows(interval, latency);
		t->processor_ps = t->overheads || t->copies ? 0 : processor_ps(t, m, interval);
		if (fit_gaps(t, m, interval, e) < 0)
			return -1;
	}
	for (int skip = HELD_OUT - 1; skip >= -1; skip -= HELD_OUT)
		if (fit_both(t, m, skip, e) < 0)
			return -1;
	return 0;
}

void calibrate_finish(struct calibrate_table *t)
{
	vec_finish(&t->sizes);
	finish_fit(&t->eager);
	finish_fit(&t->rendezvous);
	finish_fit(&t->gap);
	finish_fit(&t->send);
	finish_fit(&t->receive);
}
