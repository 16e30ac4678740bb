/*
 * Parts of a run that are done, in a file: the same command continues a run that was killed.
 *
 *     struct checkpoint k;
 *     checkpoint_begin(&k, &options, "psim", e);
 *     checkpoint_is(&k, e, "trace", "%08x", checksum);   // what the results depend on
 *     if (checkpoint_read(&k, e) < 0)                     // parts of an earlier run, if the file is there
 *         …
 *     for each part: find it in k.parts, or compute it and checkpoint_add(&k, name, words, count, e)
 *     checkpoint_done(&k);                                // the results are written: the file is not needed
 *     checkpoint_finish(&k);
 *
 * A run without parts is kept as a whole (../image/image.h):
 *
 *     checkpoint_whole(&k, e);                            // behind checkpoint_begin
 *     if (checkpoint_read(&k, e) < 0)                     // does not return if the file is there
 *         …
 *     while (the run goes on)
 *         goes_on = checkpoint_step(&k, &progress, done, note, NULL);
 *
 * The file is replaced as a whole, and its data are on the disk before it has its name, so a run or host that ends at
 * any time leaves a whole one. A file that is damaged, or of another run, is refused and stays as it is.
 * docs/formats/checkpoint-format.md describes it. Without a path all functions do nothing.
 */
#ifndef PSIM_BASE_CHECKPOINT_H
#define PSIM_BASE_CHECKPOINT_H

#include <stdbool.h>
#include <stdint.h>

#include "../err.h"
#include "../image/image.h"
#include "../vec.h"
#include "opt.h"
#include "progress.h"

enum {
	CHECKPOINT_MINUTES_DEFAULT = 10,
	CHECKPOINT_NAME_MAX = 64,
	CHECKPOINT_VALUE_MAX = 256,
	CHECKPOINT_PARTS_MOST = 1 << 14, /* of a file */
};

/* The options, the same in all programs. */
struct checkpoint_options {
	const char *path; /* NULL: none */
	uint64_t minutes;
};
#define CHECKPOINT_OPTIONS_DEFAULT ((struct checkpoint_options){NULL, CHECKPOINT_MINUTES_DEFAULT})
#define CHECKPOINT_ROWS(o) \
	{"checkpoint", 0,        "FILE", "keep what is done in FILE; the same command continues a killed run", \
	 OPT_WRITES,   &(o).path}, \
	{ \
		"checkpoint-minutes", 0, "N", "minutes between two writes of FILE (10; 0: after each part)", \
			OPT_COUNT, &(o).minutes \
	}

/* A part: words without pointers. */
struct checkpoint_part {
	char name[CHECKPOINT_NAME_MAX]; /* unique; printable characters but blanks */
	uint64_t *words;
	size_t count;
};
/* A fact on which the parts depend: "trace", "1a2b3c4d". */
struct checkpoint_fact {
	char name[CHECKPOINT_NAME_MAX], value[CHECKPOINT_VALUE_MAX];
};

struct checkpoint {
	const char *path, *program;
	double seconds; /* between two writes */
	double next;    /* host time of the next one */
	bool unwritten; /* a part was added since the last one */
	bool warned;    /* of a write that failed */
	bool whole;     /* the run is kept as a whole: it has no parts */
	struct image image;
	struct vec_of(struct checkpoint_fact) facts;
	struct vec_of(struct checkpoint_part) parts; /* in the order in which they were added */
};

/* Begins without parts; `o` and `program` are borrowed. 0, or -1 with `e`: options that have no effect. */
int checkpoint_begin(struct checkpoint *k, const struct checkpoint_options *o, const char *program, struct err *e);
void checkpoint_finish(struct checkpoint *k);

/*
 * The run is kept as a whole. Adds the facts that its image depends on: program file, processor, working folder, and
 * each word of the command, since outputs are open in it. 0, or -1 with `e`: this system or build cannot.
 */
int checkpoint_whole(struct checkpoint *k, int argc, char *const argv[], struct err *e);

/* Adds a fact: a name without blanks, and a line of text, which is cut at CHECKPOINT_VALUE_MAX. 0, or -1 with `e`. */
__attribute__((format(printf, 4, 5))) int checkpoint_is(struct checkpoint *k, struct err *e, const char *name,
							const char *format, ...);

/* Adds to a hash, for such a fact, a text and its end; NULL as "". */
void checkpoint_hash_text(uint64_t *hash, const char *text);
/*
 * The content of a regular file, which is searched as config_find does; another name adds nothing. 0, or -1 with `e`:
 * it cannot be read.
 */
int checkpoint_hash_file(uint64_t *hash, const char *name, struct err *e);
/* Both: a word of a command, and the content of the file that it names, as it is or behind a `=`. 0, or -1 with `e`. */
int checkpoint_hash_word(uint64_t *hash, const char *word, struct err *e);

/*
 * Reads the parts of the file: 1; 0: there is none; -1 with `e`: STATUS_BAD_INPUT if it is damaged, or of another
 * program, version or run, whose facts differ. The image of a whole run replaces this process: its checkpoint_step
 * returns.
 */
int checkpoint_read(struct checkpoint *k, struct err *e);
/* Removes all parts, from which the run cannot continue. */
void checkpoint_forget(struct checkpoint *k);

/* Returns the part of that name, or NULL. */
const struct checkpoint_part *checkpoint_find(const struct checkpoint *k, const char *name);

/*
 * Adds a part, which must be new, and writes the file if the time has come. A write that fails is a warning: the run
 * goes on, and tries again. 0, or -1 with `e`: memory is short.
 */
int checkpoint_add(struct checkpoint *k, const char *name, const void *words, size_t count, struct err *e);
/* Writes the file, if it lacks a part: when the run is interrupted, or fails. */
void checkpoint_write(struct checkpoint *k);
/*
 * progress_step for a run that may be kept as a whole: also writes the file if the time has come, or if a signal ends
 * the run. A write that fails is a warning: the run goes on. Returns also in the process that continues from the
 * file, with *continues set, and the progress of that process; NULL: the caller need not know.
 */
bool checkpoint_step(struct checkpoint *k, struct progress *p, uint64_t done, const char *note, bool *continues);
/* Removes the file: the results are complete. */
void checkpoint_done(const struct checkpoint *k);
/* The run has failed: writes the file, unless only an expectation is missed, where the results are complete. */
void checkpoint_failed(struct checkpoint *k, const struct err *e);

#endif
