/*
 * Writes an OTF2 archive, as Score-P would, from lines of text on stdin: otf2-writer FOLDER makes FOLDER/traces.otf2.
 *
 *     ranks N TICKS         ranks, ticks per second of the clock; first
 *     comm C self           communicator C: each rank's own
 *     comm C RANK…          communicator C of these ranks
 *     locals                communicators have the number C + 100 in events, which local definitions map
 *     R T NAME NUMBER…      an event of rank R at tick T; below, with its numbers
 *     own WORD…             the next event has this as nsim's own form
 */
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 64, NUMBERS = 64, COMMS = 16 };

struct writer {
	OTF2_Archive *archive;
	OTF2_GlobalDefWriter *global;
	OTF2_EvtWriter *events[RANKS];
	uint64_t count[RANKS], last;
	unsigned long long number[NUMBERS]; /* of the line */
	unsigned numbers, ranks, strings, groups, comms, comm[COMMS];
	uint64_t ticks;
	int locals, owns;
	OTF2_AttributeList *own; /* of the next event */
};

static OTF2_FlushType flush_always(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)user, (void)type, (void)location, (void)caller, (void) final;
	return OTF2_FLUSH;
}

static OTF2_TimeStamp after_flush(void *user, OTF2_FileType type, OTF2_LocationRef location)
{
	(void)type, (void)location;
	return ((struct writer *)user)->last;
}

static void need(int right, const char *what)
{
	if (right)
		return;
	fprintf(stderr, "otf2-writer: %s\n", what);
	exit(1);
}

static OTF2_StringRef text_of(struct writer *w, const char *text)
{
	OTF2_GlobalDefWriter_WriteString(w->global, w->strings, text);
	return w->strings++;
}

/* The events that a line can have; its numbers are a … f. */
#define EVENTS(EVENT) \
	EVENT(enter, 0, OTF2_EvtWriter_Enter(at, w->own, time, 0)) \
	EVENT(leave, 0, OTF2_EvtWriter_Leave(at, w->own, time, 0)) \
	EVENT(enter_own, 0, OTF2_EvtWriter_Enter(at, w->own, time, 1)) \
	EVENT(leave_own, 0, OTF2_EvtWriter_Leave(at, w->own, time, 1)) \
	EVENT(flush, 1, OTF2_EvtWriter_BufferFlush(at, w->own, time, n[0])) \
	EVENT(send, 4, OTF2_EvtWriter_MpiSend(at, w->own, time, to, comm, tag, n[3])) \
	EVENT(recv, 4, OTF2_EvtWriter_MpiRecv(at, w->own, time, to, comm, tag, n[3])) \
	EVENT(isend, 5, OTF2_EvtWriter_MpiIsend(at, w->own, time, to, comm, tag, n[3], n[4])) \
	EVENT(isend_complete, 1, OTF2_EvtWriter_MpiIsendComplete(at, w->own, time, n[0])) \
	EVENT(irecv_request, 1, OTF2_EvtWriter_MpiIrecvRequest(at, w->own, time, n[0])) \
	EVENT(irecv, 5, OTF2_EvtWriter_MpiIrecv(at, w->own, time, to, comm, tag, n[3], n[4])) \
	EVENT(put, 4, OTF2_EvtWriter_RmaPut(at, w->own, time, comm, to, n[2], n[3])) \
	EVENT(test, 1, OTF2_EvtWriter_MpiRequestTest(at, w->own, time, n[0])) \
	EVENT(cancelled, 1, OTF2_EvtWriter_MpiRequestCancelled(at, w->own, time, n[0])) \
	EVENT(begin, 0, OTF2_EvtWriter_MpiCollectiveBegin(at, w->own, time)) \
	EVENT(end, 5, OTF2_EvtWriter_MpiCollectiveEnd(at, w->own, time, (uint8_t)to, comm, tag, n[3], n[4])) \
	EVENT(request, 1, OTF2_EvtWriter_NonBlockingCollectiveRequest(at, w->own, time, n[0])) \
	EVENT(complete, 6, \
	      OTF2_EvtWriter_NonBlockingCollectiveComplete(at, w->own, time, (uint8_t)to, comm, tag, n[3], n[4], \
							   n[5]))

