/* Configuration from rows, files and overrides: psim/base/config/config.h. */
#include "tap.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alloc_fail.h"
#include "folder.h"
#include "psim/base/config/config.h"

struct values {
	unsigned entries, kind;
	uint64_t bytes;
	char name[PARAM_TEXT_MAX], list[PARAM_TEXT_MAX];
};

#define AT(member) offsetof(struct values, member)
static const struct param params[] = {
	{"core", "entries", PARAM_UINT, "64", 1, 1024, NULL, "entries", "reorder buffer", AT(entries)},
	{"core", "kind", PARAM_ENUM, "ideal", 0, 0, "ideal|none", "", "clock gating", AT(kind)},
	{"cache", "bytes", PARAM_SIZE, "4 KiB", 64, 1048576, NULL, "bytes", "capacity", AT(bytes)},
	{"cache", "name", PARAM_TEXT, "L1", 0, 0, NULL, "", "its name", AT(name)},
	{"cache", "list", PARAM_PATH, "", 0, 0, NULL, "", "its first lines", AT(list)},
};

static struct config *make(struct values *v)
{
	struct config *c = config_create();

	config_add(c, params, sizeof(params) / sizeof(params[0]), v);
	config_describe(c, "core", "the window");
	config_source(c, "core", "entries", SOURCE_ASSUMED, "A64FX: 128");
	config_source(c, "core", "*", SOURCE_OURS, "");
	config_source(c, "cache", "name bytes", SOURCE_PUBLISHED, "p.42");
	return c;
}

static const char *file(const char *name, const char *text)
{
	const char *path = in_folder(name);
	FILE *f = fopen(path, "w");

	if (!f)
		abort();
	fputs(text, f);
	fclose(f);
	return path;
}

/* Reads `text` as a.ini; the message without the folder, or "" if it was read. */
static const char *reading(struct values *v, const char *text)
{
	static struct err e;
	struct config *c = make(v);
	const char *message = "";

	if (config_read(c, file("a.ini", text), &e)) {
		message = e.text;
		CHECK_U64(e.status, STATUS_USAGE);
		if (!strncmp(message, folder, strlen(folder)))
			message += strlen(folder) + 1;
	}
	config_destroy(c);
	return message;
}

static void defaults_are_set_at_once(void)
{
	struct values v;
	struct config *c = make(&v);

	CHECK_U64(v.entries, 64);
	CHECK_U64(v.kind, 0);
	CHECK_U64(v.bytes, 4096);
	CHECK_STR(v.name, "L1");
	CHECK_STR(config_origin(c, "core", "entries"), "default");
	config_destroy(c);
}

static void a_file_sets_what_it_names(void)
{
	struct values v;

	CHECK_STR(reading(&v, "[core]\nentries = 128\n[cache]\nname = first level\n"), "");
	CHECK_U64(v.entries, 128);
	CHECK_U64(v.bytes, 4096);
	CHECK_STR(v.name, "first level");
}

static void the_later_of_two_values_wins(void)
{
	struct values v;

	CHECK_STR(reading(&v, "[core]\nentries = 2\n[cache]\nbytes=64\n[core]\nentries = 3\n"), "");
	CHECK_U64(v.entries, 3);
}

static void comments_blanks_and_indents_do_not_matter(void)
{
	struct values v;

	CHECK_STR(reading(&v, "\xef\xbb\xbf; first\n# second\n\n  [core] ; third\n\tentries  =  5 "
			      "entries # fourth\r\n"
			      "  kind = none ; fifth\n[cache]\nname = a;b#c"),
		  "");
	CHECK_U64(v.entries, 5);
	CHECK_U64(v.kind, 1);
	CHECK_STR(v.name, "a;b#c");
	CHECK_STR(reading(&v, "[cache]\nname =;b"), "");
	CHECK_STR(v.name, "");
}

static void an_unknown_key_brings_the_nearest(void)
{
	struct values v;

	CHECK_STR(reading(&v, "[core]\nentires = 5\n"),
		  "a.ini:2: unknown key entires in section [core], did you mean entries?");
	CHECK_STR(reading(&v, "[core]\nbytes = 5\n"),
		  "a.ini:2: unknown key bytes in section [core], expected one of entries, kind");
}

static void an_unknown_section_brings_the_nearest(void)
{
	struct values v;

	CHECK_STR(reading(&v, "\n\n[cor]\n"), "a.ini:3: unknown section [cor], did you mean [core]?");
}

