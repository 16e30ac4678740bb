/* Runs a fuzz target on files and on the files of folders: what libFuzzer does with -runs=0. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "fuzz.h"

static int run_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = NULL;
	struct stat s;
	size_t n = 0;

	if (!f || fstat(fileno(f), &s)) {
		perror(path);
		return 1;
	}
	data = malloc((size_t)s.st_size + 1);
	if (data)
		n = fread(data, 1, (size_t)s.st_size, f);
	fclose(f);
	if (n != (size_t)s.st_size) {
		fprintf(stderr, "%s: cannot read\n", path);
		free(data);
		return 1;
	}
	LLVMFuzzerTestOneInput(data, n);
	free(data);
	return 0;
}

static int run_folder(const char *path, unsigned *count)
{
	DIR *d = opendir(path);
	struct dirent *entry;
	char file[4096];

	if (!d) {
		perror(path);
		return 1;
	}
	while ((entry = readdir(d)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
		if (run_file(file)) {
			closedir(d);
			return 1;
		}
		++*count;
	}
	closedir(d);
	return 0;
}

int main(int argc, char *argv[])
{
	unsigned count = 0;

	for (int i = 1; i < argc; i++)
		if (run_folder(argv[i], &count))
			return 1;
	printf("%u files\n", count);
	return count == 0; /* an empty corpus tests nothing */
}
