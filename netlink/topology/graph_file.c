#include "graph_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../psim/base/input.h"
#include "graph_build.h"

enum { LINE_CHARS = 300, HEAD_CHARS = 4096 };

static int graph_file_take_line(struct graph_reader *r, char *line)
{
	char *word[5], *rest = NULL;
	unsigned words = 0;

	if (!strchr(line, '\n'))
		return lines_wrong(&r->lines, "the file ends within a line, expected the end of the line");
	for (const char *at = line; *at; at++)
		if (iscntrl((unsigned char)*at) && !isspace((unsigned char)*at))
			return lines_wrong(&r->lines, "control character 0x%02x, expected text", (unsigned char)*at);
	line[strcspn(line, "#\r\n")] = '\0';
	for (char *at = strtok_r(line, " \t", &rest); at && words < 5; at = strtok_r(NULL, " \t", &rest))
		word[words++] = at;
	if (!words)
		return 0;
	if (!strcmp(word[0], "nodes") && words == 3)
		return graph_set_hosts(r, word[1], word[2]);
	if (words < 2 || words > 4 || !strcmp(word[0], "nodes"))
		return lines_wrong(&r->lines,
				   "%u words, expected VERTEX VERTEX [CLASS [CLASS-BACK]] or nodes VERTEX COUNT",
				   words);
	if (words == 2)
		word[2] = "link";
	return graph_add_edge(r, word[0], word[1], word[2], word[words == 4 ? 3 : 2]);
}

const char *graph_file_kind(const char *path)
{
	FILE *in = strcmp(path, "-") != 0 ? input_open(path) : NULL; /* standard input cannot be read again */
	char head[HEAD_CHARS] = "";
	size_t count = in ? fread(head, 1, sizeof(head) - 1, in) : 0;

	if (in)
		fclose(in);
	head[count] = '\0';
	return (*head == '<' || (unsigned char)*head == 0xef) && strstr(head, "<platform") ? "platform" : "graph";
}

static int read_edges(struct graph_reader *r)
{
	char line[LINE_CHARS];
	int got;

	while ((got = lines_read(&r->lines, line, sizeof(line))) > 0)
		if (graph_file_take_line(r, line) < 0)
			return -1;
	return got;
}

/* Returns whether the file begins with a tag, or with the mark of UTF-8 before it: no name begins so. */
static bool graph_file_is_xml(FILE *in)
{
	int first = getc(in);

	if (first != EOF)
		ungetc(first, in);
	return first == '<' || first == 0xef;
}

int graph_file_read(struct graph_file *f, const char *path, uint32_t hosts, struct err *e)
{
	struct graph_reader r = {.lines = {.in = input_open(path), .name = path, .err = e}, .hosts = hosts};
	int got;

	*f = (struct graph_file){0};
	if (!r.lines.in)
		return err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot open: %s", path, strerror(errno));
	got = graph_file_is_xml(r.lines.in) ? graph_ml_read(&r) : read_edges(&r);
	if (!got)
		got = graph_build_finish(&r, f, e);
	fclose(r.lines.in);
	graph_build_drop(&r);
	if (got)
		graph_file_finish(f);
	return got;
}

void graph_file_finish(struct graph_file *f)
{
	free(f->edge);
	free(f->hosts);
	free(f->class);
	free(f->names);
	free(f->name_at);
	*f = (struct graph_file){0};
}