static void a_bad_value_brings_place_and_range(void)
{
	struct values v;

	CHECK_STR(reading(&v, "[core]\n\nentries = 4096\n"),
		  "a.ini:3: core.entries: 4096 is out of range, expected 1 to 1024 entries");
}

static void broken_lines_are_refused(void)
{
	struct values v;

	CHECK_STR(reading(&v, "[core\n"), "a.ini:1: no ] after the section's name, expected [section]");
	CHECK_STR(reading(&v, "[core] entries = 4\n"),
		  "a.ini:1: \"entries = 4\" after a section's name, expected the end of the line");
	CHECK_STR(reading(&v, "[core]\nentries\n"),
		  "a.ini:2: \"entries\" is neither a section nor an assignment, expected [section] or key = value");
	CHECK_STR(reading(&v, "entries = 4\n"), "a.ini:1: entries before the first section, "
						"expected [section], inherit = FILE or unused = allowed");
	CHECK_STR(reading(&v, "[core]\nen\001tries = 4\n"), "a.ini:2: control character 0x01, expected text");
}

static void a_line_may_have_1000_characters(void)
{
	struct values v;
	char text[1100];

	snprintf(text, sizeof(text), "[core]\nentries = 7 ;%987s\n", ""); /* 13 + 987 = 1000 */
	CHECK_STR(reading(&v, text), "");
	CHECK_U64(v.entries, 7);
	snprintf(text, sizeof(text), "[core]\nentries = 7 ;%988s\n", "");
	CHECK_STR(reading(&v, text), "a.ini:2: line too long, expected at most 1000 characters");
}

static void a_missing_file_is_named(void)
{
	struct values v;
	struct config *c = make(&v);
	struct err e;

	CHECK_I64(config_read(c, "/nowhere.ini", &e), -1);
	CHECK_STR(e.text, "/nowhere.ini: cannot open: No such file or directory");
	CHECK_U64(e.status, STATUS_USAGE);
	CHECK_I64(config_read(c, folder, &e), -1); /* a folder opens, and then cannot be read */
	CHECK(strstr(e.text, "cannot read: Is a directory") != NULL);
	config_destroy(c);
}

static void an_inherited_file_comes_first(void)
{
	struct values v;

	file("base.ini", "[core]\nentries = 10\nkind = none\n");
	CHECK_STR(reading(&v, "inherit = base.ini\n[core]\nentries = 20\n"), "");
	CHECK_U64(v.entries, 20);
	CHECK_U64(v.kind, 1);
}

static void a_mistake_in_an_inherited_file_has_its_place(void)
{
	struct values v;

	file("base.ini", "[core]\n\nkind = x\n");
	CHECK_STR(reading(&v, "inherit = base.ini\n"),
		  "base.ini:3: core.kind: unknown value \"x\", expected one of ideal|none");
	CHECK_STR(reading(&v, "\ninherit = none.ini\n") + strlen("a.ini:2: inherit: cannot open "),
		  in_folder("none.ini: No such file or directory"));
}

static void inheriting_in_a_circle_is_refused(void)
{
	struct values v;
	const char *message;

	file("b.ini", "inherit = a.ini\n");
	message = reading(&v, "inherit = b.ini\n");
	CHECK(!strncmp(message, "b.ini:1: inherit: ", 18));
	CHECK(strstr(message, "a.ini inherits itself, expected another file") != NULL);
}

static void inheriting_too_deep_is_refused(void)
{
	struct values v;

	for (int i = 1; i <= 20; i++) {
		char name[20], text[40];

		snprintf(name, sizeof(name), "d%d.ini", i);
		snprintf(text, sizeof(text), "inherit = d%d.ini\n", i + 1);
		file(name, i < 20 ? text : "");
	}
	/* a.ini is depth 0, d16 depth 16: it may not inherit any more */
	CHECK_STR(reading(&v, "inherit = d1.ini\n"), "d16.ini:1: inherit: too deep, expected at most 16 files");
	CHECK_STR(reading(&v, "inherit = d5.ini\n"), "");
}

static void an_override_wins_and_is_remembered(void)
{
	struct values v;
	struct config *c = make(&v);

	CHECK_I64(config_read(c, file("a.ini", "[core]\nentries = 10\nkind=none\n"), NULL), 0);
	CHECK_I64(config_override(c, "core.entries = 20", "-p", NULL), 0);
	CHECK_U64(v.entries, 20);
	CHECK_STR(config_origin(c, "core", "entries"), "-p");
	CHECK_STR(config_origin(c, "core", "kind") + strlen(folder) + 1, "a.ini:3");
	CHECK_STR(config_origin(c, "cache", "bytes"), "default");
	config_destroy(c);
}

