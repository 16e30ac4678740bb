/*
 * Command lines made at random, read by getopt, getopt_long and getopt_long_only: what they return, say, and leave in
 * argv. Compiled by cc as well (tests/cli/library.t), where it is the C library that reads them. No MPI.
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 4000, WORDS = 7, CALLS = 100 };

static uint64_t state = 1;

static int below(int n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (int)((state >> 33) % (uint64_t)n);
}

static int flag;
static const struct option longs[] = {
	{"all", no_argument, NULL, 'a'},
	{"allow", required_argument, NULL, 1000},
	{"number", required_argument, NULL, 'n'},
	{"maybe", optional_argument, NULL, 'm'},
	{"flag", no_argument, &flag, 5},
	{"f", no_argument, NULL, 1001},
	{NULL, 0, NULL, 0},
};

static void read_line(int argc, char **argv, const char *options, int kind)
{
	int index = -1, o = 0;

	optind = 0;
	flag = 0;
	for (int i = 0; i < CALLS && o != -1; i++) {
		if (kind == 0)
			o = getopt(argc, argv, options);
		else if (kind == 1)
			o = getopt_long(argc, argv, options, longs, &index);
		else
			o = getopt_long_only(argc, argv, options, longs, &index);
		printf(" %d/%s/%d/%d/%d", o, optarg ? optarg : "-", index, o == '?' || o == ':' ? optopt : 0, flag);
	}
	printf(" %d:", optind);
	for (int i = 0; i < argc; i++)
		printf(" %s", argv[i]);
	printf("\n");
}

int main(void)
{
	static const char *const options[] = {"an:m::", "+an:m::", "-an:m::", ":an:m::", "+:an:", ""};
	static const char *const words[] = {
		"-a",        "-n",       "-n5",       "-an",      "-am",       "-m",     "-mx",
		"-x",        "-",        "--",        "in",       "out",       "-aan7",  "--all",
		"--al",      "--allow",  "--allow=3", "--number", "--number=", "--nu=4", "--maybe",
		"--maybe=y", "--all=no", "--flag",    "--fl",     "--f",       "--what", "-all",
		"-number",   "-f",       "-:",        "-flag",    "-nu=3",
	};

	for (int i = 0; i < LINES; i++) {
		char text[WORDS][16], *argv[WORDS + 1] = {(char *)"program"};
		int argc = 1 + below(WORDS), set = below(6);

		for (int k = 1; k < argc; k++)
			argv[k] = strcpy(text[k], words[below(sizeof(words) / sizeof(words[0]))]);
		argv[argc] = NULL;
		opterr = i % 4 == 0;
		fflush(stdout);
		printf("%d", i);
		read_line(argc, argv, options[set], below(3));
	}
	return 0;
}
