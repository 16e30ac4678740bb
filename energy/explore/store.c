#include "store.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <sqlite3.h>
#include <zlib.h>

#include "../../psim/base/mem.h"
#include "../../psim/base/version.h"

/* "PSEX" in the file's header identifies a results file */
enum { APPLICATION_ID = 0x50534558, SCHEMA_VERSION = 7, WAIT_MS = 60000, RETRY_MS = 10 };

static const char schema[] =
	"CREATE TABLE parameter (configuration TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,"
	" PRIMARY KEY (configuration, name)) WITHOUT ROWID;"
	"CREATE TABLE trace (checksum TEXT PRIMARY KEY NOT NULL, program TEXT NOT NULL,"
	" instructions INTEGER NOT NULL) WITHOUT ROWID;"
	"CREATE TABLE point (configuration TEXT NOT NULL, trace TEXT NOT NULL REFERENCES trace(checksum),"
	" version TEXT NOT NULL"
#define F(name, path, unit, doc) ", " #name " REAL NOT NULL"
#include "figures.def"
#undef F
	", crc INTEGER NOT NULL, PRIMARY KEY (configuration, trace, version)) WITHOUT ROWID;"
	"CREATE TABLE units (configuration TEXT NOT NULL, trace TEXT NOT NULL REFERENCES trace(checksum),"
	" version TEXT NOT NULL, plan TEXT NOT NULL, data TEXT NOT NULL, crc INTEGER NOT NULL,"
	" PRIMARY KEY (configuration, trace, version, plan)) WITHOUT ROWID;";

enum {
	QUERY_BEGIN,
	QUERY_COMMIT,
	QUERY_ROLLBACK,
	QUERY_FIND,
	QUERY_OTHER,
	QUERY_ADD,
	QUERY_TRACE,
	QUERY_VALUE,
	QUERY_SAME,
	QUERY_FIND_UNITS,
	QUERY_ADD_UNITS,
	QUERY_COUNT
};
static const char *const queries[QUERY_COUNT] = {
	[QUERY_BEGIN] = "BEGIN IMMEDIATE",
	[QUERY_COMMIT] = "COMMIT",
	[QUERY_ROLLBACK] = "ROLLBACK",
	[QUERY_FIND] = "SELECT crc"
#define F(name, path, unit, doc) ", " #name
#include "figures.def"
#undef F
		       " FROM point WHERE configuration = ?1 AND trace = ?2 AND version = ?3",
	[QUERY_OTHER] = "SELECT 0 FROM point WHERE configuration = ?1 AND trace = ?2 LIMIT 1",
	[QUERY_ADD] = "INSERT OR IGNORE INTO point VALUES (?1, ?2, ?3"
#define F(name, path, unit, doc) ", ?"
#include "figures.def"
#undef F
		      ", ?)",
	[QUERY_TRACE] = "INSERT OR IGNORE INTO trace VALUES (?1, ?2, ?3)",
	[QUERY_VALUE] = "INSERT OR IGNORE INTO parameter VALUES (?1, ?2, ?3)",
	[QUERY_SAME] = "SELECT value FROM parameter WHERE configuration = ?1 AND name = ?2",
	[QUERY_FIND_UNITS] =
		"SELECT crc, data FROM units WHERE configuration = ?1 AND trace = ?2 AND version = ?3 AND plan = ?4",
	[QUERY_ADD_UNITS] = "INSERT OR IGNORE INTO units VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
};

struct store {
	char *path;
	sqlite3 *db;
	sqlite3_stmt *query[QUERY_COUNT];
};

