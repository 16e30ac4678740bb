#include "source_line.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CALLS_MAX = 4 }; /* limit of calls of nested inlined functions in a message */

struct text {
	char *at;
	size_t size, length;
};

static void source_line_add(struct text *t, const char *before, const char *file, Dwarf_Word line)
{
	const char *slash = strrchr(file, '/');
	int n = snprintf(t->at + t->length, t->size - t->length, "%s%s:%lu", before, slash ? slash + 1 : file,
			 (unsigned long)line);
	t->length += n < 0 ? 0 : (size_t)n < t->size - t->length ? (size_t)n : t->size - t->length - 1;
}

static bool source_line_number_of(Dwarf_Die *die, unsigned name, Dwarf_Word *value)
{
	Dwarf_Attribute attribute;
	return dwarf_attr(die, name, &attribute) && dwarf_formudata(&attribute, value) == 0;
}

/* Appends the call sites of the inlined functions at the address, the innermost first. */
static void add_calls(struct text *t, Dwarf_Die *unit, uint64_t address)
{
	Dwarf_Files *files;
	Dwarf_Die *around = NULL, *scopes = NULL;
	/* the innermost scope, then its enclosing scopes (not those of its definition) */
	int count = dwarf_getscopes(unit, address, &around);
	count = count > 0 ? dwarf_getscopes_die(&around[0], &scopes) : 0;
	size_t file_count;
	if (count > 0 && dwarf_getsrcfiles(unit, &files, &file_count) == 0)
		for (int k = 0, shown = 0; k < count && shown < CALLS_MAX; k++) {
			Dwarf_Word file, line;
			if (dwarf_tag(&scopes[k]) != DW_TAG_inlined_subroutine ||
			    !source_line_number_of(&scopes[k], DW_AT_call_file, &file) ||
			    !source_line_number_of(&scopes[k], DW_AT_call_line, &line) || file >= file_count)
				continue;
			source_line_add(t, " in ", dwarf_filesrc(files, file, NULL, NULL), line);
			shown++;
		}
	free(around);
	free(scopes);
}

static void from_dwarf(Dwarf *dwarf, uint64_t address, char *buffer, size_t size)
{
	struct text t = {.at = buffer, .size = size};
	Dwarf_Die unit;
	Dwarf_Line *line;
	const char *file;
	int number;
	if (!dwarf_addrdie(dwarf, address, &unit) || !(line = dwarf_getsrc_die(&unit, address)) ||
	    !(file = dwarf_linesrc(line, NULL, NULL)) || dwarf_lineno(line, &number) != 0)
		return;
	source_line_add(&t, "", file, (Dwarf_Word)number);
	add_calls(&t, &unit, address);
}

void source_line(const char *path, uint64_t address, char *buffer, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Dwarf *dwarf = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);
	*buffer = '\0';
	if (dwarf) {
		from_dwarf(dwarf, address, buffer, size);
		dwarf_end(dwarf);
	}
	if (fd >= 0)
		close(fd);
}

#else

void source_line(const char *path, uint64_t address, char *buffer, size_t size)
{
	(void)path;
	(void)address;
	(void)size;
	*buffer = '\0';
}

#endif
