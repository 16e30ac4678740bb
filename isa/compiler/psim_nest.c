/*
 * Runs a compiled loop nest on the SIMD array: guest code, linked with programs of psim-cc and psim-fc.
 *
 * The lanes are distributed in blocks: a phase is `share` lanes for each PE, or for the first `pieces` PEs at the end.
 * Each phase's data are transferred before it, and its results after it, while the kernel works on another one.
 */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "psim_nest.h"
#include "psim_nest_check.h"
#include "psim_nest_run.h"
#include "psim_region.h"
#include "psim_simd.h"

typedef void kernel(long *data);

void nest_wait(struct nest *n)
{
	simd_wait(0);
	n->started = 0;
}

/* Waits until only the youngest `count` transfers may be outstanding. */
static void wait_until(struct nest *n, long count)
{
	switch (count) { /* the instruction's count is a constant */
	case 1: simd_wait(1); break;
	case 2: simd_wait(2); break;
	case 3: simd_wait(3); break;
	case 4: simd_wait(4); break;
	case 5: simd_wait(5); break;
	case 6: simd_wait(6); break;
	case 7: simd_wait(7); break;
	case 8: simd_wait(8); break;
	case 9: simd_wait(9); break;
	case 10: simd_wait(10); break;
	case 11: simd_wait(11); break;
	case 12: simd_wait(12); break;
	case 13: simd_wait(13); break;
	case 14: simd_wait(14); break;
	case 15: simd_wait(15); break;
	default: nest_wait(n); return;
	}
	n->started = count;
}

/* A run of bytes in each PE. */
struct row {
	long local, memory, run; /* memory: of PE 0 */
	long step;               /* from one PE to the next in memory */
};

/* Notes what the PEs have changed of a row; overlapping arrays keep what others have changed. */
static void note_changes(const struct slice *s, long local, long memory, const struct phase *p, long step)
{
	for (long pe = 0; pe < p->pieces; pe++)
		for (long b = 0; b < s->run; b += s->element) {
			const volatile uint32_t *in_pe = simd_pe((unsigned)pe, (uint64_t)(local + b));
			uint32_t stored[NEST_SIZE / sizeof(*in_pe)];
			long to = memory + pe * step + b;

			for (long k = 0; k < s->element / (long)sizeof(*in_pe); k++)
				stored[k] = in_pe[k];
			if (memcmp((const void *)to, stored, (size_t)s->element))
				check_change(to, stored, s->element);
		}
}

/* The scalar core copies the single at an end of each PE's piece, which is half of 8 bytes. */
static void copy_end(bool put, long local, long memory, const struct phase *p, long step)
{
	for (long pe = 0; pe < p->pieces; pe++) {
		volatile uint32_t *in_pe = (volatile uint32_t *)simd_pe((unsigned)pe, (uint64_t)local);
		uint32_t *in_memory = (uint32_t *)(memory + pe * step);

		if (put)
			*in_memory = *in_pe;
		else
			*in_pe = *in_memory;
	}
}

/* Copies the ends that a transfer cannot move. Returns whether there is something left for the transfer. */
__attribute__((noinline)) static bool copy_ends(struct nest *n, struct row *r, bool put, const struct phase *p)
{
	if (r->memory % NEST_SIZE) {
		copy_end(put, r->local, r->memory, p, r->step);
		r->local += NEST_SINGLE_SIZE;
		r->memory += NEST_SINGLE_SIZE;
		r->run -= NEST_SINGLE_SIZE;
		n->moved += NEST_SINGLE_SIZE * p->pieces;
	}
	if (r->run % NEST_SIZE) {
		r->run -= NEST_SINGLE_SIZE;
		copy_end(put, r->local + r->run, r->memory + r->run, p, r->step);
		n->moved += NEST_SINGLE_SIZE * p->pieces;
	}
	return r->run > 0;
}

/*
 * PEs without lanes run the kernel, too: they get the subscripts of PE 0, as others may be beyond an array. Such a
 * phase has one lane in each PE.
 */
