/*
 * Writes an OTF2 archive: opening, definitions, closing. A rank is a location of its own, time is in picoseconds.
 * Strings and regions are written when an event first needs them. Communicators refer to locations, whose definitions
 * have the number of their events: both are written at the end.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../psim/base/hash.h"
#include "../../../psim/base/mem.h"
#include "../../../psim/base/report/out.h"
#include "otf2_write_parts.h"

#define TICKS_A_SECOND UINT64_C(1000000000000)

/* ---- the library's memory and messages ---- */

static OTF2_FlushType flush_always(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)user, (void)type, (void)location, (void)caller, (void) final;
	return OTF2_FLUSH;
}

/* A file has one chunk in memory: when that is full, the library writes it. */
static void *allocate_chunk(void *user, OTF2_FileType type, OTF2_LocationRef location, void **chunk, uint64_t size)
{
	(void)user, (void)type, (void)location;
	if (*chunk)
		return NULL;
	*chunk = malloc(size);
	return *chunk;
}

static void free_chunks(void *user, OTF2_FileType type, OTF2_LocationRef location, void **chunk, bool final)
{
	(void)user, (void)type, (void)location, (void) final;
	free(*chunk);
	*chunk = NULL;
}

__attribute__((format(printf, 6, 0))) static OTF2_ErrorCode keep_writer_complaint(void *user, const char *file,
										  uint64_t line, const char *function,
										  OTF2_ErrorCode code,
										  const char *format, va_list ap)
{
	struct archive_writer *w = user;

	(void)file, (void)line, (void)function;
	if (code > OTF2_SUCCESS && !*w->complaint)
		vsnprintf(w->complaint, sizeof(w->complaint), format, ap);
	return code;
}

static int writer_failed(const struct archive_writer *w, struct err *e)
{
	return err_set(e, STATUS_FAILED, "%s: the OTF2 archive cannot be written%s%s", w->name,
		       *w->complaint ? ": " : "", w->complaint);
}

/* ---- definitions ---- */

OTF2_StringRef writer_string(struct archive_writer *w, const char *text)
{
	struct writer_string *s = &w->kept[hash_bytes(HASH_BYTES, text, strlen(text)) % STRINGS_KEPT];

	if (s->text && strcmp(s->text, text) == 0)
		return s->ref;
	writer_check(w, OTF2_GlobalDefWriter_WriteString(w->global, w->strings, text));
	free(s->text);
	s->text = mem_copy_text(text, NULL);
	s->ref = w->strings++;
	return s->ref;
}

/* The number in the archive of number `i` of the run; *is_new: it was given now. */
static uint32_t archive_number(struct archive_writer *w, struct writer_numbers *n, uint32_t i, bool *is_new)
{
	*is_new = false;
	while (n->known.count <= i) {
		uint32_t *at = vec_push(&n->known, NULL);

		if (!at) {
			w->failed = true;
			return 0;
		}
		*at = 0;
	}
	if (!n->known.at[i]) {
		*is_new = true;
		n->known.at[i] = ++n->made;
	}
	return n->known.at[i] - 1;
}

OTF2_RegionRef writer_region(struct archive_writer *w, const char *name, uint32_t call)
{
	bool is_new;
	OTF2_RegionRef ref = WRITER_COMPUTATION + 1 + archive_number(w, &w->regions, call, &is_new);

	if (is_new) {
		OTF2_StringRef text = writer_string(w, name);

		writer_check(w, OTF2_GlobalDefWriter_WriteRegion(w->global, ref, text, text, 0,
								 OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI,
								 OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0));
	}
	return ref;
}

/* Looks from the end: ranks that make one together do so one after the other. */
OTF2_CommRef writer_comm(struct archive_writer *w, uint64_t key, struct group *group)
{
	uint32_t ref = (uint32_t)w->comm.count;
	struct writer_comm *made;
	char name[40];

	for (uint32_t i = ref; i > 0; i--)
		if (w->comm.at[i - 1].key == key)
			return i - 1;
	made = vec_push(&w->comm, NULL);
	if (!made) {
		w->failed = true;
		return 0;
	}
	snprintf(name, sizeof(name), "communicator %u", ref + 1);
	*made = (struct writer_comm){key, group,
				     writer_string(w, ref == WRITER_WORLD  ? "MPI_COMM_WORLD"
						      : ref == WRITER_SELF ? "MPI_COMM_SELF"
									   : name)};
	if (group)
		group->users++;
	return ref;
}