static int explore_store_fail(const struct store *s, struct err *e)
{
	int code = s->db ? sqlite3_errcode(s->db) : SQLITE_NOMEM;
	const char *why = s->db ? sqlite3_errmsg(s->db) : "out of memory";

	switch (code & 0xff) {
	case SQLITE_NOTADB:
		return err_set(e, STATUS_BAD_INPUT, "%s: %s, expected results of psim-explore", s->path, why);
	case SQLITE_CORRUPT:
		return err_set(e, STATUS_BAD_INPUT, "%s: damaged: %s, expected results of psim-explore", s->path, why);
	case SQLITE_READONLY:
	case SQLITE_PERM:
		return err_set(e, STATUS_FAILED, "%s: read-only: %s, expected results that can be added to", s->path,
			       why);
	default: return err_set(e, STATUS_FAILED, "%s: %s", s->path, why);
	}
}

static int execute(struct store *s, const char *sql, struct err *e)
{
	return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : explore_store_fail(s, e);
}

/* Returns the number that a query yields, or -1 with `e`. */
static int64_t query_number(struct store *s, const char *sql, struct err *e)
{
	sqlite3_stmt *q;
	int64_t answer = -1;

	if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW)
		answer = sqlite3_column_int64(q, 0);
	else
		explore_store_fail(s, e);
	sqlite3_finalize(q);
	return answer;
}

/* ---- opening ---- */
static int make_tables(struct store *s, struct err *e)
{
	char pragmas[128];

	snprintf(pragmas, sizeof(pragmas), "PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION_ID,
		 SCHEMA_VERSION);
	return execute(s, schema, e) < 0 || execute(s, pragmas, e) < 0 ? -1 : 0;
}

/* Runs within a transaction, so that two runs that begin at the same time create one file. */
static int explore_store_check_tables(struct store *s, bool create, struct err *e)
{
	int64_t tables = query_number(s, "SELECT count(*) FROM sqlite_master", e);
	int64_t id = tables < 0 ? -1 : query_number(s, "PRAGMA application_id", e);
	int64_t version = id < 0 ? -1 : query_number(s, "PRAGMA user_version", e);

	if (version < 0)
		return -1;
	if (!tables && !id && create)
		return make_tables(s, e);
	if (id != APPLICATION_ID)
		return err_set(e, STATUS_BAD_INPUT, "%s: another kind of database, expected results of psim-explore",
			       s->path);
	if (version != SCHEMA_VERSION)
		return err_set(e, STATUS_BAD_INPUT,
			       "%s: results in format %" PRId64
			       ", expected format %d: no program converts them; %s reads them, or the study simulates "
			       "again with -o and another file",
			       s->path, version, SCHEMA_VERSION,
			       version < SCHEMA_VERSION ? "the psim-explore that made the file"
							: "a newer psim-explore");
	return 0;
}

static int explore_store_prepare(struct store *s, struct err *e)
{
	for (unsigned n = 0; n < QUERY_COUNT; n++)
		if (sqlite3_prepare_v3(s->db, queries[n], -1, SQLITE_PREPARE_PERSISTENT, &s->query[n], NULL) !=
		    SQLITE_OK)
			return explore_store_fail(s, e);
	return 0;
}