__attribute__((noinline)) static void fill_idle(const struct nest *n, struct row r, const struct phase *p)
{
	for (long pe = p->pieces; pe < n->pes; pe++) {
		volatile uint32_t *to = (volatile uint32_t *)simd_pe((unsigned)pe, (uint64_t)r.local);
		const uint32_t *from = (const uint32_t *)r.memory;

		for (long b = 0; b < r.run; b += (long)sizeof(*to))
			*to++ = *from++;
	}
}

/* Returns the number of transfers: one, or none. */
static long transfer_row(struct nest *n, const struct slice *s, struct row r, bool put, const struct phase *p)
{
	if (put && n->doubt) {
		note_changes(s, r.local, r.memory, p, r.step);
		return 0;
	}
	if (s->subscripts && !put && p->pieces < n->pes)
		fill_idle(n, r, p);
	if (s->element != NEST_SIZE && !copy_ends(n, &r, put, p))
		return 0;
	if (n->started >= OUTSTANDING)
		nest_wait(n);
	n->started++;
	n->transfers++;
	n->moved += r.run * p->pieces;
	if (put)
		simd_collect_pieces(simd_all((uint64_t)r.local), (void *)r.memory, (uint32_t)r.run, (uint32_t)p->pieces,
				    r.step);
	else
		simd_deal_pieces(simd_all((uint64_t)r.local), (const void *)r.memory, (uint32_t)r.run,
				 (uint32_t)p->pieces, r.step);
	return 1;
}

long nest_transfer(struct nest *n, struct slice *s, bool put, long number, const struct phase *p, long plane)
{
	long index[LOOPS], started = 0;
	struct row r;
	int d;

	for (d = 0; d < s->dims; d++) /* of all, a call of memset takes longer */
		index[d] = 0;

	slice_lay_out(s, p->share);
	r.memory = slice_start(s, p, plane, &r.step);
	r.local = slice_buffer(s, number) + (r.memory & (NEST_SIZE - 1));
	r.run = s->run;
	do {
		started += transfer_row(n, s, r, put, p);
		for (d = 0; d < s->dims; d++) {
			const struct dim *m = &s->dim[d];
			long count = m->count + m->high - m->low;

			if (!m->row || m == s->plane)
				continue;
			r.memory += magnitude(m->stride);
			r.local += magnitude(m->local);
			if (++index[d] < count)
				break;
			index[d] = 0;
			r.memory -= count * magnitude(m->stride);
			r.local -= count * magnitude(m->local);
		}
	} while (d < s->dims);
	return started;
}

static void get_phase(struct nest *n, const struct phase *p, long number)
{
	for (int k = 0; k < n->slices; k++) {
		struct slice *s = &n->slice[k];

		if (slice_moves(s) && s->get && !s->there)
			nest_transfer(n, s, false, number, p, 0);
	}
	if (n->rows)
		nest_get_rows(n, p, number);
}

/* Memory gets the lanes' rows one by one, as long as they are. */
static long put_shorter(struct nest *n, struct slice *s, const struct phase *p, long number)
{
	const struct dim *lanes = slice_dim(s, 0);
	long step, memory, started = 0, most = s->dim[0].count;

	slice_lay_out(s, p->share);
	memory = slice_start(s, p, 0, &step);
	for (long k = 0; k < p->share * p->pieces; k++) {
		long count = n->table[NEST_FIRST] + n->table[NEST_MORE] * (p->lane + k);
		long local = slice_buffer(s, number) + k % p->share * lanes->local;

		count = count < most ? count : most;
		if (count <= 0)
			continue;
		if (n->started >= OUTSTANDING)
			nest_wait(n);
		n->started++;
		n->transfers++;
		n->moved += count * NEST_SIZE;
		simd_put((const void *)simd_pe((unsigned)(k / p->share), (uint64_t)local),
			 (void *)(memory + k * lanes->stride), (uint32_t)(count * NEST_SIZE));
		started++;
	}
	return started;
}

