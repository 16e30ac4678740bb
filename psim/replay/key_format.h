/* The layout of a core's key: shared by core_key.c, which writes it, and core_restore.c, which reads it. */
#ifndef PSIM_REPLAY_KEY_FORMAT_H
#define PSIM_REPLAY_KEY_FORMAT_H

#include <stdint.h>

/* Cycles after which the selection time of an instruction has no effect: more than from select to X. */
enum { SELECTED_BACK = 24, DATA_BACK = 2 };

/* A cycle as a word: KEY_NEVER; KEY_PAST, which is now or before; or the number of cycles ahead, plus one. */
enum { KEY_NEVER, KEY_PAST };

/*
 * A slot's first word: the instruction's number, where it accesses (core_requests.h), and what follows. Nothing, if it
 * is done and nothing depends on it; two words of an instruction that is over: done and no store; else the two words
 * below.
 */
enum { KEY_OPEN, KEY_SIMPLE, KEY_OVER, KEY_KIND_BITS = 2, KEY_NUMBER_AT = 4 };
/* An instruction of the fetch queue: its flags, where it accesses, its number. */
enum { FETCHED_WINDOW_AT = 3, FETCHED_NUMBER_AT = 5 };
/* The key's first word: instructions in the window, and transfers that have started and not ended. */
enum { KEY_ACTIVE_AT = 16 };

/* The second word: four fields of rob_entry, a byte each. */
enum { BYTE_NOTE = 0, BYTE_FALSE = 8, BYTE_PENDING = 16, BYTE_DATA_PENDING = 24 };

/* The third word: fields of bits, then the times and lists that follow. */
enum {
	SLOT_STATE = 0,  /* 2 bits: enum slot_state */
	SLOT_FLAGS = 2,  /* 3 bits: enum fetched_flag */
	SLOT_RS = 5,     /* 4 bits */
	SLOT_POISON = 9, /* 5 bits */
	SLOT_WAKE = 19,
	SLOT_DONE_AT = 20,
	SLOT_SELECTED_AT = 21,
	SLOT_DATA_AT = 22,
	SLOT_RETRY = 23,
	SLOT_WAITERS = 24,
};
/* Sets of slots: a word of those that are not empty; for each of them, a bit for each age. */
enum { SET_WANT_PORT, SET_BLOCKED, SET_UNKNOWN, SET_STORES, SET_RETRYING, SET_EARLY, SET_COUNT };

/* Near events: a bit map of the cycles ahead that have some; for each of them, a bit for each age. A far event: */
enum { FAR_TYPE = 0, FAR_AGE = 8 };

/* The store buffer: fields of an entry's word. */
enum {
	STORE_SIZE = 0,
	STORE_WANT = 8,
	STORE_LEVEL = 10,
	STORE_KNOWN = 12,
	STORE_WHY = 14,
	STORE_READY = 16,
	STORE_RETRY = 17
};

/* Bits of the released entries of one station in one cycle: at most four. */
enum { RELEASE_BITS = 3 };

/* ---- the array ---- */
/* Its sets of slots. */
enum { SBM_SET_WANT, SBM_SET_VALUE, SBM_SET_BLOCKED, SBM_SET_ADDRESS, SBM_SET_DATA, SBM_SET_STORE, SBM_SET_COUNT };

/* The first word of its store buffer: entries; above them, whether the oldest is being written. */
enum { SBM_STORE_STARTED = 16, SBM_STORE_HELD };
/* The word of an entry: its size; above it, whether it is a scatter. */
enum { SBM_STORE_SCATTER = 8 };

/* The first word of its transfers, which is 0 without any: fields of bits. */
enum {
	TRANSFER_ISSUED = 0,  /* 9 bits: of those that have started, those that have requested all lines */
	TRANSFER_ARRIVED = 9, /* 9 bits: those whose last line has arrived */
	TRANSFER_LINES = 18,  /* 11 bits: lines in transit */
	TRANSFER_WAIT = 29,   /* an sxwait runs */
	TRANSFER_DEBT = 30,   /* SBM ports are owed */
	TRANSFER_SOME = 31,
};

#endif
