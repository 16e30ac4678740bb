/*
 * Functions that are called before main and after it, by each rank in the same order: constructors and destructors with
 * and without priorities, atexit, on_exit. Each allocates what is the rank's own.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank = -1;
static char *story;
static int (*later[2])(void);

static void tell(const char *what)
{
	size_t length = story ? strlen(story) : 0;

	story = realloc(story, length + strlen(what) + 2);
	sprintf(story + length, " %s", what);
}

__attribute__((constructor)) static void plain(int argc, char **argv)
{
	tell(argc == 2 && !strcmp(argv[1], "argument") ? "plain" : "no argument");
}

__attribute__((constructor(102))) static void second(void)
{
	tell("second");
}

__attribute__((constructor(101))) static void first(void)
{
	tell("first");
}

__attribute__((destructor(101))) static void last(void)
{
	tell("last");
	printf("rank %d:%s\n", rank, story);
	fflush(stdout);
	free(story);
}

__attribute__((destructor(102))) static void but_one(void)
{
	tell("last but one");
}

__attribute__((destructor)) static void destructor(void)
{
	tell("destructor");
}

static void at_end(void)
{
	tell("atexit");
}

static void in_between(void)
{
	tell("between");
	atexit(at_end);
}

static void with_status(int status, void *what)
{
	tell(status == 0 ? what : "another status");
}

static int number(void)
{
	return 7;
}

/* The program's functions have their places before its constructors run. */
__attribute__((constructor)) static void set_later(void)
{
	later[0] = number;
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	atexit(at_end);
	on_exit(with_status, "on_exit");
	atexit(in_between);
	MPI_Barrier(MPI_COMM_WORLD);
	for (int i = 0; i < rank; i++)
		tell("+");
	MPI_Barrier(MPI_COMM_WORLD);
	if (later[0]() != 7 || later[1])
		tell("wrong");
	MPI_Finalize();
	tell("end");
	if (rank == 1)
		exit(0);
	return 0;
}
