/*
 * A user's own constants from a file (docs/formats/constants-format.md): rows of values with their source, CACTI's
 * output and Accelergy's tables as they are, scaled to the points of technology.h by its laws.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../psim/base/input.h"
#include "../psim/base/lines.h"
#include "accelergy_read.h"
#include "constants.h"
#include "technology.h"

enum { CONSTANTS_CHARS = 1000, WORDS = 8, WORDS_OF_VALUES = 5 };

/* Constants of the energy section that have low and high values too. */
#define OTHERS(C) \
	C(latch_pj, 0.25, 0.012, 100) \
	C(leakage_w, 8, 0, 1000)

/* Where a constant is in the machine, and what it may be. */
static const struct row {
	const char *name;
	double usual, least, most;
	size_t likely, low, high;
} rows[] = {
#define TECHNOLOGY(name, value, least, most, unit, reading, doc, source) \
	{"technology." #name, \
	 value, \
	 least, \
	 most, \
	 offsetof(struct energy_machine, technology.name), \
	 offsetof(struct energy_machine, low.technology.name), \
	 offsetof(struct energy_machine, high.technology.name)},
#include "technology.def"
#undef TECHNOLOGY
#define OTHER(name, value, least, most) \
	{"energy." #name, \
	 value, \
	 least, \
	 most, \
	 offsetof(struct energy_machine, name), \
	 offsetof(struct energy_machine, low.name), \
	 offsetof(struct energy_machine, high.name)},
	OTHERS(OTHER)
#undef OTHER
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };
_Static_assert((int)ROWS <= (int)CONSTANTS_MAX, "constants.h has room for all");

struct reader {
	struct lines lines;
	struct energy_machine *machine;
	struct constants *out;
	bool headed;
};

static double *field(struct energy_machine *m, size_t offset)
{
	return (double *)(void *)((char *)m + offset);
}

static const struct row *find(const char *name)
{
	for (unsigned n = 0; n < ROWS; n++)
		if (!strcmp(rows[n].name, name))
			return &rows[n];
	return NULL;
}

/* Enters values of a constant, which the file and the configuration give once. */
static int enter(struct reader *r, const struct row *row, double low, double likely, double high, const char *source)
{
	struct constant *c = &r->out->row[r->out->count];
	double *value = field(r->machine, row->likely);

	for (unsigned n = 0; n < r->out->count; n++)
		if (!strcmp(r->out->row[n].name, row->name))
			return lines_wrong(&r->lines, "a second line of %s", row->name);
	if (*value != row->usual)
		return lines_wrong(&r->lines, "%s is %g in the configuration too, expected one of the two", row->name,
				   *value);
	if (!(likely >= row->least && likely <= row->most))
		return lines_wrong(&r->lines, "%s: %g is out of range, expected %g to %g", row->name, likely,
				   row->least, row->most);
	*value = likely;
	*field(r->machine, row->low) = low;
	*field(r->machine, row->high) = high;
	*c = (struct constant){.low = low, .likely = likely, .high = high};
	snprintf(c->name, sizeof(c->name), "%s", row->name);
	snprintf(c->source, sizeof(c->source), "%s", source);
	r->out->count++;
	return 0;
}

static bool number(const char *word, double *value)
{
	char *end;

	*value = strtod(word, &end);
	return end != word && !*end && isfinite(*value);
}

/* NAME LOW LIKELY HIGH SOURCE */
static int read_values(struct reader *r, char *words[WORDS], unsigned count)
{
	const struct row *row = find(words[0]);
	double low, likely, high;

	if (!row)
		return lines_wrong(&r->lines,
				   "unknown constant %.64s, expected technology.NAME of psim --list-params, "
				   "energy.latch_pj, energy.leakage_w, cacti, ert or art",
				   words[0]);
	if (count < 5 || !number(words[1], &low) || !number(words[2], &likely) || !number(words[3], &high))
		return lines_wrong(&r->lines, "expected %s LOW LIKELY HIGH SOURCE", row->name);
	if (!(low > 0 && low <= likely && likely <= high && high <= row->most))
		return lines_wrong(&r->lines, "%s: %g %g %g, expected 0 < LOW <= LIKELY <= HIGH <= %g", row->name, low,
				   likely, high, row->most);
	return enter(r, row, low, likely, high, words[4]);
}

