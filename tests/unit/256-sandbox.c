/*
 * The fence around the recorder: traces/record/sandbox.h. Each attempt is made by code of the host, as by a guest that
 * broke out of the interpreter, in a process of its own.
 */
#define _GNU_SOURCE
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "folder.h"
#include "traces/record/sandbox.h"

enum { REFUSED = 10, WORKED, NOT_TO_BE_HAD }; /* statuses of the child */

static char work[PATH_MAX], output[PATH_MAX], beside[PATH_MAX], below[PATH_MAX];

static void write_file(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0600);

	REQUIRE(fd >= 0);
	close(fd);
}

/* work is the working folder of the child, out that of its output. */
static void make_folders(void)
{
	folder_make();
	REQUIRE(!mkdir(in_folder("out"), 0700) && !mkdir(in_folder("work"), 0700));
	snprintf(work, sizeof(work), "%s", in_folder("work"));
	snprintf(output, sizeof(output), "%s", in_folder("out/t.trace.gz"));
	snprintf(beside, sizeof(beside), "%s", in_folder("beside"));
	snprintf(below, sizeof(below), "%s", in_folder("work/input"));
	write_file(beside);
	write_file(below);
}

static void remove_folders(void)
{
	unlink(output);
	unlink(beside);
	unlink(below);
	rmdir(in_folder("out"));
	rmdir(in_folder("work"));
	rmdir(folder);
}

/* Runs `attempt` behind the fence; it returns 0 or more where it works, else errno says why. */
static int behind_fence(int (*attempt)(void))
{
	pid_t child = fork();
	int status = 0;

	if (!child) {
		const char *outputs[] = {output, NULL};
		struct err e;

		if (chdir(work))
			_exit(1);
		if (sandbox_enter("input", outputs, 2, &e) < 0)
			_exit(NOT_TO_BE_HAD);
		errno = 0;
		_exit(attempt() >= 0 ? WORKED : errno == EPERM || errno == EACCES ? REFUSED : 1);
	}
	REQUIRE(child > 0 && waitpid(child, &status, 0) == child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int runs_a_program(void)
{
	return execl("/bin/true", "true", (char *)NULL);
}

static int forks(void)
{
	return (int)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static int opens_a_socket(void)
{
	return socket(AF_INET, SOCK_STREAM, 0);
}

static int makes_code(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
		       ? -1
		       : 0;
}

static int makes_data_code(void)
{
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return page == MAP_FAILED ? -2 : mprotect(page, 4096, PROT_READ | PROT_EXEC);
}

static int signals_another(void)
{
	return kill(getppid(), 0);
}

static int types_on_the_terminal(void)
{
	return ioctl(0, TIOCSTI, "x");
}

static int traces_another(void)
{
	return (int)syscall(SYS_ptrace, 16, getppid(), 0, 0);
}

static int writes_into_another(void)
{
	return (int)syscall(SYS_process_vm_writev, getppid(), NULL, 0, NULL, 0, 0);
}

static int reads_elsewhere(void)
{
	return open(beside, O_RDONLY);
}

static int writes_below(void)
{
	return open(below, O_WRONLY);
}

static int empties_below(void)
{
	return (int)syscall(SYS_truncate, below, 0);
}

static int creates_elsewhere(void)
{
	return open(in_folder("new"), O_WRONLY | O_CREAT, 0600);
}

static int writes_own_memory(void)
{
	return open("/proc/self/mem", O_RDWR);
}

static int reads_below(void)
{
	return open(below, O_RDONLY);
}

static int writes_output(void)
{
	return open(output, O_WRONLY | O_CREAT, 0600);
}

static void code_of_the_host_is_shut_in(void)
{
	static int (*const refused[])(void) = {
		runs_a_program,        forks,
		opens_a_socket,        makes_code,
		makes_data_code,       signals_another,
		types_on_the_terminal, traces_another,
		writes_into_another,   reads_elsewhere,
		writes_below,          empties_below,
		creates_elsewhere,     writes_own_memory,
	};

	make_folders();
	if (behind_fence(reads_below) == NOT_TO_BE_HAD) {
		remove_folders();
		return;
	}
	CHECK_I64(behind_fence(reads_below), WORKED);
	CHECK_I64(behind_fence(writes_output), WORKED);
	for (size_t n = 0; n < sizeof(refused) / sizeof(*refused); n++)
		CHECK_I64(behind_fence(refused[n]), REFUSED);
	remove_folders();
}

/* A kernel without Landlock: a filter answers ENOSYS in its place. */
static void hide_landlock(void)
{
	static struct sock_filter steps[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_landlock_create_ruleset, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {4, steps};

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(0);
}

static void a_kernel_without_it_is_told(void)
{
	pid_t child = fork();
	int status = 0;

	if (!child) {
		struct err e = {.status = STATUS_DONE};

		hide_landlock();
		_exit(sandbox_enter("input", NULL, 0, &e) < 0 && e.status == STATUS_FAILED &&
				      strstr(e.text, "--sandbox: the kernel has no Landlock")
			      ? 0
			      : 1);
	}
	REQUIRE(child > 0 && waitpid(child, &status, 0) == child);
	CHECK_I64(status, 0);
}

static const struct tap_test tests[] = {
	{"code of the host is shut in", code_of_the_host_is_shut_in},
	{"a kernel without it is told", a_kernel_without_it_is_told},
};

int main(void)
{
	return tap_main("sandbox", tests, TAP_COUNT(tests));
}
