/*
 * Paths that would lead a guest into the recorder: spellings of the host's /proc and /sys, and descriptors by number.
 * It opens them and never writes. Prints those that open, and what it may have.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int tries, doors;

static void open_door(int at, const char *path)
{
	static const int modes[] = {O_RDONLY, O_RDWR, O_WRONLY | O_CREAT, O_RDONLY | O_DIRECTORY, O_WRONLY | O_TRUNC};
	struct stat s;
	char target[200];

	for (unsigned n = 0; n < sizeof(modes) / sizeof(*modes); n++, tries++) {
		int fd = openat(at, path, modes[n], 0600);

		if (fd >= 0) {
			doors++;
			printf("opened: %s\n", path);
			close(fd);
		}
	}
	tries += 3;
	if (!fstatat(at, path, &s, 0) || !faccessat(at, path, F_OK, 0) || readlinkat(at, path, target, 200) >= 0) {
		doors++;
		printf("is there: %s\n", path);
	}
}

/* Each door by its name, by spellings of it, through a link, from folders. */
static void try_door(const char *door)
{
	static const char *const before[] = {"",
					     "/",
					     "//",
					     "/./",
					     "/tmp/..",
					     "/usr/../tmp/../",
					     "../../../../../../../..",
					     "link_to_root",
					     "./link_to_root/.",
					     "link_to_link"};
	char path[600];
	int root;

	for (unsigned n = 0; n < sizeof(before) / sizeof(*before); n++) {
		snprintf(path, sizeof(path), "%s%s", before[n], door);
		open_door(AT_FDCWD, path);
	}
	root = open("/", O_RDONLY | O_DIRECTORY); /* is number 3 */
	open_door(root, door + 1);
	close(root);
	unlink("door");
	if (!symlink(door, "door")) {
		open_door(AT_FDCWD, "door/");
		if (open("door", O_RDWR) >= 0 || !truncate("door", 0) || !chmod("door", 0600))
			doors++, printf("changed through a link: %s\n", door);
	}
	if (!link(door, "hard") || !rename(door, "moved") || !unlink(door) || !mkdir(door, 0700))
		doors++, printf("changed: %s\n", door);
}

int main(int argc, char *argv[])
{
	static const char *const names[] = {
		"/proc/self/mem",
		"/proc/thread-self/mem",
		"/proc/self/task",
		"/proc/self/root",
		"/proc/self/cwd",
		"/proc/self/maps",
		"/proc/self/environ",
		"/proc/self/../self/mem",
		"/proc/1/mem",
		"/proc/1/environ",
		"/proc/1000/mem",
		"/proc/sys/kernel/core_pattern",
		"/proc/self/fdinfo/0",
		"/proc/self/map_files",
		"/proc/cpuinfo",
		"/proc/stat",
		"/proc/self/fd/4",
		"/dev/fd/5",
		"/dev/fd/6",
		"/proc/self/fd/900",
		"/proc/self/fd/-1",
		"/proc/self/fd/99999999999999999999",
		"/proc/self/fd/+1",
		"/sys/devices/system/cpu/online",
		"/sys/kernel",
		"/proc",
		"/proc/",
		"/proc/self",
		"/proc/self/exe/x",
	};
	char own[64], text[8] = "";

	if (symlink("/", "link_to_root") || symlink("link_to_root", "link_to_link"))
		return 1;
	for (unsigned n = 0; n < sizeof(names) / sizeof(*names); n++)
		try_door(names[n]);
	for (int n = 1; n < argc; n++) { /* process ids of the host */
		snprintf(own, sizeof(own), "/proc/%d/mem", atoi(argv[n]));
		try_door(own);
	}
	printf("folders: %d %d %d\n", chdir("/proc"), chdir("/proc/self/fd"), chdir("//sys/kernel"));
	for (int n = 3; n < 1024; n++)
		doors += fcntl(n, F_GETFD) >= 0 || write(n, "", 0) >= 0;
	printf("doors: %d of %s\n", doors, tries > 1500 ? "all" : "few");

	/* what it may have: its own program, its own files by number, /proc/.. as any folder */
	printf("own program: %d %d\n", access("/proc/self/exe", R_OK),
	       readlink("//proc/self/./exe", own, sizeof(own)) > 0);
	printf("not to write: %d\n", open("/proc/self/exe", O_WRONLY) < 0 && errno == ETXTBSY);
	int fd = open("own.txt", O_RDWR | O_CREAT | O_TRUNC, 0600), two;
	dprintf(fd, "mine");
	snprintf(own, sizeof(own), "/dev/fd/%d", fd);
	two = open(own, O_RDWR);
	printf("own file: %ld %s\n", (long)pread(two, text, 4, 0), text);
	close(two);
	printf("out of /proc: %d\n", access("/proc/../tmp", X_OK));
	fflush(stdout);
	fd = open("/dev/stdout", O_WRONLY);
	dprintf(fd, "standard output by its name\n");
	return 0;
}
