/* Bytes as a file, for targets that read files by name: in a folder of its own that goes with the
 * program. */
#ifndef PSIM_TESTS_FUZZ_FILE_H
#define PSIM_TESTS_FUZZ_FILE_H

#include <stddef.h>

/* Writes the bytes to a file of that name in the folder, and returns its path: of a static buffer.
 */
const char *fuzz_file(const char *name, const void *data, size_t size);

#endif