/* ---- CACTI ---- */
enum cacti { CACTI_BYTES, CACTI_BLOCK, CACTI_NODE, CACTI_READ, CACTI_WRITE, CACTI_SIZE, CACTI_COUNT };
static const char *const cacti_lines[CACTI_COUNT] = {
	[CACTI_BYTES] = "Total cache size (bytes)",
	[CACTI_BLOCK] = "Block size (bytes)",
	[CACTI_NODE] = "Technology size (nm)",
	[CACTI_READ] = "Total dynamic read energy per access (nJ)",
	[CACTI_WRITE] = "Total dynamic write energy per access (nJ)",
	[CACTI_SIZE] = "Cache height x width (mm)",
};

/* The number behind "NAME:"; of height x width their product. Text behind it is CACTI's. */
static bool cacti_value(const char *line, enum cacti which, double *value)
{
	const size_t length = strlen(cacti_lines[which]);
	char *end, *second;
	double width;

	while (isspace((unsigned char)*line))
		line++;
	if (strncmp(line, cacti_lines[which], length) != 0 || line[length] != ':')
		return false;
	*value = strtod(line + length + 1, &end);
	if (which == CACTI_SIZE) {
		end += strspn(end, " ");
		if (*end++ != 'x')
			return false;
		width = strtod(end, &second);
		*value *= width;
	}
	return isfinite(*value) && *value > 0;
}

static int cacti_read(struct reader *r, const char *path, double value[CACTI_COUNT])
{
	struct lines l = {.in = input_open(path), .name = path, .err = r->lines.err};
	char text[CONSTANTS_CHARS];
	int more = 0;

	if (!l.in)
		return lines_wrong(&r->lines, "%.200s: %s", path, strerror(errno));
	for (unsigned n = 0; n < CACTI_COUNT; n++)
		value[n] = 0;
	while ((more = lines_read(&l, text, sizeof(text))) > 0)
		for (unsigned n = 0; n < CACTI_COUNT; n++)
			if (value[n] == 0 && !cacti_value(text, n, &value[n]))
				value[n] = 0;
	fclose(l.in);
	for (unsigned n = 0; n < CACTI_COUNT && more == 0; n++)
		if (value[n] == 0)
			return lines_wrong(&r->lines, "%.200s: no line '%s: NUMBER', expected the output of CACTI",
					   path, cacti_lines[n]);
	return more;
}

/* Arrays of technology.def that CACTI describes: their sizes, and whether bits of an access scale. */
static const struct anchor {
	const char *name, *read, *write, *mm2;
	double bytes, bits;
} anchors[] = {
	{"sram", "technology.sram_read_pj", "technology.sram_write_pj", "technology.sram_mm2", SRAM_BYTES, SRAM_BITS},
	{"l1", "technology.l1_read_pj", "technology.l1_write_pj", "technology.l1_mm2", L1_BYTES, 0},
	{"l2", "technology.l2_read_pj", "technology.l2_write_pj", "technology.l2_mm2", L2_BYTES, 0},
};

/* An access of the L2 is a line, and does not scale; one of the L1 is 256 bits, whatever its lines. */
static int cacti_check(struct reader *r, const struct anchor *a, const char *path, const double value[CACTI_COUNT])
{
	if (value[CACTI_NODE] < NODE_LEAST || value[CACTI_NODE] > NODE_MOST)
		r->out->outside_nm = value[CACTI_NODE];
	if (a->bytes == L2_BYTES && value[CACTI_BLOCK] != L2_BITS / 8)
		return lines_wrong(&r->lines, "%.200s: a block of %g bytes, expected %g as the reference's L2", path,
				   value[CACTI_BLOCK], L2_BITS / 8);
	return 0;
}

