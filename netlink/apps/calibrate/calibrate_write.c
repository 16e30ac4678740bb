/* The fits as segments of a protocol, and beside the measured times. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "calibrate.h"

/* A border of a fit: the first size of a piece, where its line is not below 0. */
static uint64_t piece_from(const struct calibrate_fit *f, size_t i, uint64_t least)
{
	const struct piece *p = &f->pieces.at[i];
	double first = f->samples.at[p->first].x, from = i ? f->samples.at[p->first - 1].x + 1 : (double)least;

	if (p->b > 0)
		from = fmax(from, ceil(first - p->a / p->b));
	return (uint64_t)fmin(from, first);
}

/* The piece of a size. */
static size_t piece_of_size(const struct calibrate_fit *f, uint64_t least, uint64_t bytes)
{
	size_t i = 0;

	while (i + 1 < f->pieces.count && piece_from(f, i + 1, least) <= bytes)
		i++;
	return i;
}

/* T, or T+RATE; the line of the piece from `bytes` on. `f` NULL: 0. */
static void write_time(const struct calibrate_fit *f, uint64_t least, uint64_t bytes, FILE *out)
{
	char text[80];
	int n;

	if (!f || !f->pieces.count) {
		fprintf(out, " %18s", "0");
		return;
	}
	{
		const struct piece *p = &f->pieces.at[piece_of_size(f, least, bytes)];
		double ps = fmax(0, p->a + p->b * ((double)bytes - f->samples.at[p->first].x));

		n = snprintf(text, sizeof(text), "%.15gns", rint(ps) / 1e3);
		if (p->b > 0)
			snprintf(text + n, sizeof(text) - (size_t)n, "+%.6gGB/s", 1e3 / p->b);
		fprintf(out, " %18s", text);
	}
}

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Adds a fit's borders between `from` and `to`. */
static void add_borders(const struct calibrate_fit *f, uint64_t from, uint64_t to, uint64_t *at, size_t *count)
{
	for (size_t i = 1; i < f->pieces.count; i++)
		if (piece_from(f, i, 0) > from && piece_from(f, i, 0) <= to)
			at[(*count)++] = piece_from(f, i, 0);
}

/* All borders of a way to send: those of its delays, and of gaps and processors. Returns their number. */
static size_t borders(const struct calibrate_table *t, const struct calibrate_fit *f, uint64_t from, uint64_t to,
		      uint64_t *at)
{
	size_t count = 0, kept = 1;

	at[count++] = from;
	for (size_t i = 1; i < f->pieces.count; i++)
		at[count++] = piece_from(f, i, from);
	add_borders(&t->gap, from, to, at, &count);
	add_borders(&t->send, from, to, at, &count);
	add_borders(&t->receive, from, to, at, &count);
	qsort(at, count, sizeof(*at), by_size);
	for (size_t i = 1; i < count; i++)
		if (at[i] != at[kept - 1])
			at[kept++] = at[i];
	return kept;
}

static void write_segments(const struct calibrate_table *t, const struct calibrate_fit *f, const char *sends,
			   uint64_t from, uint64_t to, FILE *out)
{
	uint64_t at[4 * PIECES_SAMPLES_MOST + 1];
	size_t count = borders(t, f, from, to, at);

	for (size_t i = 0; i < count; i++) {
		char processor[40];

		snprintf(processor, sizeof(processor), "%.15gns", rint(t->processor_ps) / 1e3);
		fprintf(out, "%-9" PRIu64 " %-10s", at[i], sends);
		if (t->overheads) {
			write_time(&t->send, 0, at[i], out);
			write_time(&t->receive, 0, at[i], out);
		} else if (t->copies) {
			fprintf(out, " %12s", "0");
			write_time(f, from, at[i], out);
		} else {
			fprintf(out, " %12s %12s", processor, processor);
		}
		write_time(t->copies ? NULL : f, from, at[i], out);
		write_time(&t->gap, 0, at[i], out);
		fputc('\n', out);
	}
}

