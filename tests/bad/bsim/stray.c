/* Mistakes that are no wrong arguments, by the first argument. */
#include <bsim.h>
#include <err.h>
#include <lmpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A frame larger than the stack, of which only the far end is touched: 16 pages below the guard page. `at` is 0. */
static __attribute__((noinline)) void large_frame(size_t at)
{
	volatile char a[128 * 1024];

	a[at] = 1;
	printf("%d\n", a[at]);
}

/* 80 KiB upwards: past the stack's 64. (Optimised: what counts is in registers.) */
static __attribute__((noinline)) void past_end(size_t n)
{
	char a[16];

	for (volatile char *p = a, *end = a + n; p < end; p++)
		*p = 1;
	printf("%d\n", a[0]);
}

int LMPI_Main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int rank;

	LMPI_Comm_rank(LMPI_COMM_WORLD, &rank);
	if (!strcmp(what, "frame") && rank)
		large_frame((size_t)argc - 2);
	if (!strcmp(what, "past") && rank == 1)
		past_end(80 * 1024);
	if (!strcmp(what, "model"))
		BSIM_Time(NULL, 0, NULL);
	if (!strcmp(what, "array"))
		BSIM_Time("zgemm", 1, NULL);
	if (!strcmp(what, "phase"))
		BSIM_Phase(NULL);
	if (!strcmp(what, "exit") && rank)
		errx(7, "libc calls its own exit");
	if (!strcmp(what, "clock"))
		for (;;)
			BSIM_Add_time(1e6);
	if (!strcmp(what, "silent") && rank) {
		if (write(STDOUT_FILENO, "silent\n", 7) < 0) /* at once: printf's lines may wait */
			return 1;
		for (volatile int i = 0;; i++)
			;
	}
	if (!strcmp(what, "asks"))
		BSIM_Add_time(BSIM_Has_model("block") ? 0 : BSIM_Parameter("seconds", 1));
	if (!strcmp(what, "bcast"))
		LMPI_Bcast(NULL, 1, LMPI_BYTE, 0, LMPI_COMM_WORLD);
	return 0;
}