static void keep_old_name(void *user, const char *place, const char *section, const char *old, const char *present)
{
	snprintf(user, 200, "%s %s.%s %s", place, section, old, present);
}

/* psim/base/renamed.def has the names of the last release. */
static void a_key_keeps_its_name_for_a_release(void)
{
	struct values v;
	const struct param queue = {"lsu", "load_queue", PARAM_UINT, "16", 1, 256, NULL, "", "", AT(kind)};
	struct config *c = make(&v);
	char note[200] = "";
	struct err e;

	config_add(c, &queue, 1, &v);
	config_old_names(c, keep_old_name, note);
	CHECK_STR(note, "");
	CHECK_I64(config_override(c, "lsu.fetch_ports=3", "-p", NULL), 0);
	CHECK_U64(v.kind, 3);
	CHECK_STR(config_origin(c, "lsu", "load_queue"), "-p");
	config_old_names(c, keep_old_name, note);
	CHECK_STR(note, "-p lsu.fetch_ports load_queue");
	CHECK_I64(config_override(c, "core.fetch_ports=3", "-p", &e), -1); /* no row of that section had the name */
	CHECK_I64(config_override(c, "lsu.store_ports=3", "-p", &e), -1);
	config_destroy(c);
}

static void a_bad_override_is_refused(void)
{
	struct values v;
	struct config *c = make(&v);
	struct err e;

	CHECK_I64(config_override(c, "entries=20", "-p", &e), -1);
	CHECK_STR(e.text, "-p entries=20: not an assignment, expected section.key=value");
	CHECK_I64(config_override(c, "core.entries", "-p", &e), -1);
	CHECK_STR(e.text, "-p core.entries: not an assignment, expected section.key=value");
	CHECK_I64(config_override(c, "core.entries=x", "-p", &e), -1);
	CHECK_STR(e.text, "-p: core.entries: x is not a number, expected 1 to 1024 entries");
	CHECK_I64(config_override(c, "cache.name=a.b=c", "-p", &e), 0);
	CHECK_STR(v.name, "a.b=c");
	config_destroy(c);
}

static char *dumped(const struct config *c, void (*write)(const struct config *, FILE *))
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		abort();
	write(c, f);
	fclose(f);
	return text;
}

static void a_dump_reads_back_to_the_same_dump(void)
{
	struct values v, again;
	struct config *c = make(&v), *d = make(&again);
	char *first, *second;

	config_override(c, "core.entries=77", "-p", NULL);
	config_override(c, "cache.bytes=3 KiB", "-p", NULL);
	first = dumped(c, config_dump);
	CHECK_I64(config_read(d, file("dump.ini", first), NULL), 0);
	second = dumped(d, config_dump);
	CHECK_U64(again.entries, 77);
	CHECK_U64(again.bytes, 3072);
	CHECK_STR(second, first);
	CHECK(strstr(first, "\n\n; the window\n[core]\nentries = 77 ") != NULL);
	free(first);
	free(second);
	config_destroy(c);
	config_destroy(d);
}

/* Keys of the user's own; a path in a file is relative to it, one from the command line to here. */
static void keep_own(void *user, const struct param *p, const char *value, const char *origin)
{
	char *text = user;

	(void)origin;
	if (!strcmp(p->section, "files"))
		snprintf(text + strlen(text), 600 - strlen(text), "%s=%s;", p->key, value);
}

static void an_open_section_takes_any_key(void)
{
	struct values v;
	struct config *c = make(&v);
	char text[600] = "", expected[600];

	config_add_open(c, "files", "paths by name", true);
	CHECK_I64(config_read(c, file("own.ini", "[files]\none = a.txt\ntwo = /b.txt\n[core]\nkind = none\n"), NULL),
		  0);
	CHECK_I64(config_override(c, "files.three=c.txt", "-p", NULL), 0);
	CHECK_I64(config_override(c, "files.two=d.txt", "-p", NULL), 0);
	config_visit(c, keep_own, text);
	snprintf(expected, sizeof(expected), "one=%s;two=d.txt;three=c.txt;", in_folder("a.txt"));
	CHECK_STR(text, expected);
	CHECK_STR(config_origin(c, "files", "three"), "-p");
	config_destroy(c);
}

struct member {
	char name[8];
	unsigned size;
};
struct family {
	struct member of[2];
	unsigned count;
};

