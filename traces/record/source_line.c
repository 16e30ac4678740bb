#include "source_line.h"

#ifdef HAVE_LIBDW

#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void from_dwarf(Dwarf *dwarf, uint64_t address, char *buffer, size_t size)
{
	Dwarf_Die unit;
	Dwarf_Line *line;
	const char *file, *slash;
	int number;
	if (!dwarf_addrdie(dwarf, address, &unit) || !(line = dwarf_getsrc_die(&unit, address)) ||
	    !(file = dwarf_linesrc(line, NULL, NULL)) || dwarf_lineno(line, &number) != 0)
		return;
	slash = strrchr(file, '/');
	snprintf(buffer, size, "%s:%d", slash ? slash + 1 : file, number);
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
