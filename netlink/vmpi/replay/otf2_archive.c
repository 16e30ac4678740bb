/* Definitions of an OTF2 archive: ranks, communicators, regions of MPI, the clock. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "../../../psim/base/mem.h"
#include "../message/message.h"
#include "otf2_parts.h"
#include "replay_read.h"

int archive_failed(struct archive *a, const char *what, struct err *e)
{
	if (*a->failure.text) {
		*e = a->failure;
		return -1;
	}
	return err_set(e, STATUS_BAD_INPUT, "%s: %s%s%s", a->path, what, *a->complaint ? ": " : "", a->complaint);
}

/* Keeps the library's first complaint, in place of its lines to stderr. */
__attribute__((format(printf, 6, 0))) static OTF2_ErrorCode keep_complaint(void *user, const char *file, uint64_t line,
									   const char *function, OTF2_ErrorCode code,
									   const char *format, va_list ap)
{
	struct archive *a = user;

	(void)file, (void)line, (void)function;
	if (code <= OTF2_SUCCESS || *a->complaint)
		return code;
	vsnprintf(a->complaint, sizeof(a->complaint), format, ap);
	for (char *c = a->complaint; *c; c++)
		if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
			*c = ' ';
	if (!*a->complaint)
		snprintf(a->complaint, sizeof(a->complaint), "%s", OTF2_Error_GetDescription(code));
	return code;
}

/* ---- definitions ---- */

__attribute__((format(printf, 2, 3))) static OTF2_CallbackCode refuse_definition(struct archive *a, const char *format,
										 ...)
{
	char text[150];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	err_set(&a->failure, STATUS_BAD_INPUT, "%s: %s", a->path, text);
	return OTF2_CALLBACK_ERROR;
}