static void *take_member(void *user, const char *name, const char *place, struct err *e)
{
	struct family *f = user;

	if (f->count == 2) {
		err_set(e, STATUS_USAGE, "%s: too many", place);
		return NULL;
	}
	snprintf(f->of[f->count].name, sizeof(f->of[0].name), "%.7s", name);
	return &f->of[f->count++];
}

/* Sections of any name with the same rows; the last dot of an assignment ends the name. */
static void a_family_has_a_section_for_each_name(void)
{
	static const struct param rows[] = {{.section = "disk.NAME",
					     .key = "size",
					     .type = PARAM_UINT,
					     .initial = "7",
					     .min = 1,
					     .max = 9,
					     .unit = "",
					     .doc = "its size",
					     .offset = offsetof(struct member, size)}};
	struct values v;
	struct config *c = make(&v);
	struct family f = {0};
	struct err e = {0};
	char *text;

	config_add_family(c, "disks", rows, 1, take_member, &f);
	CHECK_I64(config_read(c, file("family.ini", "[disk.a]\nsize = 3\n[disk.empty]\n"), NULL), 0);
	CHECK_I64(config_override(c, "disk.x.y.size=4", "-p", NULL), 0);
	CHECK_I64(config_override(c, "disk.a.size=5", "-p", NULL), 0);
	CHECK_U64(f.count, 2);
	CHECK_STR(f.of[0].name, "a");
	CHECK_U64(f.of[0].size, 5);
	CHECK_STR(f.of[1].name, "x.y");
	CHECK_U64(f.of[1].size, 4);
	CHECK_STR(config_origin(c, "disk.x.y", "size"), "-p");
	CHECK_I64(config_override(c, "disk.b.size=4", "-p", &e), -1);
	CHECK_STR(e.text, "-p: too many");
	CHECK_I64(config_override(c, "disk.a.size=10", "-p", &e), -1);
	CHECK_STR(e.text, "-p: disk.a.size: 10 is out of range, expected 1 to 9");
	CHECK_I64(config_override(c, "disk.a.sise=1", "-p", &e), -1);
	CHECK_STR(e.text, "-p: unknown key sise in section [disk.a], did you mean size?");
	CHECK_I64(config_override(c, "disk.].size=1", "-p", &e), -1);
	CHECK_I64(config_override(c, "disk.size=1", "-p", &e), -1);
	text = dumped(c, config_dump);
	CHECK(strstr(text, "[disk.a]\nsize = 5") != NULL);
	CHECK(strstr(text, "[disk.x.y]\nsize = 4") != NULL);
	free(text);
	text = dumped(c, config_list);
	CHECK(strstr(text, "[disk.NAME] disks\n  size                   7 ") != NULL);
	free(text);
	config_destroy(c);
}

/* A dump holds every name and value, so a file must be able to hold them. */
static void names_and_values_fit_a_file(void)
{
	struct values v;
	struct config *c = make(&v);
	struct err e = {0};

	config_add_open(c, "files", "paths by name", true);
	CHECK_I64(config_override(c, "files.a b=c.txt", "-p", &e), -1);
	CHECK_STR(e.text, "-p: [files]: \"a b\" is not a name, expected 1 to 63 letters, digits, _ . + or -");
	CHECK_I64(config_override(c, "files.=c.txt", "-p", NULL), -1);
	CHECK_I64(config_override(c, "files.a-2.b=c.txt", "-p", NULL), 0);
	CHECK_I64(config_override(c, "cache.name=a ;b", "-p", &e), -1);
	CHECK_STR(e.text, "-p: cache.name: comment or control character in the value, expected text");
	CHECK_I64(config_override(c, "cache.name=a\nb", "-p", NULL), -1);
	CHECK_I64(config_override(c, "cache.name=a;b", "-p", NULL), 0);
	config_destroy(c);
}

/* The file that names it is in a folder, the command line is here; neither an absolute path nor none has a folder. */
static void a_path_is_relative_to_its_file(void)
{
	struct values v;
	struct config *c = make(&v);
	char longest[PARAM_TEXT_MAX + 30];

	CHECK_STR(v.list, "");
	CHECK_I64(config_read(c, file("path.ini", "[cache]\nlist = lists/a.txt\nname = L2\n"), NULL), 0);
	CHECK_STR(v.list, in_folder("lists/a.txt"));
	CHECK_STR(v.name, "L2");
	CHECK_I64(config_read(c, file("path.ini", "[cache]\nlist = /a.txt\n"), NULL), 0);
	CHECK_STR(v.list, "/a.txt");
	CHECK_I64(config_override(c, "cache.list=lists/b.txt", "-p", NULL), 0);
	CHECK_STR(v.list, "lists/b.txt");
	CHECK_I64(config_override(c, "cache.list=", "-p", NULL), 0);
	CHECK_STR(v.list, "");
	snprintf(longest, sizeof(longest), "[cache]\nlist = %0*d\n", PARAM_TEXT_MAX - 1, 0);
	CHECK_I64(config_read(c, file("path.ini", longest), NULL), -1);
	config_destroy(c);
}