void calibrate_write(const struct calibrate_table *t, const struct calibrate_machine *m, FILE *out)
{
	const char *eager = m->mpi->mpi.send_done == SEND_DONE_COPIED ? "buffered" : "eager";
	int width = t->overheads ? 18 : 12, receive = t->overheads || t->copies ? 18 : 12;
	uint64_t most = t->sizes.at[t->sizes.count - 1].bytes, limit = m->mpi->mpi.eager;

	fprintf(out, "%s # %s%s%s%s\n# %-7s %-10s %*s %*s %18s %18s\n", protocol_where_name(t->where), t->benchmark,
		t->rate_benchmark ? ", " : "", t->rate_benchmark ? t->rate_benchmark : "",
		t->overheads ? ", overheads" : "", "from", "sends", width, "send", receive, "receive", "delay", "gap");
	write_segments(t, &t->eager, eager, 0, limit, out);
	if (most > limit)
		write_segments(t, &t->rendezvous, "rendezvous", limit + 1, most, out);
	fprintf(out, "to %" PRIu64 "\n", most);
}

/* ---- report ---- */

static double deviation(double model_ps, double measured_ps)
{
	return 100 * (model_ps / measured_ps - 1);
}

/* Mean and largest absolute deviation, of sizes in all fits or of held-out ones. */
static void sum_deviations(const struct calibrate_table *t, bool held_out, double *mean, double *most)
{
	size_t count = 0;

	*mean = *most = 0;
	for (size_t i = 0; i < t->sizes.count; i++) {
		const struct calibrate_size *s = &t->sizes.at[i];
		double off = fabs(deviation(held_out ? s->held_out_ps : s->model_ps, s->measured_ps));

		if (held_out && s->held_out_ps < 0)
			continue;
		*mean += off;
		*most = fmax(*most, off);
		count++;
	}
	*mean = count ? *mean / (double)count : 0;
}

void calibrate_report(const struct calibrate_table *t, struct report *r)
{
	static const struct report_column columns[] = {
		{"bytes", "bytes"}, {"measured", "us"}, {"network", "us"},
		{"model", "us"},    {"off", "%"},       {"held_out", "%"},
	};
	double mean, most;

	report_group(r, protocol_where_name(t->where), "messages of two ranks: how far the model is off");
	report_text(r, "latency", t->benchmark, "benchmark of the latencies");
	report_text(r, "rate", t->rate_benchmark ? t->rate_benchmark : "none", "benchmark of the rates");
	report_text(r, "overheads", t->overheads ? "measured" : "none", "processor times of messages");
	report_u64(r, "sizes", t->sizes.count, "", "sizes of the latencies");
	report_u64(r, "segments", t->eager.pieces.count + t->rendezvous.pieces.count, "", "segments of the delays");
	if (!t->overheads)
		report_f64(r, "processor", t->processor_ps / 1e6, "us",
			   "time of the sender's, and of the receiver's processor");
	sum_deviations(t, false, &mean, &most);
	report_f64(r, "off_mean", mean, "%", "deviation of fitted sizes, mean");
	report_f64(r, "off_most", most, "%", "the largest one");
	sum_deviations(t, true, &mean, &most);
	report_f64(r, "held_out_mean", mean, "%",
		   "deviation of every third size, predicted by a fit of the others, mean");
	report_f64(r, "held_out_most", most, "%", "the largest one");
	report_end(r);
	report_table(r, t->where == PROTOCOL_WITHIN ? "within_sizes" : "between_sizes",
		     "half of a round trip; held_out: predicted by a fit without this size", columns,
		     sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < t->sizes.count; i++) {
		const struct calibrate_size *s = &t->sizes.at[i];

		report_cell_u64(r, s->bytes);
		report_cell_f64(r, s->measured_ps / 1e6);
		report_cell_f64(r, s->network_ps / 1e6);
		report_cell_f64(r, s->model_ps / 1e6);
		report_cell_f64(r, deviation(s->model_ps, s->measured_ps));
		if (s->held_out_ps >= 0)
			report_cell_f64(r, deviation(s->held_out_ps, s->measured_ps));
		else
			report_cell_text(r, "");
	}
	report_table_end(r);
}
