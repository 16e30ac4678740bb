/*
 * Lets a program be started by itself: it then runs on one rank, as programs do that are started without mpirun. A
 * program is a shared object, which becomes one that the system can start with the name of the dynamic linker and with
 * an entry. Scripts of configuration start their trials so.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__) && defined(__ELF__)
#define LINKER "/lib64/ld-linux-x86-64.so.2"
#define ENTRY \
	"	xor %ebp, %ebp\n	mov %rsp, %rdi\n	and $-16, %rsp\n	call " \
	"vmpi_start_program\n	hlt\n"
#elif defined(__aarch64__) && defined(__ELF__)
#define LINKER "/lib/ld-linux-aarch64.so.1"
#define ENTRY "	mov x29, #0\n	mov x30, #0\n	mov x0, sp\n	bl vmpi_start_program\n	brk #1\n"
#endif

#ifdef LINKER
const char vmpi_linker[] __attribute__((section(".interp"), used)) = LINKER;

/* The entry, which nsimcc names: passes what the system has put on the stack, the arguments. */
__asm__(".text\n	.globl vmpi_start\n	.hidden vmpi_start\n	.type vmpi_start, "
	"%function\nvmpi_start:\n" ENTRY);

__attribute__((used, noreturn)) void vmpi_start_program(char **stack)
{
	static char *const before[] = {"nsim", "-q", "-o", "/dev/null", "-n", "1"};
	enum { BEFORE = sizeof(before) / sizeof(before[0]) };
	size_t argc = (size_t)(long)stack[0];
	char **argv = calloc(BEFORE + argc + 2, sizeof(*argv));
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (argv && length > 0) {
		path[length] = '\0';
		memcpy(argv, before, sizeof(before));
		argv[BEFORE] = path;
		if (argc > 1)
			memcpy(argv + BEFORE + 1, stack + 2, (argc - 1) * sizeof(*argv));
		execvp(argv[0], argv);
	}
	fprintf(stderr, "%s: nsim: %s: a program of nsimcc, expected nsim on PATH, which runs it\n",
		argc ? stack[1] : "program", strerror(errno));
	for (;;)
		syscall(SYS_exit_group, 127); /* exit and _exit are the rank's */
}
#endif
