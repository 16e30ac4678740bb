/* Arguments, environment and exit status reach the program and come back. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char *argv[])
{
	const char *name = getenv("NAME");
	printf("hello, %s: %d arguments, last %s\n", name ? name : "nobody", argc - 1,
	       argv[argc - 1 ? argc - 1 : 0][0] ? "given" : "empty");
	return argc + 6;
}
