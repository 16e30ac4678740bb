/* Hashes of what the parts of a checkpoint depend on: words of a command, and the files that they name. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../config/config_find.h"
#include "../hash.h"
#include "../input.h"
#include "checkpoint.h"

int checkpoint_is(struct checkpoint *k, struct err *e, const char *name, const char *format, ...)
{
	struct checkpoint_fact *f = k->path ? vec_push(&k->facts, e) : NULL;
	va_list ap;

	if (!k->path)
		return 0;
	if (!f)
		return -1;
	snprintf(f->name, sizeof(f->name), "%s", name);
	va_start(ap, format);
	vsnprintf(f->value, sizeof(f->value), format, ap);
	va_end(ap);
	for (char *c = f->value; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = '?'; /* a fact is one line */
	return 0;
}

int checkpoint_whole(struct checkpoint *k, int argc, char *const argv[], struct err *e)
{
	uint64_t build = HASH_BYTES, command = HASH_BYTES;
	char folder[PATH_MAX];

	if (!k->path)
		return 0;
	if (image_prepare(e) < 0)
		return -1;
	k->whole = true;
	for (int n = 1; n < argc; n++)
		checkpoint_hash_text(&command, argv[n]);
	if (!getcwd(folder, sizeof(folder)))
		return err_set(e, STATUS_FAILED, "working folder: %s", strerror(errno));
	return checkpoint_hash_file(&build, "/proc/self/exe", e) < 0 ||
			       checkpoint_is(k, e, "build", "%016" PRIx64, build) < 0 ||
			       checkpoint_is(k, e, "processor", "%016" PRIx64, image_processor()) < 0 ||
			       checkpoint_is(k, e, "folder", "%s", folder) < 0 ||
			       checkpoint_is(k, e, "command", "%016" PRIx64, command) < 0
		       ? -1
		       : 0;
}

void checkpoint_hash_text(uint64_t *hash, const char *text)
{
	*hash = hash_bytes(*hash, text ? text : "", text ? strlen(text) + 1 : 1);
}

int checkpoint_hash_file(uint64_t *hash, const char *name, struct err *e)
{
	char block[1 << 14], found[PATH_MAX];
	const char *path = config_find(name, found);
	struct stat about;
	size_t got;
	bool good;
	FILE *f;

	if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
		return 0;
	f = input_plain(path);
	while (f && (got = fread(block, 1, sizeof(block), f)) > 0)
		*hash = hash_bytes(*hash, block, got);
	good = f && !ferror(f);
	if (!good)
		err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot read: %s", path, strerror(errno));
	if (f)
		fclose(f);
	return good ? 0 : -1;
}

int checkpoint_hash_word(uint64_t *hash, const char *word, struct err *e)
{
	const char *equals = word ? strchr(word, '=') : NULL;

	checkpoint_hash_text(hash, word);
	return word ? checkpoint_hash_file(hash, equals ? equals + 1 : word, e) : 0;
}
