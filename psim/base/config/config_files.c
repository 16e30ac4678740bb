#include "config_files.h"

#include <glob.h>
#include <string.h>

#include "config_find.h"
#include "../input.h"

enum { TITLE_MAX = 200 };

/* Writes the first line of a file without the comment's mark and the line's end; "" if it is no comment. */
static void read_title(const char *path, char title[TITLE_MAX])
{
	FILE *f = input_plain(path);
	size_t mark;

	title[0] = 0;
	if (!f)
		return;
	if (!fgets(title, TITLE_MAX, f))
		title[0] = 0;
	fclose(f);
	title[strcspn(title, "\n")] = 0;
	mark = strspn(title, "#; ");
	if (!mark)
		title[0] = 0;
	memmove(title, title + mark, strlen(title + mark) + 1);
}

int config_list_files(struct config *c, FILE *out, struct err *e)
{
	char folder[PATH_MAX], pattern[PATH_MAX + 16], title[TITLE_MAX];
	glob_t found;

	if (!config_folder(folder))
		return err_set(e, STATUS_FAILED,
			       "no folder of configurations, expected share/psim beside the program's folder");
	snprintf(pattern, sizeof(pattern), "%s/*.ini", folder);
	glob(pattern, 0, NULL, &found);
	snprintf(pattern, sizeof(pattern), "%s/*/*.ini", folder);
	glob(pattern, GLOB_APPEND, NULL, &found);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *path = found.gl_pathv[i];

		/* a file of another program has sections that this one does not know */
		if (config_read(c, path, e) < 0)
			continue;
		read_title(path, title);
		fprintf(out, "%-34s%s\n", path + strlen(folder) + 1, title);
	}
	globfree(&found);
	return 0;
}