OTF2_RmaWinRef writer_window(struct archive_writer *w, uint64_t key, OTF2_CommRef comm)
{
	uint32_t ref = (uint32_t)w->window.count;
	struct writer_window *made;
	char name[40];

	for (uint32_t i = ref; i > 0; i--)
		if (w->window.at[i - 1].key == key)
			return i - 1;
	made = vec_push(&w->window, NULL);
	if (!made) {
		w->failed = true;
		return 0;
	}
	snprintf(name, sizeof(name), "window %u", ref + 1);
	*made = (struct writer_window){key, comm, writer_string(w, name)};
	return ref;
}

static void write_first_definitions(struct archive_writer *w)
{
	struct group *world = group_create(w->ranks, NULL, NULL);
	OTF2_StringRef text, meaning;

	w->failed = w->failed || !world;
	writer_string(w, "");
	text = writer_string(w, "computation");
	writer_check(w, OTF2_GlobalDefWriter_WriteRegion(w->global, WRITER_COMPUTATION, text, text, 0,
							 OTF2_REGION_ROLE_CODE, OTF2_PARADIGM_USER,
							 OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0));
	text = writer_string(w, ARCHIVE_OWN_NAME);
	meaning = writer_string(w, "the event in a trace of nsim");
	writer_check(w,
		     OTF2_GlobalDefWriter_WriteAttribute(w->global, WRITER_ATTRIBUTE, text, meaning, OTF2_TYPE_STRING));
	text = writer_string(w, "simulated machine");
	writer_check(w, OTF2_GlobalDefWriter_WriteSystemTreeNode(w->global, 0, text, writer_string(w, "machine"),
								 OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	writer_comm(w, HANDLE_WORLD, world);
	writer_comm(w, HANDLE_SELF, NULL);
	group_drop(world);
}

void archive_writer_place(struct archive_writer *w, uint32_t rank, uint32_t node, const char *name)
{
	bool is_new;
	uint32_t place = 1 + archive_number(w, &w->nodes, node, &is_new);
	OTF2_StringRef text;

	w->rank[rank].place = place;
	if (!is_new)
		return;
	text = writer_string(w, name);
	writer_check(w, OTF2_GlobalDefWriter_WriteSystemTreeNode(w->global, place, text, writer_string(w, "node"), 0));
}

/* ---- opening ---- */

static int open_written(struct archive_writer *w, struct err *e)
{
	static const OTF2_FlushCallbacks flush = {flush_always, NULL};
	static const OTF2_MemoryCallbacks memory = {allocate_chunk, free_chunks};

	w->archive =
		OTF2_Archive_Open(w->folder, "traces", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_MIN,
				  OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!w->archive || OTF2_Archive_SetMemoryCallbacks(w->archive, &memory, w) != OTF2_SUCCESS ||
	    OTF2_Archive_SetFlushCallbacks(w->archive, &flush, w) != OTF2_SUCCESS ||
	    OTF2_Archive_SetSerialCollectiveCallbacks(w->archive) != OTF2_SUCCESS ||
	    OTF2_Archive_SetCreator(w->archive, "nsim") != OTF2_SUCCESS ||
	    OTF2_Archive_OpenEvtFiles(w->archive) != OTF2_SUCCESS)
		return writer_failed(w, e);
	w->global = OTF2_Archive_GetGlobalDefWriter(w->archive);
	w->attributes = OTF2_AttributeList_New();
	if (!w->global || !w->attributes)
		return writer_failed(w, e);
	write_first_definitions(w);
	for (uint32_t i = 0; i < w->ranks; i++) {
		w->rank[i].events = OTF2_Archive_GetEvtWriter(w->archive, i);
		if (!w->rank[i].events)
			return writer_failed(w, e);
		writer_check(w, OTF2_EvtWriter_ProgramBegin(w->rank[i].events, NULL, 0, 0, 0, NULL));
	}
	return w->failed ? writer_failed(w, e) : 0;
}

/* Makes the folder that the archive is written to: absolute, as ranks change theirs while the library opens files. */
static char *folder_for_files(const char *folder, struct err *e)
{
	char *made = out_folder_create(folder, e), *absolute;

	if (!made)
		return NULL;
	absolute = realpath(made, NULL);
	if (!absolute)
		err_set(e, STATUS_FAILED, "%s: %s", made, strerror(errno));
	free(made);
	return absolute;
}

struct archive_writer *archive_writer_create(const char *folder, uint32_t ranks, struct err *e)
{
	struct archive_writer *w = mem_alloc(1, sizeof(*w), e);

	if (!w)
		return NULL;
	w->ranks = ranks;
	w->hash = HASH_BYTES;
	w->name = mem_copy_text(folder, e);
	w->rank = w->name ? mem_alloc(ranks, sizeof(*w->rank), e) : NULL;
	w->folder = w->rank ? folder_for_files(folder, e) : NULL;
	if (w->folder) {
		OTF2_Error_RegisterCallback(keep_writer_complaint, w);
		archive_raise_file_limit();
		if (open_written(w, e) == 0)
			return w;
	}
	archive_writer_finish(w, false, NULL);
	return NULL;
}

/* ---- closing ---- */

static void write_locations(struct archive_writer *w)
{
	char name[40];
	uint64_t count;

	for (uint32_t i = 0; i < w->ranks; i++) {
		OTF2_StringRef text;

		count = 0;
		if (w->rank[i].events)
			writer_check(w, OTF2_EvtWriter_GetNumberOfEvents(w->rank[i].events, &count));
		snprintf(name, sizeof(name), "rank %u", i);
		text = writer_string(w, name);
		writer_check(
			w, OTF2_GlobalDefWriter_WriteLocationGroup(w->global, i, text, OTF2_LOCATION_GROUP_TYPE_PROCESS,
								   w->rank[i].place, OTF2_UNDEFINED_LOCATION_GROUP));
		writer_check(w, OTF2_GlobalDefWriter_WriteLocation(w->global, i, text, OTF2_LOCATION_TYPE_CPU_THREAD,
								   count, i));
		if (w->rank[i].events)
			writer_check(w, OTF2_Archive_CloseEvtWriter(w->archive, w->rank[i].events));
	}
}

/* Group 0 is that of all locations; each communicator has its own. */
static void write_comms(struct archive_writer *w)
{
	uint64_t *members = mem_alloc(w->ranks, sizeof(*members), NULL);

	w->failed = w->failed || !members;
	for (uint32_t i = 0; members && i < w->ranks; i++)
		members[i] = i;
	if (members)
		writer_check(w, OTF2_GlobalDefWriter_WriteGroup(w->global, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
								OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, w->ranks,
								members));
	for (uint32_t k = 0; members && k < w->comm.count; k++) {
		const struct writer_comm *c = &w->comm.at[k];
		uint32_t size = c->group ? c->group->size : 0;

		for (uint32_t i = 0; i < size; i++)
			members[i] = group_world(c->group, i);
		writer_check(w, OTF2_GlobalDefWriter_WriteGroup(
					w->global, k + 1, 0,
					c->group ? OTF2_GROUP_TYPE_COMM_GROUP : OTF2_GROUP_TYPE_COMM_SELF,
					OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, size, members));
		writer_check(w, OTF2_GlobalDefWriter_WriteComm(w->global, k, c->name, k + 1, OTF2_UNDEFINED_COMM,
							       OTF2_COMM_FLAG_NONE));
	}
	free(members);
}

static void write_last_definitions(struct archive_writer *w)
{
	writer_check(w, OTF2_GlobalDefWriter_WriteClockProperties(w->global, TICKS_A_SECOND, 0, (uint64_t)w->latest + 1,
								  OTF2_UNDEFINED_TIMESTAMP));
	write_locations(w);
	write_comms(w);
	for (uint32_t k = 0; k < w->window.count; k++)
		writer_check(w, OTF2_GlobalDefWriter_WriteRmaWin(w->global, k, w->window.at[k].name,
								 w->window.at[k].comm, OTF2_RMA_WIN_FLAG_NONE));
}

/* Every location has a file of local definitions, which are empty. */
static void write_local_definitions(struct archive_writer *w)
{
	writer_check(w, OTF2_Archive_OpenDefFiles(w->archive));
	for (uint32_t i = 0; i < w->ranks; i++) {
		OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(w->archive, i);

		writer_check(w, local ? OTF2_Archive_CloseDefWriter(w->archive, local) : OTF2_ERROR_INVALID);
	}
	writer_check(w, OTF2_Archive_CloseDefFiles(w->archive));
}

/*
 * The library gives each archive an identifier from the clock. The same run gets the same one: the hash of its calls,
 * in place of the library's in the anchor file, which has about a hundred bytes.
 */
static void set_identifier(const struct archive_writer *w)
{
	unsigned char bytes[4096];
	char path[PATH_MAX];
	OTF2_Reader *reader;
	uint64_t given;
	bool known;
	FILE *file;

	snprintf(path, sizeof(path), "%s/traces.otf2", w->folder);
	reader = OTF2_Reader_Open(path);
	known = reader && OTF2_Reader_GetTraceId(reader, &given) == OTF2_SUCCESS;
	if (reader)
		OTF2_Reader_Close(reader);
	file = known ? fopen(path, "r+b") : NULL;
	if (!file)
		return;
	for (size_t i = 0, count = fread(bytes, 1, sizeof(bytes), file); i + sizeof(given) <= count; i++)
		if (memcmp(bytes + i, &given, sizeof(given)) == 0 && fseek(file, (long)i, SEEK_SET) == 0)
			fwrite(&w->hash, 1, sizeof(w->hash), file);
	fclose(file);
}

/* Removes what was written: the library's files, and the folder that was made. */
static void remove_written(const struct archive_writer *w)
{
	static const char *const names[] = {"traces.otf2", "traces.def", "traces", ""};
	char path[PATH_MAX];

	for (uint32_t i = 0; i < w->ranks; i++) {
		snprintf(path, sizeof(path), "%s/traces/%u.evt", w->folder, i);
		out_remove(path);
		snprintf(path, sizeof(path), "%s/traces/%u.def", w->folder, i);
		out_remove(path);
	}
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", w->folder, names[i]);
		out_remove(path);
	}
}

static void free_writer(struct archive_writer *w)
{
	for (uint32_t i = 0; w->rank && i < w->ranks; i++) {
		vec_finish(&w->rank[i].requests);
		vec_finish(&w->rank[i].comms);
		vec_finish(&w->rank[i].windows);
	}
	for (unsigned i = 0; i < STRINGS_KEPT; i++)
		free(w->kept[i].text);
	for (size_t i = 0; i < w->comm.count; i++)
		group_drop(w->comm.at[i].group);
	vec_finish(&w->comm);
	vec_finish(&w->window);
	vec_finish(&w->regions.known);
	vec_finish(&w->nodes.known);
	free(w->rank);
	free(w->folder);
	free(w->name);
	free(w);
}

int archive_writer_finish(struct archive_writer *w, bool keep, struct err *e)
{
	int ret = 0;

	if (w->global) {
		write_last_definitions(w);
		write_local_definitions(w);
		writer_check(w, OTF2_Archive_CloseEvtFiles(w->archive));
	}
	if (w->archive)
		writer_check(w, OTF2_Archive_Close(w->archive));
	if (w->global && keep)
		set_identifier(w);
	OTF2_AttributeList_Delete(w->attributes);
	OTF2_Error_RegisterCallback(NULL, NULL);
	if (w->failed)
		ret = writer_failed(w, e);
	else if (keep)
		ret = out_folder_close(w->folder, w->name, e);
	if ((!keep || ret < 0) && w->folder)
		remove_written(w);
	free_writer(w);
	return ret;
}
