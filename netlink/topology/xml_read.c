#include "xml_read.h"

#include <errno.h>
#include <expat.h>
#include <string.h>

#include "../../psim/base/input.h"

enum { CHUNK = 1 << 16 };

struct xml_reading {
	XML_Parser parser;
	struct lines *lines;
	const struct xml_handlers *h;
	void *user;
	int failed;
};

static void xml_note(struct xml_reading *x, int failed)
{
	if (!failed)
		return;
	x->failed = -1;
	XML_StopParser(x->parser, XML_FALSE);
}

/* Returns whether the event counts; sets its line. */
static int xml_at(struct xml_reading *x)
{
	x->lines->number = (uint32_t)XML_GetCurrentLineNumber(x->parser);
	return !x->failed;
}

static void XMLCALL xml_start(void *user, const XML_Char *element, const XML_Char **attributes)
{
	struct xml_reading *x = user;

	if (xml_at(x))
		xml_note(x, x->h->start(x->user, element, (const char *const *)attributes));
}

static void XMLCALL xml_end(void *user, const XML_Char *element)
{
	struct xml_reading *x = user;

	if (xml_at(x))
		xml_note(x, x->h->end(x->user, element));
}

static void XMLCALL xml_text(void *user, const XML_Char *text, int length)
{
	struct xml_reading *x = user;

	if (xml_at(x))
		xml_note(x, x->h->text(x->user, text, (size_t)length));
}

static void XMLCALL xml_entity(void *user, const XML_Char *name, int is_parameter, const XML_Char *value, int length,
			       const XML_Char *base, const XML_Char *system, const XML_Char *public,
			       const XML_Char *notation)
{
	struct xml_reading *x = user;

	(void)name, (void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public,
		(void)notation;
	if (xml_at(x))
		xml_note(x, lines_wrong(x->lines, "an entity, expected a document without entities of its own"));
}

/* Parses the next piece. Returns whether another one follows; 0: the end, or x->failed. */
static int xml_piece(struct xml_reading *x)
{
	void *buffer = XML_GetBuffer(x->parser, CHUNK);
	size_t count = buffer ? fread(buffer, 1, CHUNK, x->lines->in) : 0;

	if (!buffer) {
		x->failed = err_set(x->lines->err, STATUS_FAILED, "%s: no memory", x->lines->name);
		return 0;
	}
	if (ferror(x->lines->in)) {
		x->failed = err_set(x->lines->err, err_errno(STATUS_BAD_INPUT), "%s: cannot read: %s", x->lines->name,
				    input_failure());
		return 0;
	}
	x->lines->bytes += count;
	if (x->lines->bytes > LINES_BYTES_MAX) {
		x->failed = lines_wrong(x->lines, "more than %llu bytes", (unsigned long long)LINES_BYTES_MAX);
		return 0;
	}
	if (XML_ParseBuffer(x->parser, (int)count, count == 0) != XML_STATUS_OK && !x->failed) {
		xml_at(x);
		x->failed = lines_wrong(x->lines, "%s, expected well-formed XML",
					XML_ErrorString(XML_GetErrorCode(x->parser)));
	}
	return count && !x->failed;
}

int xml_read(struct lines *lines, const struct xml_handlers *h, void *user)
{
	struct xml_reading x = {.parser = XML_ParserCreate(NULL), .lines = lines, .h = h, .user = user};

	if (!x.parser)
		return err_set(lines->err, STATUS_FAILED, "%s: no memory", lines->name);
	XML_SetUserData(x.parser, &x);
	XML_SetElementHandler(x.parser, xml_start, xml_end);
	XML_SetCharacterDataHandler(x.parser, xml_text);
	XML_SetEntityDeclHandler(x.parser, xml_entity);
	while (xml_piece(&x))
		;
	XML_ParserFree(x.parser);
	return x.failed;
}

const char *xml_attribute(const char *const *attributes, const char *name)
{
	for (; *attributes; attributes += 2)
		if (!strcmp(attributes[0], name))
			return attributes[1];
	return NULL;
}