static long put_phase(struct nest *n, const struct phase *p, long number)
{
	long rows = 0;

	for (int k = 0; k < n->slices; k++) {
		struct slice *s = &n->slice[k];

		if (!s->write || !slice_moves(s) || s->resident || s->private_copy)
			continue;
		if (s->meets && number == 0) /* what another slice stores to the place of lane 0 is on its way */
			nest_wait(n);
		if (s->shorter)
			rows += put_shorter(n, s, p, number);
		else
			rows += nest_transfer(n, s, true, number, p, number + (s->plane ? s->plane->low : 0));
	}
	return rows;
}

/* A base of a reference of all lanes: in memory, at iteration `number` of the loop around. */
static void place_uniform(struct nest *n, long r, long number)
{
	const struct slice *s = &n->slice[n->ref[r].slice];
	long *strides = n->data + DATA_HEADER + n->references + r * n->loops;

	n->data[DATA_HEADER + r] = ref_of(n, r)[NEST_START] + (s->plane ? number * s->plane->stride : 0);
	if (s->of_rows)
		n->data[DATA_HEADER + r] = (long)SIMD_ALL_BASE + slice_buffer(s, number);
	if (s->copied)
		n->data[DATA_HEADER + r] += (long)SIMD_ALL_BASE + s->at - s->origin;
	for (long l = 0; l < n->loops; l++)
		strides[l] = stride_of(n, ref_of(n, r)[NEST_FAMILY], l);
}

static void place_reference(struct nest *n, long r, const struct phase *p, long number)
{
	const struct slice *s = &n->slice[n->ref[r].slice];
	long *strides = n->data + DATA_HEADER + n->references + r * n->loops, base = (long)SIMD_ALL_BASE;

	base += n->ref[r].rest - s->least + (s->element == NEST_SIZE ? 0 : slice_skew(s, p));
	for (int d = 0; d < s->dims; d++) {
		const struct dim *m = &s->dim[d];

		if (m == s->plane) {
			number += n->ref[r].shift[d] - m->low;
			continue;
		}
		base += (n->ref[r].shift[d] - dim_lowest(m)) * m->local;
		if (n->ref[r].loop[d] >= 0)
			strides[n->ref[r].loop[d]] = n->ref[r].back >> d & 1 ? -m->local : m->local;
	}
	for (long l = 1; n->table[NEST_JOINED] && l < n->loops; l++)
		strides[l] = strides[leader_of(n, ref_of(n, r)[NEST_FAMILY], l)];
	n->data[DATA_HEADER + r] = base + (s->buffers ? slice_buffer(s, number) : 0);
}

/* Bases and strides of all references for the kernel. */
static void place(struct nest *n, const struct phase *p, long number)
{
	for (int k = 0; k < n->slices; k++)
		if (n->slice[k].lanes)
			slice_lay_out(&n->slice[k], p->share);
	for (long r = 0; r < n->references; r++)
		if (n->slice[n->ref[r].slice].lanes)
			place_reference(n, r, p, number);
		else
			place_uniform(n, r, number);
	n->data[DATA_LANES] = p->share;
	n->data[DATA_LAST] = p->lane + p->share * p->pieces - 1;
	n->data[DATA_SUMS] = (long)SIMD_ALL_BASE;
}

static void clear_sums(const struct nest *n)
{
	for (long k = 0; k < n->sums; k++)
		*(volatile uint64_t *)simd_all(8 * (uint64_t)k) = 0;
}

static void collect_sums(struct nest *n)
{
	for (long k = 0; k < n->sums; k++)
		for (long pe = 0; pe < n->summing; pe++) {
			const volatile void *part = simd_pe((unsigned)pe, 8 * (uint64_t)k);

			switch (n->kinds[k]) {
			case NEST_REAL_SUM: n->total[k].real += *(const volatile double *)part; break;
			case NEST_INTEGER_SUM: n->total[k].whole += *(const volatile long *)part; break;
			case NEST_XOR: n->total[k].whole ^= *(const volatile long *)part; break;
			default: n->total[k].whole |= *(const volatile long *)part; break;
			}
		}
}

