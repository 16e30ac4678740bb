#include "json_file.h"

#include <errno.h>
#include <string.h>

#include "input.h"

json_t *json_file_load(FILE *file, const char *path, const char *what, struct err *e)
{
	json_error_t error;
	json_t *json;

	errno = 0; /* jansson reports short memory in the middle of a string as bad syntax */
	json = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
	if (json_is_object(json))
		return json;
	if (!json && errno == ENOMEM)
		err_set(e, STATUS_FAILED, "%s: out of memory", path);
	else if (!json && errno && ferror(file))
		err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot read: %s", path, input_failure());
	else if (!json)
		err_set(e, STATUS_BAD_INPUT, "%s:%d: not JSON: %s; expected %s, as --json writes", path, error.line,
			error.text, what);
	else
		err_set(e, STATUS_BAD_INPUT, "%s: not %s, expected a JSON object", path, what);
	json_decref(json);
	return NULL;
}

json_t *json_file_read(const char *path, const char *what, struct err *e)
{
	FILE *file = input_open(path);
	json_t *json;

	if (!file) {
		err_set(e, err_errno(STATUS_BAD_INPUT), "%s: cannot open: %s", path, strerror(errno));
		return NULL;
	}
	json = json_file_load(file, path, what, e);
	fclose(file);
	return json;
}