static OTF2_CallbackCode define_clock(void *user, uint64_t resolution, uint64_t offset, uint64_t length, uint64_t real)
{
	struct archive *a = user;

	(void)offset, (void)length, (void)real;
	if (!resolution)
		return refuse_definition(a, "a clock of 0 ticks per second, expected more");
	a->resolution = resolution;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode define_location(void *user, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,
					 uint64_t events, OTF2_LocationGroupRef group)
{
	struct archive *a = user;
	struct archive_location *l = vec_push(&a->locations, &a->failure);

	(void)name, (void)type, (void)group;
	if (!l)
		return OTF2_CALLBACK_ERROR;
	*l = (struct archive_location){self, events};
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode define_region(void *user, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical,
				       OTF2_StringRef description, OTF2_RegionRole role, OTF2_Paradigm paradigm,
				       OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin, uint32_t end)
{
	struct archive *a = user;
	struct archive_region *region;

	(void)canonical, (void)description, (void)role, (void)flags, (void)file, (void)begin, (void)end;
	if (paradigm != OTF2_PARADIGM_MPI)
		return OTF2_CALLBACK_SUCCESS;
	region = vec_push(&a->mpi_regions, &a->failure);
	if (!region)
		return OTF2_CALLBACK_ERROR;
	*region = (struct archive_region){.ref = self, .name = name};
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode define_string(void *user, OTF2_StringRef self, const char *text)
{
	struct archive *a = user;
	struct archive_string *s = vec_push(&a->strings, &a->failure);

	if (!s)
		return OTF2_CALLBACK_ERROR;
	*s = (struct archive_string){self, mem_copy_text(text, &a->failure)};
	return s->text ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_ERROR;
}

/* Attributes of strings; which of them is nsim's is known when all strings are. */
static OTF2_CallbackCode define_attribute(void *user, OTF2_AttributeRef self, OTF2_StringRef name,
					  OTF2_StringRef description, OTF2_Type type)
{
	struct archive *a = user;

	(void)description;
	if (type != OTF2_TYPE_STRING || a->has_own)
		return OTF2_CALLBACK_SUCCESS;
	a->has_own = true;
	a->own = self;
	a->own_name = name;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode define_window(void *user, OTF2_RmaWinRef self, OTF2_StringRef name, OTF2_CommRef comm,
				       OTF2_RmaWinFlag flags)
{
	struct archive *a = user;
	struct archive_window *w = vec_push(&a->windows, &a->failure);

	(void)name, (void)flags;
	if (!w)
		return OTF2_CALLBACK_ERROR;
	*w = (struct archive_window){self, comm};
	return OTF2_CALLBACK_SUCCESS;
}

/* The locations of all ranks. */
static OTF2_CallbackCode define_ranks(struct archive *a, uint32_t count, const uint64_t *members)
{
	if (a->location)
		return OTF2_CALLBACK_SUCCESS;
	if (count < 1 || count > REPLAY_RANKS_MAX)
		return refuse_definition(a, "%u ranks, expected 1 to %d", count, REPLAY_RANKS_MAX);
	a->location = mem_alloc(count, sizeof(*a->location), &a->failure);
	if (!a->location)
		return OTF2_CALLBACK_ERROR;
	memcpy(a->location, members, count * sizeof(*members));
	a->ranks = count;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode define_group(void *user, OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type,
				      OTF2_Paradigm paradigm, OTF2_GroupFlag flags, uint32_t count,
				      const uint64_t *members)
{
	struct archive *a = user;
	struct archive_group *g;

	(void)name, (void)flags;
	if (paradigm != OTF2_PARADIGM_MPI)
		return OTF2_CALLBACK_SUCCESS;
	if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
		return define_ranks(a, count, members);
	if (type != OTF2_GROUP_TYPE_COMM_GROUP && type != OTF2_GROUP_TYPE_COMM_SELF)
		return OTF2_CALLBACK_SUCCESS;
	g = vec_push(&a->groups, &a->failure);
	if (!g)
		return OTF2_CALLBACK_ERROR;
	*g = (struct archive_group){.ref = self, .self = type == OTF2_GROUP_TYPE_COMM_SELF};
	if (g->self)
		return OTF2_CALLBACK_SUCCESS;
	if (count > a->ranks)
		return refuse_definition(a, "group %u: %u ranks, expected at most %u", self, count, a->ranks);
	g->size = count;
	g->world = mem_alloc(count ? count : 1, sizeof(*g->world), &a->failure);
	if (!g->world)
		return OTF2_CALLBACK_ERROR;
	for (uint32_t i = 0; i < count; i++) {
		if (members[i] >= a->ranks)
			return refuse_definition(a, "group %u: rank %llu, expected 0 to %u", self,
						 (unsigned long long)members[i], a->ranks - 1);
		g->world[i] = (uint32_t)members[i];
	}
	return OTF2_CALLBACK_SUCCESS;
}

/* Sets the ranks of a communicator from its group; false with the archive's failure. */
static bool set_members(struct archive *a, struct archive_comm_def *c, const struct archive_group *g)
{
	bool same = g->size == a->ranks;

	c->self = g->self;
	c->size = g->self ? 1 : g->size;
	for (uint32_t i = 0; same && i < g->size; i++)
		same = g->world[i] == i;
	if (g->self || same)
		return true;
	c->local = mem_alloc(a->ranks, sizeof(*c->local), &a->failure);
	if (!c->local)
		return false;
	memset(c->local, 0xff, a->ranks * sizeof(*c->local));
	for (uint32_t i = 0; i < g->size; i++) {
		if (c->local[g->world[i]] != UINT32_MAX) {
			refuse_definition(a, "group %u: rank %u is in it twice, expected once", g->ref, g->world[i]);
			return false;
		}
		c->local[g->world[i]] = i;
	}
	return true;
}

static OTF2_CallbackCode define_comm(void *user, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group,
				     OTF2_CommRef parent, OTF2_CommFlag flags)
{
	struct archive *a = user;
	struct archive_comm_def *c;

	(void)name, (void)parent, (void)flags;
	for (uint32_t i = 0; i < a->groups.count; i++)
		if (a->groups.at[i].ref == group) {
			c = vec_push(&a->comms, &a->failure);
			if (!c)
				return OTF2_CALLBACK_ERROR;
			*c = (struct archive_comm_def){.ref = self, .group = i};
			return set_members(a, c, &a->groups.at[i]) ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_ERROR;
		}
	return OTF2_CALLBACK_SUCCESS; /* of another paradigm, as threads have them */
}

static int read_definitions(struct archive *a, struct err *e)
{
	OTF2_GlobalDefReader *reader = OTF2_Reader_GetGlobalDefReader(a->reader);
	OTF2_GlobalDefReaderCallbacks *calls = OTF2_GlobalDefReaderCallbacks_New();
	uint64_t count;
	bool well = reader && calls;

	if (well) {
		OTF2_GlobalDefReaderCallbacks_SetStringCallback(calls, define_string);
		OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(calls, define_attribute);
		OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(calls, define_window);
		OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(calls, define_clock);
		OTF2_GlobalDefReaderCallbacks_SetLocationCallback(calls, define_location);
		OTF2_GlobalDefReaderCallbacks_SetRegionCallback(calls, define_region);
		OTF2_GlobalDefReaderCallbacks_SetGroupCallback(calls, define_group);
		OTF2_GlobalDefReaderCallbacks_SetCommCallback(calls, define_comm);
		well = OTF2_Reader_RegisterGlobalDefCallbacks(a->reader, reader, calls, a) == OTF2_SUCCESS &&
		       OTF2_Reader_ReadAllGlobalDefinitions(a->reader, reader, &count) == OTF2_SUCCESS;
	}
	OTF2_GlobalDefReaderCallbacks_Delete(calls);
	if (!well || *a->failure.text)
		return archive_failed(a, "its definitions cannot be read, expected those of an OTF2 archive", e);
	if (!a->location)
		return archive_failed(a, "no locations of MPI's ranks, expected the trace of an MPI program", e);
	if (!a->resolution)
		return archive_failed(a, "no clock properties, expected ticks per second", e);
	return 0;
}

/* ---- locations ---- */

/* Local definitions have the numbers that events use for global ones, and the clocks' offsets. */
static int read_local_definitions(struct archive *a, struct err *e)
{
	if (OTF2_Reader_OpenDefFiles(a->reader) != OTF2_SUCCESS) {
		*a->complaint = '\0';
		return 0; /* there may be none */
	}
	for (uint32_t i = 0; i < a->ranks; i++) {
		OTF2_DefReader *reader = OTF2_Reader_GetDefReader(a->reader, a->location[i]);
		uint64_t count;

		if (!reader) {
			*a->complaint = '\0';
			continue;
		}
		if (OTF2_Reader_ReadAllLocalDefinitions(a->reader, reader, &count) != OTF2_SUCCESS)
			return archive_failed(a, "definitions of a rank cannot be read", e);
		OTF2_Reader_CloseDefReader(a->reader, reader);
	}
	OTF2_Reader_CloseDefFiles(a->reader);
	return 0;
}

void archive_raise_file_limit(void)
{
	struct rlimit most;

	if (getrlimit(RLIMIT_NOFILE, &most) == 0 && most.rlim_cur < most.rlim_max) {
		most.rlim_cur = most.rlim_max;
		setrlimit(RLIMIT_NOFILE, &most);
	}
}

static int open_events(struct archive *a, struct err *e)
{
	a->rank = mem_alloc(a->ranks, sizeof(*a->rank), e);
	if (!a->rank)
		return -1;
	if (OTF2_Reader_OpenEvtFiles(a->reader) != OTF2_SUCCESS || !archive_set_callbacks(a))
		return archive_failed(a, "its events cannot be read", e);
	for (uint32_t i = 0; i < a->ranks; i++) {
		struct archive_rank *r = &a->rank[i];

		*r = (struct archive_rank){.archive = a, .rank = i};
		r->reader = OTF2_Reader_GetEvtReader(a->reader, a->location[i]);
		if (!r->reader ||
		    OTF2_Reader_RegisterEvtCallbacks(a->reader, r->reader, a->callbacks, r) != OTF2_SUCCESS)
			return archive_failed(a, "events of a rank cannot be read", e);
	}
	return 0;
}

static int compare_locations(const void *a, const void *b)
{
	const struct archive_location *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/* Sets how many events each rank has. */
static int count_events(struct archive *a, struct err *e)
{
	if (a->locations.count)
		qsort(a->locations.at, a->locations.count, sizeof(*a->locations.at), compare_locations);
	for (uint32_t i = 0; i < a->ranks; i++) {
		struct archive_location key = {a->location[i], 0}, *l = NULL;

		if (a->locations.count)
			l = bsearch(&key, a->locations.at, a->locations.count, sizeof(key), compare_locations);
		if (!l)
			return err_set(e, STATUS_BAD_INPUT, "%s: rank %u: no location %llu, expected its definition",
				       a->path, i, (unsigned long long)key.id);
		a->rank[i].expected = l->events;
	}
	return 0;
}

static int compare_regions(const void *a, const void *b)
{
	const struct archive_region *x = a, *y = b;

	return (x->ref > y->ref) - (x->ref < y->ref);
}

static int compare_comms(const void *a, const void *b)
{
	const struct archive_comm_def *x = a, *y = b;

	return (x->ref > y->ref) - (x->ref < y->ref);
}

static int compare_strings(const void *a, const void *b)
{
	const struct archive_string *x = a, *y = b;

	return (x->ref > y->ref) - (x->ref < y->ref);
}

const char *archive_string(const struct archive *a, OTF2_StringRef ref)
{
	struct archive_string key = {ref, NULL}, *s = NULL;

	if (a->strings.count)
		s = bsearch(&key, a->strings.at, a->strings.count, sizeof(key), compare_strings);
	return s ? s->text : NULL;
}

/* The mode of sends in a region of this name. */
static uint8_t mode_of(const char *name)
{
	static const struct {
		const char *name;
		enum send_mode mode;
	} modes[] = {
#define SEND(name, begin, init, mode, event, MODE) {"MPI_" #name, SEND_##MODE}, {"MPI_" #begin, SEND_##MODE},
#include "../api/send_calls.def"
	};

	for (size_t i = 0; name && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (strcmp(modes[i].name, name) == 0)
			return modes[i].mode;
	return SEND_STANDARD;
}

/* Sorts what is found by number, and reads names. */
static void sort_definitions(struct archive *a)
{
	const char *own;

	if (a->strings.count)
		qsort(a->strings.at, a->strings.count, sizeof(*a->strings.at), compare_strings);
	if (a->mpi_regions.count)
		qsort(a->mpi_regions.at, a->mpi_regions.count, sizeof(*a->mpi_regions.at), compare_regions);
	if (a->comms.count)
		qsort(a->comms.at, a->comms.count, sizeof(*a->comms.at), compare_comms);
	for (size_t i = 0; i < a->mpi_regions.count; i++)
		a->mpi_regions.at[i].mode = mode_of(archive_string(a, a->mpi_regions.at[i].name));
	own = archive_string(a, a->own_name);
	a->has_own = a->has_own && own && strcmp(own, ARCHIVE_OWN_NAME) == 0;
}

static int archive_begin(struct archive *a, struct err *e)
{
	uint64_t locations;

	OTF2_Error_RegisterCallback(keep_complaint, a);
	a->reader = OTF2_Reader_Open(a->path);
	if (!a->reader)
		return archive_failed(a, "cannot be opened as an OTF2 archive", e);
	OTF2_Reader_SetSerialCollectiveCallbacks(a->reader);
	if (OTF2_Reader_GetNumberOfLocations(a->reader, &locations) != OTF2_SUCCESS)
		return archive_failed(a, "no number of locations, expected one", e);
	if (read_definitions(a, e) < 0)
		return -1;
	if (a->ranks > locations)
		return archive_failed(a, "fewer locations than ranks, expected one of each", e);
	sort_definitions(a);
	for (size_t i = 0; i < a->comms.count; i++)
		if (!a->comms.at[i].self && !a->comms.at[i].local) {
			a->comms.at[i].world = true;
			break;
		}
	archive_raise_file_limit();
	for (uint32_t i = 0; i < a->ranks; i++)
		if (OTF2_Reader_SelectLocation(a->reader, a->location[i]) != OTF2_SUCCESS)
			return archive_failed(a, "a rank has no location", e);
	if (read_local_definitions(a, e) < 0 || open_events(a, e) < 0)
		return -1;
	return count_events(a, e);
}

struct archive *archive_open(const char *path, struct err *e)
{
	struct archive *a = mem_alloc(1, sizeof(*a), e);

	if (!a)
		return NULL;
	a->path = mem_copy_text(path, e);
	if (a->path && archive_begin(a, e) == 0)
		return a;
	archive_close(a);
	return NULL;
}

void archive_close(struct archive *a)
{
	if (!a)
		return;
	if (a->reader)
		OTF2_Reader_Close(a->reader);
	if (a->callbacks)
		OTF2_EvtReaderCallbacks_Delete(a->callbacks);
	OTF2_Error_RegisterCallback(NULL, NULL);
	for (uint32_t i = 0; a->rank && i < a->ranks; i++) {
		vec_finish(&a->rank[i].queue);
		vec_finish(&a->rank[i].requests);
	}
	for (size_t i = 0; i < a->groups.count; i++)
		free(a->groups.at[i].world);
	for (size_t i = 0; i < a->comms.count; i++)
		free(a->comms.at[i].local);
	for (size_t i = 0; i < a->strings.count; i++)
		free(a->strings.at[i].text);
	vec_finish(&a->strings);
	vec_finish(&a->windows);
	vec_finish(&a->locations);
	vec_finish(&a->groups);
	vec_finish(&a->comms);
	vec_finish(&a->mpi_regions);
	free(a->rank);
	free(a->location);
	free(a->path);
	free(a);
}

void archive_taken(const struct archive *a, uint64_t *read, uint64_t *all)
{
	*read = *all = 0;
	for (uint32_t i = 0; i < a->ranks; i++) {
		*read += a->rank[i].read;
		*all += a->rank[i].expected;
	}
}

uint32_t archive_ranks(const struct archive *a)
{
	return a->ranks;
}

/* ---- communicators ---- */

/* Their keys: above those of predefined ones. */
#define COMM_KEYS (UINT64_C(1) << 32)

int archive_make_comms(struct archive *a, struct vmpi *v, struct err *e)
{
	for (size_t i = 0; !a->comms_made && i < a->comms.count; i++) {
		struct archive_comm_def *c = &a->comms.at[i];
		struct archive_group *g = &a->groups.at[c->group];
		uint32_t *world;
		struct group *made;

		if (c->self || c->world || !g->size) {
			c->handle = c->self ? VMPI_COMM_SELF : VMPI_COMM_WORLD;
			continue;
		}
		world = mem_alloc(g->size, sizeof(*world), e);
		if (!world)
			return -1;
		memcpy(world, g->world, g->size * sizeof(*g->world));
		made = group_create(g->size, world, e);
		c->handle = made ? comm_create(&v->comms, made, e) : 0;
		group_drop(made);
		if (!c->handle)
			return -1;
		v->comms.comm[c->handle]->key = COMM_KEYS + i; /* in all processes */
	}
	a->comms_made = true;
	return 0;
}

int archive_comm(const struct archive *a, long long id)
{
	return a->comms.at[id].handle;
}