/* Each PE gets the number of its first lane. */
static void number_lanes(const struct nest *n, const struct phase *p)
{
	for (long pe = 0; pe < p->pieces; pe++)
		*(volatile double *)simd_pe((unsigned)pe, 8 * (uint64_t)n->sums) = (double)(p->lane + pe * p->share);
}

static void compute(struct nest *n, kernel *run, const struct phase *p, long number)
{
	place(n, p, number);
	if (n->numbered)
		number_lanes(n, p);
	if (n->rows)
		nest_count_rows(n, p);
	if (p->pieces < n->summing && number > 0) {
		collect_sums(n);
		clear_sums(n);
	}
	n->summing = p->pieces;
	simd_on();
	run(n->data);
	simd_off();
}

/* Memory gets the last lane's elements of the arrays that each lane has for itself. */
static void store_last(struct nest *n, const struct phase *p, long number)
{
	for (int k = 0; k < n->slices; k++) {
		struct slice *s = &n->slice[k];
		uint32_t *to = (uint32_t *)(s->origin + s->least);
		const volatile uint32_t *from;
		long at;

		if (!slice_moves(s) || !s->last)
			continue;
		slice_lay_out(s, p->share);
		at = slice_buffer(s, number) + slice_skew(s, p) + (p->share - 1) * slice_dim(s, 0)->local;
		from = (const volatile uint32_t *)simd_pe((unsigned)p->pieces - 1, (uint64_t)at);
		for (long b = 0; b < s->dim[0].count * s->element; b += (long)sizeof(*to))
			*to++ = *from++;
	}
}

static void phases(struct nest *n, kernel *run)
{
	struct phase p = {0}, next, last;
	long number = 0, puts = 0;

	clear_sums(n);
	if (!nest_next_phase(n, &p))
		return;
	if (n->gathers)
		nest_get_copies(n);
	get_phase(n, &p, 0);
	for (bool more = true; more; number++) {
		next = p;
		more = nest_next_phase(n, &next);
		wait_until(n, n->overlapped ? puts : 0);
		if (more && n->overlapped)
			get_phase(n, &next, number + 1);
		compute(n, run, &p, number);
		puts = put_phase(n, &p, number);
		last = p;
		if (more && !n->overlapped) {
			nest_wait(n);
			get_phase(n, &next, number + 1);
		}
		p = next;
	}
	nest_wait(n);
	if (n->leaves)
		store_last(n, &last, number - 1);
	collect_sums(n);
	for (long k = 0; k < n->sums; k++)
		memcpy(n->data + DATA_HEADER + n->references * (1 + n->loops) + k, &n->total[k], sizeof(double));
}

/* Fetches what iteration `number` of the loop around is the first to use; at the first one, all that it uses. */
static void get_planes(struct nest *n, const struct phase *p, long number)
{
	for (int k = 0; k < n->slices; k++) {
		struct slice *s = &n->slice[k];
		long window = s->plane ? s->plane->high - s->plane->low : 0;

		if (!slice_moves(s) || !s->get || (number > 0 && !s->plane))
			continue;
		for (long q = number > 0 ? number + window : 0; q <= number + window; q++)
			nest_transfer(n, s, false, q, p, q + (s->plane ? s->plane->low : 0));
	}
}

/* The loop around, in each block of lanes from its first iteration to the last. */
static void stream(struct nest *n, kernel *run)
{
	struct phase p = {0};

	if (n->gathers)
		nest_get_copies(n);
	while (nest_next_phase(n, &p)) {
		long puts = 0;

		get_planes(n, &p, 0);
		for (long number = 0; number < n->planes; number++) {
			wait_until(n, puts);
			if (number + 1 < n->planes)
				get_planes(n, &p, number + 1);
			compute(n, run, &p, number);
			puts = put_phase(n, &p, number);
		}
		nest_wait(n);
	}
}

/* ---- psim-record --check-simd ---- */

/*
 * The nest as its directive has it: a phase's data are fetched before any of its results is stored, so that lanes of
 * different PEs do not see what others store. With safelen, as many lanes fetch before any of them stores.
 */