/* In the archive's numbers: receiver, communicator, tag; or operation, communicator, root. */
static void write_event_line(struct writer *w, unsigned rank, uint64_t time, const char *name)
{
	const unsigned long long *n = w->number;
	uint32_t to = (uint32_t)n[0], comm = (uint32_t)n[1] + (w->locals ? 100 : 0), tag = (uint32_t)n[2];
	OTF2_EvtWriter *at;

	need(rank < w->ranks, "rank");
	at = w->events[rank];
	w->count[rank]++;
	w->last = time > w->last ? time : w->last;
#define EVENT(word, wanted, call) \
	if (strcmp(name, #word) == 0) { \
		need(w->numbers == (wanted), name); \
		need((call) == OTF2_SUCCESS, name); \
		return; \
	}
	EVENTS(EVENT)
	need(0, name);
}

static void begin_archive(struct writer *w, const char *folder)
{
	static const OTF2_FlushCallbacks flush = {flush_always, after_flush};

	w->archive =
		OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
				  OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	need(w->archive != NULL, folder);
	OTF2_Archive_SetFlushCallbacks(w->archive, &flush, w);
	OTF2_Archive_SetSerialCollectiveCallbacks(w->archive);
	OTF2_Archive_OpenEvtFiles(w->archive);
	for (unsigned i = 0; i < w->ranks; i++)
		w->events[i] = OTF2_Archive_GetEvtWriter(w->archive, 10 + i);
	w->global = OTF2_Archive_GetGlobalDefWriter(w->archive);
	text_of(w, "");
	w->own = OTF2_AttributeList_New();
}

/* Ranks' locations are 10, 11, …; regions 0 and 1 are one of MPI and one of the program. */
static void write_ranks(struct writer *w)
{
	uint64_t all[RANKS];

	for (unsigned i = 0; i < w->ranks; i++)
		all[i] = 10 + i;
	OTF2_GlobalDefWriter_WriteRegion(w->global, 0, text_of(w, "MPI_Call"), 0, 0, OTF2_REGION_ROLE_FUNCTION,
					 OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, 0, 0, 0);
	OTF2_GlobalDefWriter_WriteRegion(w->global, 1, text_of(w, "own"), 0, 0, OTF2_REGION_ROLE_FUNCTION,
					 OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, 0, 0, 0);
	OTF2_GlobalDefWriter_WriteSystemTreeNode(w->global, 0, text_of(w, "machine"), 0,
						 OTF2_UNDEFINED_SYSTEM_TREE_NODE);
	OTF2_GlobalDefWriter_WriteGroup(w->global, w->groups++, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
					OTF2_GROUP_FLAG_NONE, w->ranks, all);
}

static void write_comm_line(struct writer *w, int self)
{
	uint64_t members[NUMBERS];

	for (unsigned i = 1; i < w->numbers; i++)
		members[i - 1] = w->number[i];
	OTF2_GlobalDefWriter_WriteGroup(w->global, w->groups, 0,
					self ? OTF2_GROUP_TYPE_COMM_SELF : OTF2_GROUP_TYPE_COMM_GROUP,
					OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, self ? 0 : w->numbers - 1, members);
	OTF2_GlobalDefWriter_WriteComm(w->global, (uint32_t)w->number[0], 0, w->groups++, OTF2_UNDEFINED_COMM,
				       OTF2_COMM_FLAG_NONE);
	need(w->comms < COMMS, "communicators");
	w->comm[w->comms++] = (unsigned)w->number[0];
}

/* `text` is nsim's own form of the next event. */
static void write_own(struct writer *w, const char *text)
{
	if (!w->owns++)
		OTF2_GlobalDefWriter_WriteAttribute(w->global, 0, text_of(w, "psim event"), 0, OTF2_TYPE_STRING);
	OTF2_AttributeList_AddStringRef(w->own, 0, text_of(w, text));
}

static void write_locals(struct writer *w, OTF2_DefWriter *at)
{
	OTF2_IdMap *map = OTF2_IdMap_Create(OTF2_ID_MAP_SPARSE, COMMS);

	for (unsigned i = 0; i < w->comms; i++)
		OTF2_IdMap_AddIdPair(map, w->comm[i] + 100, w->comm[i]);
	OTF2_DefWriter_WriteMappingTable(at, OTF2_MAPPING_COMM, map);
	OTF2_IdMap_Free(map);
}

static void end_archive(struct writer *w)
{
	if (w->ticks)
		OTF2_GlobalDefWriter_WriteClockProperties(w->global, w->ticks, 0, w->last + 1, 0);
	OTF2_Archive_OpenDefFiles(w->archive);
	for (unsigned i = 0; i < w->ranks; i++) {
		OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(w->archive, 10 + i);

		if (w->locals)
			write_locals(w, local);
		OTF2_Archive_CloseDefWriter(w->archive, local);
		OTF2_GlobalDefWriter_WriteLocationGroup(w->global, i, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
							OTF2_UNDEFINED_LOCATION_GROUP);
		OTF2_GlobalDefWriter_WriteLocation(w->global, 10 + i, 0, OTF2_LOCATION_TYPE_CPU_THREAD, w->count[i], i);
		OTF2_Archive_CloseEvtWriter(w->archive, w->events[i]);
	}
	OTF2_Archive_CloseDefFiles(w->archive);
	OTF2_Archive_CloseEvtFiles(w->archive);
	OTF2_AttributeList_Delete(w->own);
	need(OTF2_Archive_Close(w->archive) == OTF2_SUCCESS, "close");
}

/* Reads the numbers of a line. */
static void read_numbers(struct writer *w)
{
	const char *word;

	for (w->numbers = 0; (word = strtok(NULL, " \n")); w->numbers++) {
		need(w->numbers < NUMBERS, "numbers");
		w->number[w->numbers] = strtoull(word, NULL, 10);
	}
}

int main(int argc, char **argv)
{
	static struct writer w;
	char line[1000];

	need(argc == 2, "expected the archive's folder");
	while (fgets(line, sizeof(line), stdin)) {
		int self = strstr(line, "self") != NULL;
		const char *word, *name;
		uint64_t time;

		if (strncmp(line, "own ", 4) == 0) {
			line[strcspn(line, "\n")] = '\0';
			write_own(&w, line + 4);
			continue;
		}
		word = strtok(line, " \n");
		if (!word)
			continue;
		memset(w.number, 0, sizeof(w.number));
		if (strcmp(word, "ranks") == 0) {
			read_numbers(&w);
			w.ranks = (unsigned)w.number[0];
			w.ticks = w.number[1];
			need(w.ranks <= RANKS, "ranks");
			begin_archive(&w, argv[1]);
			write_ranks(&w);
		} else if (strcmp(word, "comm") == 0) {
			read_numbers(&w);
			write_comm_line(&w, self);
		} else if (strcmp(word, "locals") == 0) {
			w.locals = 1;
		} else {
			time = strtoull(strtok(NULL, " \n"), NULL, 10);
			name = strtok(NULL, " \n");
			read_numbers(&w);
			write_event_line(&w, (unsigned)atoi(word), time, name);
		}
	}
	end_archive(&w);
	return 0;
}