static void the_list_has_a_line_for_every_parameter(void)
{
	struct values v;
	struct config *c = make(&v);
	char *text = dumped(c, config_list);

	CHECK(strstr(text, "entries                64           1 to 1024") != NULL);
	CHECK(strstr(text, " entries            assumed, A64FX: 128      reorder buffer\n") != NULL);
	CHECK(strstr(text, " -                  ours                     clock gating\n") != NULL);
	CHECK(strstr(text, " bytes              p.42                     capacity\n") != NULL);
	CHECK(strstr(text, " -                  p.42                     its name\n") != NULL);
	CHECK(strstr(text, " -                  -                        its first lines\n") != NULL);
	CHECK(strstr(text, "64 to 1 MiB") != NULL);
	CHECK(strstr(text, "ideal|none") != NULL);
	CHECK(strstr(text, "[core] the window") != NULL);
	free(text);
	config_destroy(c);
}

static void every_allocation_may_fail(void)
{
	const char *path = file("a.ini", "inherit = base.ini\n[core]\nentries = 3\n");

	file("base.ini", "[cache]\nbytes = 64\n");
	for (unsigned k = 1; k < 50; k++) {
		struct err e = {0};
		struct values v;
		struct config *c;
		int result;

		alloc_fail_at(k);
		c = make(&v);
		result = config_read(c, path, &e);
		if (!result)
			result = config_override(c, "core.kind=none", "-p", &e);
		if (!alloc_fail_end()) {
			CHECK_I64(result, 0);
			CHECK_U64(v.entries, 3);
			config_destroy(c);
			return;
		}
		/* realpath's own failure only means that a circle is found later */
		if (result)
			CHECK_U64(e.status, STATUS_FAILED);
		config_destroy(c);
	}
	CHECK(!"more allocations than expected");
}

static const struct tap_test tests[] = {
	{"defaults are set as soon as rows are added", defaults_are_set_at_once},
	{"a file sets what it names and nothing else", a_file_sets_what_it_names},
	{"the later of two values wins", the_later_of_two_values_wins},
	{"comments, blanks, indents and a byte order mark do not matter", comments_blanks_and_indents_do_not_matter},
	{"an unknown key brings the nearest one of its section", an_unknown_key_brings_the_nearest},
	{"an unknown section brings the nearest one", an_unknown_section_brings_the_nearest},
	{"a bad value brings its place and the range", a_bad_value_brings_place_and_range},
	{"broken lines are refused with their number", broken_lines_are_refused},
	{"a line of 1000 characters is read, a longer one refused", a_line_may_have_1000_characters},
	{"a file that cannot be read is named", a_missing_file_is_named},
	{"an inherited file comes first", an_inherited_file_comes_first},
	{"a mistake in an inherited file has its place there", a_mistake_in_an_inherited_file_has_its_place},
	{"inheriting in a circle is refused", inheriting_in_a_circle_is_refused},
	{"inheriting more than 16 deep is refused", inheriting_too_deep_is_refused},
	{"an override wins, and its origin is remembered", an_override_wins_and_is_remembered},
	{"a key keeps its name for a release", a_key_keeps_its_name_for_a_release},
	{"a bad override is refused", a_bad_override_is_refused},
	{"a dump reads back to the same dump", a_dump_reads_back_to_the_same_dump},
	{"an open section takes any key, and knows paths", an_open_section_takes_any_key},
	{"a family has a section for each name", a_family_has_a_section_for_each_name},
	{"names and values of the command line fit a file", names_and_values_fit_a_file},
	{"a path is relative to the file that names it", a_path_is_relative_to_its_file},
	{"the list has a line for every parameter", the_list_has_a_line_for_every_parameter},
	{"every allocation may fail", every_allocation_may_fail},
};

int main(void)
{
	char command[100];
	int result;

	folder_make();
	result = tap_main("config", tests, TAP_COUNT(tests));
	snprintf(command, sizeof(command), "rm -r %s", folder);
	return result | system(command);
}