static bool believe(struct nest *n, kernel *run)
{
	struct phase p = {0};
	bool all = true;

	if (n->gathers)
		nest_get_copies(n);
	while (nest_next_phase(n, &p)) {
		get_phase(n, &p, 0);
		nest_wait(n);
		compute(n, run, &p, 0);
		put_phase(n, &p, 0);
		if (n->chunk == 0 || (p.lane + p.share * p.pieces) % n->chunk == 0)
			all = check_changes_apply() && all;
	}
	return check_changes_apply() && all;
}

/* Keeps the memory that the nest stores to. */
static bool keep_ranges(const struct nest *n)
{
	for (int k = 0; k < n->slices; k++) {
		const struct slice *s = &n->slice[k];
		long from, to;

		if (!s->write || s->empty)
			continue;
		if (s->mixed && n->table[NEST_REGROUPED])
			return false; /* a half of a double has no value that may be near another one */
		slice_range(n, s, &from, &to);
		if (!check_range(from, to, s->mixed ? NEST_SINGLE_SIZE : s->element))
			return false;
	}
	return true;
}

/* Runs a prepared nest on the array, for the check; the scalar loop follows. */
static long run_checked(struct nest *n, kernel *run, const char *place)
{
	bool ran = keep_ranges(n);

	if (ran && n->doubt)
		ran = believe(n, run);
	else if (ran)
		(n->stream ? stream : phases)(n, run);
	if (ran)
		check_array_ran(place, n->doubt, n->table[NEST_REGROUPED] != 0);
	else
		check_cancel();
	return ran ? NEST_COMPARE : 0;
}

/* When checking, the directive of a nest whose lanes depend on each other is believed: the comparison follows. */
static bool doubted(struct nest *n)
{
	for (int k = 0; k < n->slices; k++)
		if (n->slice[k].private_copy || n->slice[k].shorter)
			return false;
	if (!n->checked || n->stream || n->table[NEST_INTERCHANGED] || !nest_jam_apart(n))
		return false;
	n->chunk = n->table[NEST_SAFELEN] > 0 ? n->table[NEST_SAFELEN] : 0;
	if (n->table[NEST_SAFELEN] != NEST_CONCURRENT && nest_forward(n, n->chunk))
		return false;
	n->doubt = n->why;
	return true;
}

/* Returns whether there is an array with lanes to run, and the routine has room for the nest. */
static bool has_room(struct nest *n)
{
	if (n->pes == 0)
		return nest_refuse(n, "no array");
	if (n->lanes <= 0 || (n->stream && n->planes <= 0)) {
		n->passing = true;
		return nest_refuse(n, "no lanes");
	}
	if (n->loops > LOOPS || n->references > REFS || n->sums + n->numbered > SUMS)
		return nest_refuse(n, "more loops, references or sums than the routine has room for");
	if (n->numbered && n->lanes >> 32)
		return nest_refuse(n, "more lanes than a PE can number");
	return true;
}

/* Decides which slices are fetched before the lanes run. */
static void choose_fetched(struct nest *n)
{
	for (int k = 0; k < n->slices; k++) {
		slice_choose_runs(n, k);
		n->leaves |= n->slice[k].last;
		n->slice[k].get = (n->slice[k].get || n->doubt) && !n->slice[k].private_copy;
	}
}

bool nest_prepare(struct nest *n)
{
	if (!has_room(n) || !nest_make_slices(n) || !nest_survey(n) || (!nest_independent(n) && !doubted(n)))
		return false;
	choose_fetched(n);
	n->resident = n->table[NEST_RESIDENT] && !n->stream && !n->checked && resident_place(n);
	if (!n->resident && resident_runs > 0)
		resident_release(n);
	return (n->resident || nest_choose_share(n)) && nest_transferable(n) && nest_fixed_strides(n) &&
	       (n->chosen || !n->table[NEST_AUTO] || nest_worth_it(n));
}

/*
 * Runs a nest: returns 1, or 0 if the scalar loop has to do it; NEST_COMPARE, if it has to do it and psim_nest_compare
 * then compares. With PSIM_NEST_REPORT in the environment, lines on stderr say how (psim_nest_report.c).
 */