static int try_tables(struct store *s, bool create, struct err *e)
{
	if (execute(s, "BEGIN IMMEDIATE", e) < 0)
		return -1;
	if (explore_store_check_tables(s, create, e) < 0)
		return -1;
	/* write-ahead log: others can read while points are added */
	if (execute(s, "COMMIT", e) < 0 || execute(s, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", e) < 0)
		return -1;
	return explore_store_prepare(s, e);
}

/* SQLite does not wait by itself where another run changes the journal's mode or leaves as the last one
 * (sqlite.org/wal.html, "Sometimes queries return SQLITE_BUSY in WAL mode"): the steps are taken again. */
static int open_tables(struct store *s, bool create, struct err *e)
{
	sqlite3_busy_timeout(s->db, WAIT_MS);
	for (unsigned waited = 0;; waited += RETRY_MS) {
		int ret = try_tables(s, create, e);
		bool busy = ret < 0 && sqlite3_errcode(s->db) == SQLITE_BUSY && waited < WAIT_MS;

		if (ret < 0 && !sqlite3_get_autocommit(s->db))
			execute(s, "ROLLBACK", NULL);
		if (!busy)
			return ret;
		for (unsigned n = 0; n < QUERY_COUNT; n++) {
			sqlite3_finalize(s->query[n]);
			s->query[n] = NULL;
		}
		if (e)
			*e = (struct err){0};
		sqlite3_sleep(RETRY_MS);
	}
}

struct store *store_open(const char *path, bool create, struct err *e)
{
	struct store *s = mem_alloc(1, sizeof(*s), e);

	if (!s)
		return NULL;
	s->path = mem_copy_text(path, e);
	if (s->path &&
	    sqlite3_open_v2(path, &s->db, SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0), NULL) != SQLITE_OK)
		explore_store_fail(s, e);
	else if (s->path && open_tables(s, create, e) == 0)
		return s;
	store_close(s, NULL);
	return NULL;
}

int store_close(struct store *s, struct err *e)
{
	int ret = 0;

	if (!s)
		return 0;
	for (unsigned n = 0; n < QUERY_COUNT; n++)
		sqlite3_finalize(s->query[n]);
	if (sqlite3_close(s->db) != SQLITE_OK)
		ret = explore_store_fail(s, e);
	free(s->path);
	free(s);
	return ret;
}

/* ---- one query ---- */
static void bind_text(sqlite3_stmt *q, int n, const char *text)
{
	sqlite3_bind_text(q, n, text, -1, SQLITE_TRANSIENT);
}

/* Runs a query with bound parameters and ignores its result. */
static int explore_store_run(struct store *s, unsigned n, struct err *e)
{
	int code = sqlite3_step(s->query[n]),
	    ret = code == SQLITE_DONE || code == SQLITE_ROW ? 0 : explore_store_fail(s, e);

	sqlite3_reset(s->query[n]);
	return ret;
}

struct key {
	char configuration[17], trace[9];
};

/* Binds configuration and trace. */
static void bind_input(sqlite3_stmt *q, const struct plan *p, const struct plan_point *point, struct key *k)
{
	snprintf(k->configuration, sizeof(k->configuration), "%016" PRIx64, p->hash[point->combination]);
	snprintf(k->trace, sizeof(k->trace), "%08" PRIx32, p->files.at[point->file].checksum);
	bind_text(q, 1, k->configuration);
	bind_text(q, 2, k->trace);
}

static void bind_key(sqlite3_stmt *q, const struct plan *p, const struct plan_point *point, struct key *k)
{
	bind_input(q, p, point, k);
	bind_text(q, 3, version_text());
}

/* The checksum of a row: key and figures. A figure of -0 is stored as 0. */
static uint32_t row_crc(const char *configuration, const char *trace, const char *version,
			const double figures[FIGURE_COUNT])
{
	const char *const key[] = {configuration, trace, version};
	uLong crc = crc32(0, NULL, 0);

	for (unsigned n = 0; n < 3; n++)
		crc = crc32(crc, (const Bytef *)key[n], (uInt)strlen(key[n]) + 1);
	for (unsigned n = 0; n < FIGURE_COUNT; n++) {
		double figure = figures[n] + 0.0;

		crc = crc32(crc, (const Bytef *)&figure, sizeof(figure));
	}
	return (uint32_t)crc;
}

/* Reads the figures behind the checksum in the row of a query. 0, or -1 with `e`: a bit of the file has changed. */
static int read_figures(const struct store *s, sqlite3_stmt *q, const char *configuration, const char *trace,
			const char *version, double figures[FIGURE_COUNT], struct err *e)
{
	for (int n = 0; n < FIGURE_COUNT; n++)
		figures[n] = sqlite3_column_double(q, n + 1);
	if (sqlite3_column_int64(q, 0) == (int64_t)row_crc(configuration, trace, version, figures))
		return 0;
	return err_set(
		e, STATUS_BAD_INPUT,
		"%s: damaged: the result of configuration %s, trace %s has another checksum, expected results of "
		"psim-explore",
		s->path, configuration, trace);
}

/* Finds out whether another version has simulated the point. */
static int load_other_version(struct store *s, const struct plan *p, struct plan_point *point, struct err *e)
{
	sqlite3_stmt *q = s->query[QUERY_OTHER];
	struct key key;
	int code, ret;

	bind_input(q, p, point, &key);
	code = sqlite3_step(q);
	point->of_other_version = code == SQLITE_ROW;
	ret = code == SQLITE_ROW || code == SQLITE_DONE ? 0 : explore_store_fail(s, e);
	sqlite3_reset(q);
	return ret;
}

/* ---- units ---- */
/* The checksum of a row of units. */
static uint32_t units_crc(const char *const key[4], const char *data)
{
	uLong crc = crc32(0, NULL, 0);

	for (unsigned n = 0; n < 4; n++)
		crc = crc32(crc, (const Bytef *)key[n], (uInt)strlen(key[n]) + 1);
	return (uint32_t)crc32(crc, (const Bytef *)data, (uInt)strlen(data));
}

/* The figures and units of a point as text, numbers with a blank behind each; the caller frees it. */
static char *units_text(const struct point_units *u, struct err *e)
{
	enum { DIGITS = 26 };
	const size_t numbers = FIGURE_COUNT + UNIT_FIGURES * u->count, room = numbers * DIGITS + 1;
	char *text = mem_alloc(room, 1, e);
	size_t used = 0;

	for (size_t n = 0; text && n < numbers; n++) {
		const size_t unit = n < FIGURE_COUNT ? 0 : n - FIGURE_COUNT;
		const double v =
			n < FIGURE_COUNT ? u->expanded.value[n] : u->value[unit % UNIT_FIGURES][unit / UNIT_FIGURES];

		used += (size_t)snprintf(text + used, room - used, "%.17g ", v);
	}
	return text;
}

/* Reads it. 0, or -1 with `e`: memory is short. */
static int read_units(const char *text, struct point_units *u, struct err *e)
{
	const char *at = text;
	size_t numbers = 0;

	for (const char *c = text; *c; c++)
		numbers += *c == ' ';
	if (numbers < FIGURE_COUNT + 2 * UNIT_FIGURES || (numbers - FIGURE_COUNT) % UNIT_FIGURES)
		return 0; /* of no use: it is simulated again */
	if (point_units_create(u, (numbers - FIGURE_COUNT) / UNIT_FIGURES, e) < 0)
		return -1;
	for (size_t n = 0; n < numbers; n++) {
		const size_t unit = n < FIGURE_COUNT ? 0 : n - FIGURE_COUNT;
		char *end;
		const double v = strtod(at, &end);

		at = end;
		if (n < FIGURE_COUNT)
			u->expanded.value[n] = v;
		else
			u->value[unit % UNIT_FIGURES][unit / UNIT_FIGURES] = v;
	}
	return 0;
}

/* Checks the checksum of the row of a query that begins with crc and data. 0, or -1 with `e`. */
static int check_units(const struct store *s, sqlite3_stmt *q, const char *const key[4], struct err *e)
{
	const char *data = (const char *)sqlite3_column_text(q, 1);

	if (data && sqlite3_column_int64(q, 0) == (int64_t)units_crc(key, data))
		return 0;
	return err_set(
		e, STATUS_BAD_INPUT,
		"%s: damaged: the units of configuration %s, trace %s have another checksum, expected results of "
		"psim-explore",
		s->path, key[0], key[1]);
}

static int load_units(struct store *s, const struct plan *p, struct plan_point *point, struct err *e)
{
	const char *plan = p->files.at[point->file].units_text;
	sqlite3_stmt *q = s->query[QUERY_FIND_UNITS];
	struct key key;
	int code, ret = 0;

	bind_key(q, p, point, &key);
	bind_text(q, 4, plan);
	code = sqlite3_step(q);
	if (code == SQLITE_ROW) {
		ret = check_units(s, q, (const char *const[]){key.configuration, key.trace, version_text(), plan}, e);
		point_units_finish(&point->units);
		if (ret == 0)
			ret = read_units((const char *)sqlite3_column_text(q, 1), &point->units, e);
	} else if (code != SQLITE_DONE) {
		ret = explore_store_fail(s, e);
	}
	sqlite3_reset(q);
	return ret;
}

static int load_point(struct store *s, const struct plan *p, struct plan_point *point, struct err *e)
{
	sqlite3_stmt *q = s->query[QUERY_FIND];
	struct key key;
	int code, ret = 0;

	bind_key(q, p, point, &key);
	code = sqlite3_step(q);
	if (code == SQLITE_ROW) {
		ret = read_figures(s, q, key.configuration, key.trace, version_text(), point->figures.value, e);
		point->known = ret == 0;
	} else if (code != SQLITE_DONE) {
		ret = explore_store_fail(s, e);
	}
	sqlite3_reset(q);
	if (ret == 0 && point->sampled)
		ret = load_units(s, p, point, e);
	return ret < 0 || point->known || point->units.count ? ret : load_other_version(s, p, point, e);
}

int store_load(struct store *s, struct plan *p, struct err *e)
{
	for (size_t n = 0; n < p->count; n++)
		if (!p->points[n].skipped && load_point(s, p, &p->points[n], e) < 0)
			return -1;
	return 0;
}

/* ---- saving ---- */
struct saving {
	struct store *store;
	const char *configuration;
	int ret;
	struct err *e;
};

/*
 * Stores a parameter's value, or checks it against the stored one: two configurations may not
 * share a hash.
 */
static void save_value(void *user, const struct param *p, const char *value, const char *origin)
{
	struct saving *v = user;
	sqlite3_stmt *add = v->store->query[QUERY_VALUE], *same = v->store->query[QUERY_SAME];
	char name[128];

	(void)origin;
	if (v->ret < 0)
		return;
	snprintf(name, sizeof(name), "%s.%s", p->section, p->key);
	bind_text(add, 1, v->configuration);
	bind_text(add, 2, name);
	bind_text(add, 3, value);
	v->ret = explore_store_run(v->store, QUERY_VALUE, v->e);
	if (v->ret < 0 || sqlite3_changes(v->store->db))
		return;
	bind_text(same, 1, v->configuration);
	bind_text(same, 2, name);
	if (sqlite3_step(same) != SQLITE_ROW)
		v->ret = explore_store_fail(v->store, v->e);
	else if (strcmp((const char *)sqlite3_column_text(same, 0), value) != 0)
		v->ret = err_set(
			v->e, STATUS_FAILED,
			"%s: configuration %s has two values of %s, expected one: two configurations share a hash",
			v->store->path, v->configuration, name);
	sqlite3_reset(same);
}

/* Stores what a row of results refers to: the parameters' values and the trace. 0, or -1 with `e`. */
static int save_inputs(struct store *s, const struct plan *p, const struct plan_point *point, const struct key *key,
		       struct err *e)
{
	const struct plan_file *file = &p->files.at[point->file];
	struct saving saving = {.store = s, .configuration = key->configuration, .e = e};
	sqlite3_stmt *trace = s->query[QUERY_TRACE];

	config_visit(p->study->config, save_value, &saving);
	bind_text(trace, 1, key->trace);
	bind_text(trace, 2, file->program);
	sqlite3_bind_int64(trace, 3, (int64_t)file->length);
	return saving.ret < 0 ? -1 : explore_store_run(s, QUERY_TRACE, e);
}

static int save_units(struct store *s, const struct plan *p, const struct plan_point *point, struct err *e)
{
	const char *plan = p->files.at[point->file].units_text;
	sqlite3_stmt *add = s->query[QUERY_ADD_UNITS];
	char *data = units_text(&point->units, e);
	struct key key;
	int ret = -1;

	if (!data)
		return -1;
	bind_key(add, p, point, &key);
	bind_text(add, 4, plan);
	bind_text(add, 5, data);
	sqlite3_bind_int64(add, 6,
			   units_crc((const char *const[]){key.configuration, key.trace, version_text(), plan}, data));
	if (save_inputs(s, p, point, &key, e) == 0)
		ret = explore_store_run(s, QUERY_ADD_UNITS, e);
	free(data);
	return ret;
}

static int save_rows(struct store *s, const struct plan *p, const struct plan_point *point, struct err *e)
{
	sqlite3_stmt *add = s->query[QUERY_ADD];
	struct key key;

	bind_key(add, p, point, &key);
	for (int n = 0; n < FIGURE_COUNT; n++)
		sqlite3_bind_double(add, n + 4, point->figures.value[n]);
	sqlite3_bind_int64(add, FIGURE_COUNT + 4,
			   row_crc(key.configuration, key.trace, version_text(), point->figures.value));
	return save_inputs(s, p, point, &key, e) < 0 ? -1 : explore_store_run(s, QUERY_ADD, e);
}

/* Saves something of a point in a transaction. 0, or -1 with `e`. */
static int save_by(struct store *s, const struct plan *p, const struct plan_point *point,
		   int (*save)(struct store *s, const struct plan *p, const struct plan_point *point, struct err *e),
		   struct err *e)
{
	if (explore_store_run(s, QUERY_BEGIN, e) < 0)
		return -1;
	if (save(s, p, point, e) == 0 && explore_store_run(s, QUERY_COMMIT, e) == 0)
		return 0;
	explore_store_run(s, QUERY_ROLLBACK, NULL);
	return -1;
}

int store_save_units(struct store *s, const struct plan *p, const struct plan_point *point, struct err *e)
{
	return save_by(s, p, point, save_units, e);
}

int store_save(struct store *s, const struct plan *p, const struct plan_point *point, struct err *e)
{
	return save_by(s, p, point, save_rows, e);
}

/* ---- merging ---- */
/* Results of both files, and parameters, that differ: the first. */
static const char merge_points[] = "SELECT configuration, trace FROM main.point AS a JOIN other.point AS b"
				   " USING (configuration, trace, version) WHERE 0"
#define F(name, path, unit, doc) " OR a." #name " IS NOT b." #name
#include "figures.def"
#undef F
				   " LIMIT 1";
static const char merge_values[] = "SELECT configuration, name FROM main.parameter AS a JOIN other.parameter AS b"
				   " USING (configuration, name) WHERE a.value IS NOT b.value LIMIT 1";
static const char merge_rows[] = "INSERT OR IGNORE INTO main.trace SELECT * FROM other.trace;"
				 "INSERT OR IGNORE INTO main.parameter SELECT * FROM other.parameter;"
				 "INSERT OR IGNORE INTO main.point SELECT * FROM other.point;"
				 "INSERT OR IGNORE INTO main.units SELECT * FROM other.units;";
static const char merge_units[] = "SELECT configuration, trace FROM main.units AS a JOIN other.units AS b"
				  " USING (configuration, trace, version, plan) WHERE a.data IS NOT b.data LIMIT 1";

static const char all_rows[] = "SELECT crc"
#define F(name, path, unit, doc) ", " #name
#include "figures.def"
#undef F
			       ", configuration, trace, version FROM point";

static const char *text_of(sqlite3_stmt *q, int n)
{
	const char *text = (const char *)sqlite3_column_text(q, FIGURE_COUNT + 1 + n);

	return text ? text : "";
}

static const char *units_key(sqlite3_stmt *q, int n)
{
	const char *text = (const char *)sqlite3_column_text(q, 2 + n);

	return text ? text : "";
}

/* Checks every row of units of a file. */
static int check_all_units(struct store *s, struct err *e)
{
	sqlite3_stmt *q;
	int ret = 0, code = sqlite3_prepare_v2(
			     s->db, "SELECT crc, data, configuration, trace, version, plan FROM units", -1, &q, NULL);

	if (code == SQLITE_OK)
		code = sqlite3_step(q);
	for (; code == SQLITE_ROW && ret == 0; code = sqlite3_step(q))
		ret = check_units(
			s, q, (const char *const[]){units_key(q, 0), units_key(q, 1), units_key(q, 2), units_key(q, 3)},
			e);
	if (ret == 0 && code != SQLITE_DONE)
		ret = explore_store_fail(s, e);
	sqlite3_finalize(q);
	return ret;
}

/* Checks every row of a file, before its results are copied. */
static int check_rows(struct store *s, struct err *e)
{
	double figures[FIGURE_COUNT];
	sqlite3_stmt *q;
	int ret = 0, code = sqlite3_prepare_v2(s->db, all_rows, -1, &q, NULL);

	if (code == SQLITE_OK)
		code = sqlite3_step(q);
	for (; code == SQLITE_ROW && ret == 0; code = sqlite3_step(q))
		ret = read_figures(s, q, text_of(q, 0), text_of(q, 1), text_of(q, 2), figures, e);
	if (ret == 0 && code != SQLITE_DONE)
		ret = explore_store_fail(s, e);
	sqlite3_finalize(q);
	return ret < 0 ? -1 : check_all_units(s, e);
}

/* Requires that the query of two files yields no row; a row names what differs. */
static int require_none(struct store *s, const char *sql, const char *from, const char *by, const char *what,
			struct err *e)
{
	sqlite3_stmt *q;
	int ret = -1, code = sqlite3_prepare_v2(s->db, sql, -1, &q, NULL);

	if (code == SQLITE_OK)
		code = sqlite3_step(q);
	if (code == SQLITE_DONE)
		ret = 0;
	else if (code == SQLITE_ROW)
		err_set(e, STATUS_BAD_INPUT, "%s: configuration %s, %s %s: other %s than in %s, expected the same",
			from, (const char *)sqlite3_column_text(q, 0), by, (const char *)sqlite3_column_text(q, 1),
			what, s->path);
	else
		explore_store_fail(s, e);
	sqlite3_finalize(q);
	return ret;
}

static int copy_rows(struct store *s, const char *from, struct err *e)
{
	if (execute(s, "BEGIN IMMEDIATE", e) < 0)
		return -1;
	if (require_none(s, merge_values, from, "parameter", "value", e) == 0 &&
	    require_none(s, merge_points, from, "trace", "figures", e) == 0 &&
	    require_none(s, merge_units, from, "trace", "units", e) == 0 && execute(s, merge_rows, e) == 0 &&
	    execute(s, "COMMIT", e) == 0)
		return 0;
	execute(s, "ROLLBACK", NULL);
	return -1;
}

int store_merge(struct store *s, const char *from, struct err *e)
{
	struct store *other = store_open(from, false, e); /* checks the file */
	sqlite3_stmt *q = NULL;
	int ret = other ? check_rows(other, e) : -1;

	if (store_close(other, ret < 0 ? NULL : e) < 0 || ret < 0)
		return -1;
	ret = -1;
	if (sqlite3_prepare_v2(s->db, "ATTACH ?1 AS other", -1, &q, NULL) == SQLITE_OK) {
		bind_text(q, 1, from);
		ret = sqlite3_step(q) == SQLITE_DONE ? 0 : -1;
	}
	if (ret < 0)
		explore_store_fail(s, e);
	sqlite3_finalize(q);
	if (ret < 0)
		return -1;
	ret = copy_rows(s, from, e);
	if (execute(s, "DETACH other", ret < 0 ? NULL : e) < 0)
		ret = -1;
	return ret;
}
