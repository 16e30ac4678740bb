/*
 * Calls as events of an OTF2 archive: a region for each, with the events that Score-P would write in it. What an
 * archive has no place for, such as the sizes of elements, is in an attribute: the call's event in a trace of ours.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../psim/base/hash.h"
#include "call_record.h"
#include "otf2_write_parts.h"

enum { LINE_WORDS = 4 };

/* A line: its event, words and settings. */
struct written_line {
	struct archive_writer *w;
	struct writer_rank *r;
	const struct archive_call *call;
	struct err *e;
	char *text;                   /* event, words, op= and check=: what the attribute has */
	char *rest;                   /* a copy, whose words end */
	char *word[LINE_WORDS + 1];   /* the event, its first words */
	long long request, win, made; /* -1: none */
	uint32_t comm, root;          /* comm: in the archive */
	size_t taken;                 /* messages of call->received */
};

/* ---- reading the line ---- */

/* The number in the archive of the rank's communicator or window; 0 for one of a call that failed. */
#define NUMBERED(list, number) ((number) >= 1 && (size_t)(number) <= (list)->count ? (list)->at[(number)-1] : 0)

/* Takes a setting out of the line; returns whether it was one that the attribute does not have. */
static bool take_setting(struct written_line *l, const char *word)
{
	static const char *const names[] = {"comm=", "root=", "req=", "win=", "new="};
	long long value;
	size_t i = 0;

	while (i < 5 && strncmp(word, names[i], strlen(names[i])) != 0)
		i++;
	if (i == 5)
		return false;
	value = strtoll(word + strlen(names[i]), NULL, 10);
	switch (i) {
	case 0: l->comm = strcmp(word, "comm=self") == 0 ? WRITER_SELF : NUMBERED(&l->r->comms, value); break;
	case 1: l->root = (uint32_t)value; break;
	case 2: l->request = value; break;
	case 3: l->win = value; break;
	default: l->made = value;
	}
	return true;
}

