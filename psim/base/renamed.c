#include "renamed.h"

#include <stdio.h>
#include <string.h>

static const struct renamed names[] = {
#define R(old, present) {old, present},
#include "renamed.def"
#undef R
};

const struct renamed *renamed_find(const char *name, size_t length)
{
	for (size_t n = 0; n < sizeof(names) / sizeof(*names); n++)
		if (strlen(names[n].old) == length && !strncmp(names[n].old, name, length))
			return &names[n];
	return NULL;
}

bool renamed_path(const char *path, char *text, size_t size)
{
	bool any = false;
	size_t used = 0;

	for (const char *word = path; used < size; word++) {
		size_t length = strcspn(word, ".");
		const struct renamed *other = renamed_find(word, length);

		any |= other != NULL;
		used += (size_t)snprintf(text + used, size - used, "%.*s%s",
					 other ? (int)strlen(other->present) : (int)length,
					 other ? other->present : word, word[length] ? "." : "");
		word += length;
		if (!*word)
			return any && used < size;
	}
	return false;
}