/* The path of a file that a line names, beside the file of constants. */
static void beside(const struct reader *r, const char *word, char path[CONSTANTS_CHARS + PATH_CHARS])
{
	const char *slash = strrchr(r->lines.name, '/');

	snprintf(path, CONSTANTS_CHARS + PATH_CHARS, "%.*s%s",
		 slash && *word != '/' ? (int)(slash + 1 - r->lines.name) : 0, r->lines.name, word);
}

/* cacti ARRAY FILE VOLTS */
static int read_cacti(struct reader *r, char *words[WORDS], unsigned count)
{
	const struct anchor *a = NULL;
	double v[CACTI_COUNT], volts, size, energy, area;
	char path[CONSTANTS_CHARS + PATH_CHARS], source[CONSTANTS_CHARS];

	for (unsigned n = 0; count > 1 && n < sizeof(anchors) / sizeof(anchors[0]); n++)
		a = strcmp(words[1], anchors[n].name) ? a : &anchors[n];
	if (!a || count != 4 || !number(words[3], &volts) || !(volts >= 0.3 && volts <= 3))
		return lines_wrong(&r->lines, "expected cacti sram|l1|l2 FILE VOLTS, 0.3 to 3");
	beside(r, words[2], path);
	if (cacti_read(r, path, v) < 0 || cacti_check(r, a, path, v) < 0)
		return -1;
	size = a->bytes / v[CACTI_BYTES];
	energy = 1e3 * pow(size, SRAM_CAPACITY_EXP) / technology_dynamic(v[CACTI_NODE], volts);
	area = pow(size, SRAM_AREA_EXP) / technology_area(v[CACTI_NODE]);
	if (a->bits > 0) {
		energy *= pow(a->bits / (8 * v[CACTI_BLOCK]), SRAM_BITS_EXP);
		area *= pow(a->bits / (8 * v[CACTI_BLOCK]), SRAM_WIDTH_AREA_EXP);
	}
	snprintf(source, sizeof(source), "CACTI: %.80s, %g bytes, %g nm, %g V", words[2], v[CACTI_BYTES], v[CACTI_NODE],
		 volts);
	if (enter(r, find(a->read), 0, energy * v[CACTI_READ], 0, source) < 0 ||
	    enter(r, find(a->write), 0, energy * v[CACTI_WRITE], 0, source) < 0)
		return -1;
	return enter(r, find(a->mm2), 0, area * v[CACTI_SIZE], 0, source);
}

/* ---- Accelergy ---- */
/* Returns whether the constant ends so: its unit. */
static bool has_unit(const struct row *row, const char *unit)
{
	size_t length = row ? strlen(row->name) : 0;

	return length > strlen(unit) && !strcmp(row->name + length - strlen(unit), unit);
}

/* ert CONSTANT FILE COMPONENT ACTION NM VOLTS; art CONSTANT FILE COMPONENT NM */
static int read_accelergy(struct reader *r, char *words[WORDS], unsigned count)
{
	const bool energy = strcmp(words[0], "ert") == 0;
	const struct row *row = find(words[1]);
	char path[CONSTANTS_CHARS + PATH_CHARS], source[CONSTANTS_CHARS];
	double value, nm, volts = 1;
	struct err why;

	if (count != (energy ? 7 : 5) || !has_unit(row, energy ? "_pj" : "_mm2") ||
	    !number(words[energy ? 5 : 4], &nm) || !(nm >= 1 && nm <= 1000) ||
	    (energy && (!number(words[6], &volts) || !(volts >= 0.3 && volts <= 3))))
		return lines_wrong(&r->lines, "expected %s",
				   energy ? "ert CONSTANT_pj FILE COMPONENT ACTION NM VOLTS, 0.3 to 3"
					  : "art CONSTANT_mm2 FILE COMPONENT NM");
	beside(r, words[2], path);
	if (accelergy_read(path, words[3], energy ? words[4] : NULL, &value, &why) < 0)
		return lines_wrong(&r->lines, "%s", why.text);
	if (nm < NODE_LEAST || nm > NODE_MOST)
		r->out->outside_nm = nm;
	if (strcmp(row->name, "technology.memory_pj") != 0) /* off chip, of another process */
		value /= energy ? technology_dynamic(nm, volts) : 1e6 * technology_area(nm);
	snprintf(source, sizeof(source), "Accelergy: %.60s, %.40s%s%.20s, %g nm", words[2], words[3], energy ? " " : "",
		 energy ? words[4] : "", nm);
	return enter(r, row, 0, value, 0, source);
}

