#include "opt_files.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "../config/config.h"
#include "../config/config_find.h"
#include "../message_line.h"
#include "../report/out.h"

struct outputs {
	struct {
		char option[64]; /* as in a message: "--output" */
		const char *path;
	} row[OPT_ROWS_MAX + OPT_FILES_MAX];
	unsigned count;
	struct err *err;
};

static void add_output(struct outputs *o, const char *dashes, const char *option, const char *path)
{
	if (!path || !*path)
		return;
	snprintf(o->row[o->count].option, sizeof(o->row[0].option), "%s%s", dashes, option);
	o->row[o->count++].path = path;
}

/* Finds the file or folder of an output; false: there is none. */
static bool is_there(const char *path, struct opt_output *found)
{
	struct stat st;

	*found = (struct opt_output){.path = path};
	if (!strcmp(path, "-") || stat(path, &st) != 0 || !(S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
		return false;
	found->device = (uint64_t)st.st_dev;
	found->inode = (uint64_t)st.st_ino;
	return true;
}

static void note_outputs(const struct outputs *o, struct opt_common *c)
{
	for (unsigned n = 0; n < o->count && c->output_count < OPT_OUTPUTS_MAX; n++)
		is_there(o->row[n].path, &c->outputs[c->output_count++]);
}

void opt_files_tell(const struct opt_program *p)
{
	struct opt_output now;

	for (unsigned n = 0; p->common && n < p->common->output_count; n++) {
		const struct opt_output *before = &p->common->outputs[n];

		if (is_there(before->path, &now) && (now.device != before->device || now.inode != before->inode))
			message("%s: note: %s was written before this", p->name, now.path);
	}
}

static int are_different(const struct outputs *o, struct err *e)
{
	for (unsigned n = 0; n < o->count; n++)
		for (unsigned k = 0; k < n; k++)
			if (out_same(o->row[k].path, o->row[n].path))
				return err_set(e, STATUS_USAGE, "%s and %s both write to %s, expected different files",
					       o->row[k].option, o->row[n].option,
					       strcmp(o->row[n].path, "-") ? o->row[n].path : "standard output");
	return 0;
}

/* A config_input_fn: no output is this file. */
static int is_no_output(void *user, const char *path)
{
	const struct outputs *o = user;
	char found[PATH_MAX];

	path = config_find(path, found);
	for (unsigned n = 0; n < o->count; n++)
		if (out_is_not(o->row[n].path, path, o->err) < 0)
			return -1;
	return 0;
}

/* Checks a word that is the name of an input, or has one behind = or : and before *. */
static int check_word(struct outputs *o, const char *word)
{
	char part[PATH_MAX];

	for (const char *at = word; at; at = strpbrk(at, "=:") ? strpbrk(at, "=:") + 1 : NULL) {
		if (is_no_output(o, at) < 0)
			return -1;
		if (!strchr(at, '*') || strlen(at) >= sizeof(part))
			continue;
		snprintf(part, sizeof(part), "%.*s", (int)(strrchr(at, '*') - at), at);
		if (is_no_output(o, part) < 0)
			return -1;
	}
	return 0;
}

static int check_row(struct outputs *o, const struct opt *row)
{
	const struct opt_list *list = row->target;
	const char *const *text = row->target;

	if (row->type == OPT_READS)
		return *text ? check_word(o, *text) : 0;
	for (unsigned n = 0; row->type == OPT_READS_EACH && n < list->count; n++)
		if (check_word(o, list->item[n]) < 0)
			return -1;
	return 0;
}

int opt_files_check(const struct opt_program *p, const struct opt_rows *rows, char *operands[], int count,
		    struct err *e)
{
	struct outputs o = {.err = e};
	int inputs = p->stop_at_operand && count > 1 ? 1 : count;

	if (p->groups & OPT_OUTPUT)
		for (unsigned n = 0; n < p->common->file_count; n++)
			add_output(&o, "", p->common->files[n].option, p->common->files[n].path);
	for (unsigned n = 0; n < rows->own; n++)
		if (rows->row[n].type == OPT_WRITES)
			add_output(&o, "--", rows->row[n].name, *(const char *const *)rows->row[n].target);
	note_outputs(&o, p->common);
	if (are_different(&o, e) < 0)
		return -1;
	for (unsigned n = 0; n < rows->count; n++)
		if (check_row(&o, &rows->row[n]) < 0)
			return -1;
	for (int n = 0; n < inputs; n++)
		if (check_word(&o, operands[n]) < 0)
			return -1;
	return p->groups & OPT_CONFIG ? config_each_input(p->config, is_no_output, &o) : 0;
}