/* Splits the line; false if memory is short. */
static bool split_line(struct written_line *l)
{
	size_t length = strlen(l->call->line);
	char *save, *to, *word;
	unsigned words = 0;

	l->rest = malloc(2 * (length + 1));
	if (!l->rest)
		return false;
	l->text = to = l->rest + length + 1;
	*to = '\0';
	memcpy(l->rest, l->call->line, length + 1);
	for (word = strtok_r(l->rest, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		if (take_setting(l, word))
			continue;
		to += sprintf(to, "%s%s", words ? " " : "", word);
		if (words <= LINE_WORDS)
			l->word[words] = word;
		words++;
	}
	return words > 0;
}

/* Bytes of a part: "1000", "1000x8", "10,20,30x8". */
static uint64_t bytes_of(const char *part)
{
	uint64_t count = 0;
	char *end;

	if (!part)
		return 0;
	for (;; part = end + 1) {
		count += strtoull(part, &end, 10);
		if (*end != ',')
			break;
	}
	return *end == 'x' ? count * strtoull(end + 1, NULL, 10) : count;
}

static bool is_none(const char *word)
{
	return word && strcmp(word, "none") == 0;
}

/* ---- helpers of events ---- */

/* The next message that the call has received; with a request, that of the request. */
static const struct archive_received *next_received(struct written_line *l, const uint32_t *request)
{
	for (size_t i = request ? 0 : l->taken; i < l->call->received_count; i++)
		if (!request || l->call->received[i].request == *request) {
			l->taken = i + 1;
			return &l->call->received[i];
		}
	return NULL;
}

static OTF2_AttributeList *add_own_form(struct archive_writer *w, OTF2_StringRef text)
{
	writer_check(w, OTF2_AttributeList_AddStringRef(w->attributes, WRITER_ATTRIBUTE, text));
	return w->attributes; /* the event that it is written with empties it */
}

/* Notes what the line's request is. */
static void begin_written(struct written_line *l, struct written_request request)
{
	struct written_request *q;

	while (l->r->requests.count <= (size_t)l->request) {
		q = vec_push(&l->r->requests, l->e);
		if (!q) {
			l->w->failed = true;
			return;
		}
		*q = (struct written_request){0};
	}
	q = &l->r->requests.at[l->request];
	request.handle = l->call->request;
	*q = request;
}

static OTF2_TimeStamp time_begun(const struct written_line *l)
{
	return (OTF2_TimeStamp)l->call->from;
}

static OTF2_TimeStamp time_ended(const struct written_line *l)
{
	return (OTF2_TimeStamp)l->call->to;
}

/* ---- messages ---- */

/* The message of the line's first three words. */
static void archived_send(struct written_line *l)
{
	OTF2_EvtWriter *at = l->r->events;
	uint32_t peer = (uint32_t)strtoul(l->word[1], NULL, 10), number = (uint32_t)strtoul(l->word[2], NULL, 10);
	uint64_t bytes = bytes_of(l->word[3]);
	OTF2_CommRef comm = l->comm;

	if (l->request < 0) {
		writer_check(l->w, OTF2_EvtWriter_MpiSend(at, NULL, time_begun(l), peer, comm, number, bytes));
		return;
	}
	begin_written(l, (struct written_request){.kind = ARCHIVED_SEND, .id = ++l->r->ids});
	writer_check(l->w, OTF2_EvtWriter_MpiIsend(at, NULL, time_begun(l), peer, comm, number, bytes, l->r->ids));
}

static void write_received(struct written_line *l)
{
	const struct archive_received *got = next_received(l, NULL);

	if (got && got->source >= 0)
		writer_check(l->w, OTF2_EvtWriter_MpiRecv(l->r->events, NULL, time_ended(l), (uint32_t)got->source,
							  l->comm, (uint32_t)got->tag, got->bytes));
}

static void archived_recv(struct written_line *l)
{
	if (l->request < 0) {
		write_received(l);
		return;
	}
	begin_written(l, (struct written_request){.kind = ARCHIVED_RECV, .id = ++l->r->ids, .comm = l->comm});
	writer_check(l->w, OTF2_EvtWriter_MpiIrecvRequest(l->r->events, NULL, time_begun(l), l->r->ids));
}

static void archived_exchange(struct written_line *l)
{
	if (!is_none(l->word[1]))
		archived_send(l);
	write_received(l);
}

/* ---- collective operations ---- */

/* Bytes that a rank sends or receives, from the bytes of a word: as many, as many for each rank, … */
enum amount { NOTHING, PART, EACH, ROOT_EACH, ROOT_PART, RANKS_AFTER, RANKS_BEFORE, RANKS_UP_TO, OTHERS_AFTER };

static uint64_t amount_of(const struct written_line *l, enum amount amount, uint64_t part)
{
	struct group *g = l->w->comm.at[l->comm].group;
	uint64_t ranks = g ? g->size : 1, local = g ? (uint64_t)group_local(g, l->call->rank) : 0;
	bool root = local == l->root;

	switch (amount) {
	case PART: return part;
	case EACH: return part * ranks;
	case ROOT_EACH: return root ? part * ranks : 0;
	case ROOT_PART: return root ? part : 0;
	case RANKS_AFTER: return part * (ranks - local);
	case OTHERS_AFTER: return part * (ranks - local - 1);
	case RANKS_BEFORE: return part * local;
	case RANKS_UP_TO: return part * (local + 1);
	default: return 0;
	}
}

/* The amounts that Score-P writes, of the line's first and its last count of elements. */
static const struct written_collective {
	const char *name;
	bool rooted;
	unsigned words;
	OTF2_CollectiveOp op;
	enum amount sent, received;
} collectives[] = {
#define COLLECTIVE(name, begin, arguments, doc)
#define TRACED(name, begin, arguments, doc, start, event, otf2, sent, received) \
	{#event, HAS(arguments) & BIT(ROOT), COUNTS_OF(arguments), OTF2_COLLECTIVE_OP_##otf2, sent, received},
#include "../api/collective_calls.def"
#undef COLLECTIVE
};

static void archived_collective(struct written_line *l)
{
	OTF2_EvtWriter *at = l->r->events;
	const struct written_collective *c = collectives;
	struct written_request q;

	while (strcmp(c->name, l->word[0]) != 0)
		c++;
	q = (struct written_request){
		.kind = ARCHIVED_COLLECTIVE,
		.op = c->op,
		.comm = l->comm,
		.root = c->rooted ? l->root : OTF2_COLLECTIVE_ROOT_NONE,
		.sent = amount_of(l, c->sent, bytes_of(l->word[1])),
		.received = amount_of(l, c->received, bytes_of(l->word[c->words])),
		.text = writer_string(l->w, l->text),
	};

	if (l->request >= 0) {
		q.id = ++l->r->ids;
		begin_written(l, q);
		writer_check(l->w, OTF2_EvtWriter_NonBlockingCollectiveRequest(at, NULL, time_begun(l), q.id));
		return;
	}
	writer_check(l->w, OTF2_EvtWriter_MpiCollectiveBegin(at, NULL, time_begun(l)));
	writer_check(l->w, OTF2_EvtWriter_MpiCollectiveEnd(at, add_own_form(l->w, q.text), time_ended(l), c->op, q.comm,
							   q.root, q.sent, q.received));
}

/* The rank's next number of a communicator or window means this one in the archive. */
static void number_given(struct written_line *l, uint32_t ref, bool window)
{
	uint32_t *at = window ? vec_push(&l->r->windows, l->e) : vec_push(&l->r->comms, l->e);

	if (at)
		*at = ref;
	else
		l->w->failed = true;
}

/* Making a communicator. */
static void archived_split(struct written_line *l)
{
	OTF2_EvtWriter *at = l->r->events;

	if (l->made >= 0)
		number_given(l, writer_comm(l->w, l->call->made, l->call->group), false);
	if (l->comm == WRITER_SELF)
		return;
	writer_check(l->w, OTF2_EvtWriter_MpiCollectiveBegin(at, NULL, time_begun(l)));
	writer_check(l->w, OTF2_EvtWriter_MpiCollectiveEnd(at, NULL, time_ended(l), OTF2_COLLECTIVE_OP_CREATE_HANDLE,
							   l->comm, OTF2_COLLECTIVE_ROOT_NONE, 0, 0));
}

/* ---- windows ---- */

/* The window is known since it was made. */
static OTF2_RmaWinRef window_of(const struct written_line *l)
{
	return NUMBERED(&l->r->windows, l->win);
}

/* Making or freeing a window, or a fence. */
static void write_window_collective(struct written_line *l, OTF2_CollectiveOp op, uint32_t win)
{
	OTF2_EvtWriter *at = l->r->events;
	OTF2_AttributeList *own =
		op == OTF2_COLLECTIVE_OP_BARRIER ? add_own_form(l->w, writer_string(l->w, l->text)) : NULL;

	writer_check(l->w, OTF2_EvtWriter_RmaCollectiveBegin(at, NULL, time_begun(l)));
	writer_check(l->w, OTF2_EvtWriter_RmaCollectiveEnd(at, own, time_ended(l), op,
							   OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY,
							   win, OTF2_COLLECTIVE_ROOT_NONE, 0, 0));
}

static void archived_fence(struct written_line *l)
{
	write_window_collective(l, OTF2_COLLECTIVE_OP_BARRIER, window_of(l));
}

static void archived_window(struct written_line *l)
{
	uint32_t win = writer_window(l->w, l->call->made, l->comm);

	number_given(l, win, true);
	write_window_collective(l, OTF2_COLLECTIVE_OP_CREATE_HANDLE, win);
	writer_check(l->w, OTF2_EvtWriter_RmaWinCreate(l->r->events, add_own_form(l->w, writer_string(l->w, l->text)),
						       time_ended(l), win));
}

static void archived_window_free(struct written_line *l)
{
	write_window_collective(l, OTF2_COLLECTIVE_OP_DESTROY_HANDLE, window_of(l));
	writer_check(l->w, OTF2_EvtWriter_RmaWinDestroy(l->r->events, add_own_form(l->w, writer_string(l->w, l->text)),
							time_ended(l), window_of(l)));
}

static void archived_access(struct written_line *l)
{
	OTF2_EvtWriter *at = l->r->events;
	uint32_t win = window_of(l), target = (uint32_t)strtoul(l->word[1], NULL, 10);
	uint64_t bytes = bytes_of(l->word[3]), id = ++l->r->ids;
	OTF2_AttributeList *own = add_own_form(l->w, writer_string(l->w, l->text));

	if (l->request >= 0)
		begin_written(l, (struct written_request){.kind = ARCHIVED_WINDOW, .id = id, .comm = win});
	if (strcmp(l->word[0], "put") == 0)
		writer_check(l->w, OTF2_EvtWriter_RmaPut(at, own, time_begun(l), win, target, bytes, id));
	else if (strcmp(l->word[0], "get") == 0)
		writer_check(l->w, OTF2_EvtWriter_RmaGet(at, own, time_begun(l), win, target, bytes, id));
	else if (strcmp(l->word[0], "accumulate") == 0)
		writer_check(l->w, OTF2_EvtWriter_RmaAtomic(at, own, time_begun(l), win, target,
							    OTF2_RMA_ATOMIC_TYPE_ACCUMULATE, bytes, 0, id));
	else
		writer_check(l->w,
			     OTF2_EvtWriter_RmaAtomic(at, own, time_begun(l), win, target,
						      OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE, bytes, bytes, id));
	if (l->request >= 0)
		writer_check(l->w, OTF2_EvtWriter_RmaOpCompleteNonBlocking(at, NULL, time_begun(l), win, id));
}

/* Writes a call of synchronization for one rank. */
static void write_sync(struct written_line *l, OTF2_AttributeList *own, uint32_t remote)
{
	OTF2_EvtWriter *at = l->r->events;
	uint32_t win = window_of(l);
	const char *event = l->word[0];
	OTF2_LockType type =
		l->word[2] && strcmp(l->word[2], "exclusive") == 0 ? OTF2_LOCK_EXCLUSIVE : OTF2_LOCK_SHARED;

	if (strncmp(event, "lock", 4) == 0) {
		writer_check(l->w, OTF2_EvtWriter_RmaRequestLock(at, own, time_begun(l), win, remote, 0, type));
		writer_check(l->w, OTF2_EvtWriter_RmaAcquireLock(at, NULL, time_begun(l), win, remote, 0, type));
	} else if (strncmp(event, "unlock", 6) == 0) {
		writer_check(l->w, OTF2_EvtWriter_RmaReleaseLock(at, own, time_begun(l), win, remote, 0));
	} else {
		writer_check(l->w, OTF2_EvtWriter_RmaSync(at, own, time_begun(l), win, remote,
							  strcmp(event, "post") == 0    ? OTF2_RMA_SYNC_TYPE_NOTIFY_OUT
							  : strcmp(event, "start") == 0 ? OTF2_RMA_SYNC_TYPE_NOTIFY_IN
											: OTF2_RMA_SYNC_TYPE_MEMORY));
	}
}

/* Synchronization with a rank, with several ranks, with all, or with the rank itself; the first event has our form. */
static void archived_syncs(struct written_line *l)
{
	struct group *g = l->w->comm.at[l->w->window.at[window_of(l)].comm].group;
	OTF2_AttributeList *own = add_own_form(l->w, writer_string(l->w, l->text));
	const char *ranks = l->word[1];
	bool all = strstr(l->word[0], "lock_all") || (ranks && strcmp(ranks, "all") == 0);
	uint32_t self = g ? (uint32_t)group_local(g, l->call->rank) : 0;

	if (all) {
		for (uint32_t i = 0; i < (g ? g->size : 1); i++, own = NULL)
			write_sync(l, own, i);
		return;
	}
	if (!ranks || is_none(ranks) || strncmp(ranks, "check", 5) == 0) {
		write_sync(l, own, self);
		return;
	}
	for (char *end;; ranks = end + 1, own = NULL) {
		write_sync(l, own, (uint32_t)strtoul(ranks, &end, 10));
		if (*end != ',')
			break;
	}
}

/* ---- waits ---- */

static void written_finished(struct written_line *l, const struct written_request *q)
{
	OTF2_EvtWriter *at = l->r->events;
	const struct archive_received *got;

	switch (q->kind) {
	case ARCHIVED_SEND: writer_check(l->w, OTF2_EvtWriter_MpiIsendComplete(at, NULL, time_ended(l), q->id)); break;
	case ARCHIVED_RECV:
		got = next_received(l, &q->handle);
		if (got && got->source >= 0)
			writer_check(l->w, OTF2_EvtWriter_MpiIrecv(at, NULL, time_ended(l), (uint32_t)got->source,
								   q->comm, (uint32_t)got->tag, got->bytes, q->id));
		break;
	case ARCHIVED_COLLECTIVE:
		writer_check(l->w, OTF2_EvtWriter_NonBlockingCollectiveComplete(at, add_own_form(l->w, q->text),
										time_ended(l), q->op, q->comm, q->root,
										q->sent, q->received, q->id));
		break;
	case ARCHIVED_WINDOW:
		writer_check(l->w, OTF2_EvtWriter_RmaOpCompleteBlocking(at, NULL, time_ended(l), q->comm, q->id));
		break;
	default: break;
	}
}

static void archived_wait(struct written_line *l)
{
	const char *at = l->call->line + strlen("wait");
	char *end;

	for (; *at == ' '; at = end) {
		unsigned long number = strtoul(at + 1, &end, 10);

		if (number >= l->r->requests.count)
			continue;
		written_finished(l, &l->r->requests.at[number]);
		l->r->requests.at[number].kind = ARCHIVED_NONE;
	}
}

/* ---- lines ---- */

/* A message or an operation to or from nobody has no event; its time is computation. */
static bool has_event(struct written_line *l)
{
	if (strcmp(l->word[0], "split") == 0 || !is_none(l->word[1]) || strcmp(l->word[0], "post") == 0 ||
	    strcmp(l->word[0], "start") == 0)
		return true;
	if (strcmp(l->word[0], "sendrecv") == 0)
		return !is_none(l->word[4]);
	if (l->request >= 0)
		begin_written(l, (struct written_request){.kind = ARCHIVED_NONE});
	return false;
}

static void archived_nothing(struct written_line *l)
{
	(void)l;
}

static void written_event(struct written_line *l)
{
	static const struct {
		const char *name;
		void (*write)(struct written_line *l);
	} events[] = {
#define EVENT(name, words, archived) {#name, archived_##archived},
#include "events.def"
	};

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (strcmp(events[i].name, l->word[0]) == 0) {
			events[i].write(l);
			return;
		}
}

/* A probe has no event of its own: its region has our form, with the archive's communicator. */
static OTF2_AttributeList *form_of_probe(struct written_line *l)
{
	char text[100];

	if (strcmp(l->word[0], "probe") != 0)
		return NULL;
	snprintf(text, sizeof(text), "%s comm=%u", l->text, l->comm);
	return add_own_form(l->w, writer_string(l->w, text));
}

/* Computation from the last call until now. */
static void write_computation(struct archive_writer *w, struct writer_rank *r, int64_t now)
{
	if (now > r->last) {
		writer_check(w, OTF2_EvtWriter_Enter(r->events, NULL, (OTF2_TimeStamp)r->last, WRITER_COMPUTATION));
		writer_check(w, OTF2_EvtWriter_Leave(r->events, NULL, (OTF2_TimeStamp)now, WRITER_COMPUTATION));
	}
	w->latest = now > w->latest ? now : w->latest;
	r->last = now;
}

static void hash_call(struct archive_writer *w, const struct archive_call *call)
{
	w->hash = hash_bytes(w->hash, &call->rank, sizeof(call->rank));
	w->hash = hash_bytes(w->hash, &call->to, sizeof(call->to));
	w->hash = hash_bytes(w->hash, call->line, strlen(call->line));
}

int archive_write_call(struct archive_writer *w, const struct archive_call *call, struct err *e)
{
	struct writer_rank *r = &w->rank[call->rank];
	struct written_line l = {
		.w = w, .r = r, .call = call, .e = e, .request = -1, .win = -1, .made = -1, .comm = WRITER_WORLD};
	OTF2_RegionRef region;

	hash_call(w, call);
	if (!split_line(&l)) {
		free(l.rest);
		return err_set(e, STATUS_FAILED, "%s: out of memory", w->name);
	}
	if (has_event(&l)) {
		write_computation(w, r, call->from);
		region = writer_region(w, call_mpi_name(call->call), call->call);
		writer_check(w, OTF2_EvtWriter_Enter(r->events, form_of_probe(&l), time_begun(&l), region));
		written_event(&l);
		writer_check(w, OTF2_EvtWriter_Leave(r->events, NULL, time_ended(&l), region));
		r->last = call->to;
		w->latest = call->to > w->latest ? call->to : w->latest;
	}
	free(l.rest);
	return w->failed
		       ? err_set(e, STATUS_FAILED, "%s: the OTF2 archive cannot be written: %s", w->name, w->complaint)
		       : 0;
}

void archive_write_end(struct archive_writer *w, uint32_t rank, int64_t time)
{
	struct writer_rank *r = &w->rank[rank];

	write_computation(w, r, time);
	writer_check(w, OTF2_EvtWriter_ProgramEnd(r->events, NULL, (OTF2_TimeStamp)time, 0));
}
