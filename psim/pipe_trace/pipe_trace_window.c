/* Parser of the pipe trace's window. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pipe_trace.h"

static int pipe_trace_window_malformed(const char *text, struct err *e)
{
	return err_set(e, STATUS_USAGE,
		       "'%s': expected FROM:COUNT, @FUNCTION:COUNT, @ADDRESS:COUNT or @region:NAME:COUNT", text);
}

static int parse_number(const char *text, const char *end, uint64_t *out)
{
	char *stop;

	errno = 0;
	*out = strtoull(text, &stop, 0);
	return !errno && stop == end && *text >= '0' && *text <= '9' ? 0 : -1;
}

/* Parses the first `length` characters of `text`: "name", "name+0x40" or "0x100a28". */
static int parse_place(const char *text, const char *name, size_t length, const struct trace_info *info,
		       struct pipe_trace_window *w, struct err *e)
{
	size_t plain = strcspn(name, "+") < length ? strcspn(name, "+") : length;
	uint64_t offset = 0;

	if (plain < length && parse_number(name + plain + 1, name + length, &offset) < 0)
		return pipe_trace_window_malformed(text, e);
	for (unsigned n = 0; n < info->symbol_count; n++) {
		const struct trace_symbol *s = &info->symbols[n];

		if (strlen(s->name) == plain && !strncmp(s->name, name, plain)) {
			w->start_pc = s->address + offset;
			w->end_pc = plain == length ? s->address + s->size : 0;
			return 0;
		}
	}
	if (parse_number(name, name + length, &w->start_pc) == 0 && w->start_pc)
		return 0;
	return err_set(e, STATUS_USAGE, "unknown function '%.*s', expected one in the trace's symbols", (int)plain,
		       name);
}

int pipe_trace_window_parse(const char *text, const struct trace_info *info, struct pipe_trace_window *w,
			    char region[TRACE_NAME_MAX], struct err *e)
{
	static const char prefix[] = "@region:";
	bool is_region = !strncmp(text, prefix, sizeof(prefix) - 1);
	const char *name = text + (is_region ? sizeof(prefix) - 1 : *text == '@'), *end = name + strcspn(name, ":");
	size_t length = (size_t)(end - name);

	*w = (struct pipe_trace_window){.count = 200};
	if (!length || (*end && (parse_number(end + 1, text + strlen(text), &w->count) < 0 || !w->count)))
		return pipe_trace_window_malformed(text, e);
	if (is_region) {
		if (length >= TRACE_NAME_MAX)
			return pipe_trace_window_malformed(text, e);
		memcpy(region, name, length);
		region[length] = '\0';
		w->region = region;
		return 0;
	}
	if (*text == '@')
		return parse_place(text, name, length, info, w, e);
	return parse_number(text, end, &w->first) < 0 ? pipe_trace_window_malformed(text, e) : 0;
}