long psim_nest_run(const long *table, long *data, const char *place);

/* The first kernel that can run and has no more lanes at a time than a PE, or the last one that can; or NULL. */
static const long *usable_variant(const struct nest *n)
{
	const long *v = n->refs + n->references * NEST_REF, *found = NULL;
	long pes = (long)simd_pes();

	for (long k = 0; k < n->table[NEST_VARIANTS]; k++, v += NEST_VARIANT) {
		if (!*(const long *)v[NEST_USABLE])
			continue;
		found = v;
		if (v[NEST_UNIT] * pes <= n->lanes)
			return v;
	}
	return found;
}

void nest_set_up(struct nest *n, const long *table, long *data)
{
	memset(n, 0, offsetof(struct nest, slice)); /* what follows is filled as far as it is used */
	n->table = table;
	n->data = data;
	n->lanes = table[NEST_LANES];
	n->loops = table[NEST_LOOPS];
	n->families = table[NEST_FAMILIES];
	n->references = table[NEST_REFS];
	n->sums = table[NEST_SUMS];
	n->stream = table[NEST_STREAM];
	n->counts = table + NEST_HEADER;
	n->planes = n->stream ? n->counts[n->stream] : 0;
	n->work = n->counts + n->loops;
	n->strides = n->work + n->loops * NEST_WORK;
	n->extents = n->strides + n->families * n->loops;
	n->ranges = n->extents + n->families * n->loops;
	n->refs = n->ranges + 2 * n->families;
	n->chains = n->refs + n->references * NEST_REF + table[NEST_VARIANTS] * NEST_VARIANT;
	n->dividers = n->chains + n->loops;
	n->numbered = n->dividers[n->loops] & 1;
	n->gathers = n->dividers[n->loops] >> NEST_GATHERS;
	n->rows = NULL;
	n->kinds = n->dividers + n->loops + 1;
	n->gather = n->kinds + n->sums;
	if (n->dividers[n->loops] >> NEST_HAS_ROWS & 1)
		n->rows = n->gather + n->gathers * NEST_GATHER;
	n->variant = usable_variant(n);
	n->pes = n->variant ? (long)simd_pes() : 0;
	n->bytes = (long)simd_sbm_bytes();
}

void nest_compute(struct nest *n)
{
	(n->stream ? stream : phases)(n, (kernel *)n->variant[NEST_KERNEL]);
}

/* Passes a run, on the array or not, to psim-record: a few instructions, since that does the reckoning. */
static void pass_on_run(const struct nest *n, bool array, const char *place)
{
	const long told[NEST_TOLD] = {
		[TOLD_PLACE] = (long)place,
		[TOLD_TABLE] = (long)n->table,
		[TOLD_PES] = array ? n->pes : 0,
		[TOLD_MOVED] = n->moved,
		[TOLD_WHY] = array ? 0 : (long)n->why,
		[TOLD_OVERLAPPED] = n->overlapped,
		[TOLD_TRANSFERS] = n->transfers,
	};

	PSIM_REGION_MARK((const char *)told, NEST_RAN);
}

long psim_nest_run(const long *table, long *data, const char *place)
{
	struct nest n;
	bool array;
	long result;

	psim_nest_lasting = 0;
	if (check_open())
		return 0;
	nest_set_up(&n, table, data);
	n.checked = check_wanted() && !table[NEST_AUTO]; /* it has a directive */
	array = nest_prepare(&n);
	result = array;
	psim_nest_lasting = !array && !n.passing;
	if (!array && resident_runs > 0)
		resident_release(&n);
	nest_remember(&n, array);
	if (array && n.checked)
		result = run_checked(&n, (kernel *)n.variant[NEST_KERNEL], place);
	else if (array)
		nest_compute(&n);
	if (n.resident && array)
		resident_commit(&n);
	if (n.pes > 0 && n.lanes > 0 && !n.checked)
		pass_on_run(&n, array, place);
	if (nest_report_wanted())
		nest_report(&n, array, place);
	return result;
}
