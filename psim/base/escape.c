#include "escape.h"

#include <stdint.h>
#include <string.h>

/* Returns the bytes of the character at `text` and its code point; 0: not UTF-8 (RFC 3629). */
static size_t decode(const char *text, uint32_t *code)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned char first = (unsigned char)*text;
	size_t count = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
	uint32_t c = count > 1 ? first & (0x7fu >> count) : first;

	for (size_t n = 1; n < count; n++) {
		if (((unsigned char)text[n] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | ((unsigned char)text[n] & 0x3f);
	}
	*code = c;
	return count && c >= least[count] && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff) ? count : 0;
}

static bool is_hidden(uint32_t c)
{
	return c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || (c & 0xfffe) == 0xfffe;
}

size_t escape_length(const char *text, bool *plain)
{
	uint32_t code;
	size_t length = decode(text, &code);

	*plain = length && !is_hidden(code);
	return length ? length : 1;
}

const char *escape_next(const char *text, char shown[ESCAPE_MAX])
{
	uint32_t code = 0;
	size_t length = decode(text, &code);
	const char *named = length && code && code < ' ' ? strchr("\tt\nn\rr", (int)code) : NULL;

	if (length && !is_hidden(code)) {
		memcpy(shown, text, length);
		shown[length] = 0;
	} else if (named) {
		snprintf(shown, ESCAPE_MAX, "\\%c", named[1]);
	} else if (length < 2) {
		snprintf(shown, ESCAPE_MAX, "\\x%02x", (unsigned)(unsigned char)*text);
	} else {
		snprintf(shown, ESCAPE_MAX, code > 0xffff ? "\\U%08x" : "\\u%04x", code);
	}
	return text + (length ? length : 1);
}

int escape_width(const char *text)
{
	char shown[ESCAPE_MAX];
	int width = 0;

	while (*text) {
		text = escape_next(text, shown);
		width += (unsigned char)*shown < 0x80 ? (int)strlen(shown) : 1;
	}
	return width;
}

void escape_text(FILE *out, const char *text)
{
	char shown[ESCAPE_MAX];

	while (*text) {
		text = escape_next(text, shown);
		fputs(shown, out);
	}
}

char *escape_copy(char *to, size_t size, const char *text)
{
	char shown[ESCAPE_MAX];
	size_t used = 0;

	while (*text) {
		size_t length;

		text = escape_next(text, shown);
		length = strlen(shown);
		if (used + length >= size)
			break;
		memcpy(to + used, shown, length);
		used += length;
	}
	to[used] = 0;
	return to;
}

void escape_csv(FILE *out, const char *text)
{
	char shown[ESCAPE_MAX];

	if (!text[strcspn(text, ",\"")]) {
		escape_text(out, text);
		return;
	}
	fputc('"', out);
	while (*text) {
		if (*text == '"')
			fputc('"', out);
		text = escape_next(text, shown);
		fputs(shown, out);
	}
	fputc('"', out);
}

void escape_xml(FILE *out, const char *text)
{
	char shown[ESCAPE_MAX];

	while (*text) {
		const char *at = text;

		text = escape_next(text, shown);
		switch (*at) {
		case '&': fputs("&amp;", out); break;
		case '<': fputs("&lt;", out); break;
		case '>': fputs("&gt;", out); break;
		case '"': fputs("&quot;", out); break;
		case '\t':
		case '\n': fputc(*at, out); break;
		default: fputs(shown, out);
		}
	}
}