/* ---- lines ---- */

/* Splits a line into words, with empty ones behind them; the last of the most is the rest of the line. */
static unsigned split(char *line, char *words[WORDS], unsigned most)
{
	unsigned count = 0;
	char *at = line, *end = line + strlen(line);

	while (end > line && isspace((unsigned char)end[-1]))
		*--end = '\0';
	while (*(at += strspn(at, " \t")) && count < most) {
		words[count++] = at;
		if (count == most)
			break;
		at += strcspn(at, " \t");
		if (*at)
			*at++ = '\0';
	}
	for (unsigned n = count; n < WORDS; n++)
		words[n] = end;
	return count;
}

/* Returns whether a line names a table of Accelergy; all its words are separate. */
static bool of_accelergy(const char *line)
{
	line += strspn(line, " \t");
	return (!strncmp(line, "ert", 3) || !strncmp(line, "art", 3)) && strspn(line + 3, " \t") > 0;
}

static int constants_line(struct reader *r, char *line)
{
	char *words[WORDS], *comment = line + strspn(line, " \t");
	unsigned count;

	if (*comment == '#' || !comment[strspn(comment, " \t\r\n")])
		return 0;
	for (const char *c = line; *c; c++)
		if (iscntrl((unsigned char)*c) && !isspace((unsigned char)*c))
			return lines_wrong(&r->lines, "a control character");
	count = split(line, words, of_accelergy(line) ? WORDS : WORDS_OF_VALUES);
	if (count == 0) /* form feeds and the like alone */
		return 0;
	if (!r->headed) {
		r->headed = true;
		if (count != 2 || strcmp(words[0], "energy-constants") || strcmp(words[1], "1"))
			return lines_wrong(&r->lines, "expected energy-constants 1");
		return 0;
	}
	if (!strcmp(words[0], "ert") || !strcmp(words[0], "art"))
		return read_accelergy(r, words, count);
	return strcmp(words[0], "cacti") ? read_values(r, words, count) : read_cacti(r, words, count);
}

int constants_read(struct energy_machine *machine, struct constants *out, struct err *e)
{
	struct reader r = {.machine = machine, .out = out};
	char line[CONSTANTS_CHARS];
	int more = 0;

	out->count = 0;
	out->outside_nm = 0;
	if (!machine->constants || !*machine->constants)
		return 0;
	r.lines = (struct lines){.in = input_open(machine->constants), .name = machine->constants, .err = e};
	if (!r.lines.in)
		return err_set(e, err_errno(STATUS_BAD_INPUT), "%s: %s", machine->constants, strerror(errno));
	while (more == 0 && (more = lines_read(&r.lines, line, sizeof(line))) > 0)
		more = constants_line(&r, line);
	fclose(r.lines.in);
	if (more < 0)
		return -1;
	if (!r.headed)
		return err_set(e, STATUS_BAD_INPUT, "%s: expected energy-constants 1", machine->constants);
	return out->count ? 0
			  : err_set(e, STATUS_BAD_INPUT, "%s: no constant, expected CONSTANT LOW LIKELY HIGH SOURCE",
				    machine->constants);
}
