/* Files and folders: written, read back, described, renamed, listed, removed. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static int fail(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	return 1;
}

int main(void)
{
	char folder[] = "psim-files-XXXXXX", line[100];
	struct stat s;
	if (!mkdtemp(folder) || chdir(folder) < 0)
		return fail("mkdtemp");
	FILE *f = fopen("a.txt", "w+");
	if (!f)
		return fail("fopen");
	for (int i = 0; i < 2000; i++)
		fprintf(f, "line %d of many\n", i);
	fseek(f, 13000, SEEK_SET);
	if (!fgets(line, sizeof(line), f))
		return fail("fgets");
	printf("%ld %s", ftell(f), line);
	fclose(f);
	stat("a.txt", &s);
	printf("size %ld regular %d mode %o\n", (long)s.st_size, S_ISREG(s.st_mode), (unsigned)s.st_mode & 0600);
	if (rename("a.txt", "b.txt") < 0 || link("b.txt", "c.txt") < 0 || symlink("b.txt", "d.txt") < 0 ||
	    mkdir("e", 0700) < 0)
		return fail("rename");
	printf("gone: %d %s\n", open("a.txt", O_RDONLY), errno == ENOENT ? "ENOENT" : "?");
	printf("twice: %d %s\n", open("b.txt", O_CREAT | O_EXCL | O_WRONLY, 0600), errno == EEXIST ? "EEXIST" : "?");
	ssize_t n = readlink("d.txt", line, sizeof(line));
	printf("link to %.*s, access %d\n", (int)n, line, access("c.txt", R_OK));
	int fd = open("c.txt", O_RDWR | O_APPEND), two = dup(fd);
	struct iovec v[2] = {{"12345", 5}, {"678", 3}};
	printf("writev %ld lseek %ld\n", (long)writev(two, v, 2), (long)lseek(fd, -4, SEEK_END));
	n = read(fd, line, 4);
	printf("read %.*s pread %ld truncate %d\n", (int)n, line, (long)pread(fd, line, 10, 0), ftruncate(fd, 100));
	fstat(fd, &s);
	printf("now %ld, links %ld\n", (long)s.st_size, (long)s.st_nlink);
	close(fd);
	printf("closed: %ld %s\n", (long)write(fd, "x", 1), errno == EBADF ? "EBADF" : "?");
	DIR *d = opendir(".");
	int entries = 0, letters = 0;
	for (struct dirent *e; d && (e = readdir(d)); entries++)
		letters += e->d_name[0] != '.' ? e->d_name[0] : 0;
	closedir(d);
	printf("%d entries, letters %d\n", entries, letters);
	printf("rmdir: %d %s\n", rmdir("../psim-none"), errno == ENOENT ? "ENOENT" : "?");
	unlink("b.txt"), unlink("c.txt"), unlink("d.txt"), rmdir("e");
	printf("left: %d\n", chdir("..") < 0 || rmdir(folder) < 0);
	char word[20];
	int number, items = scanf("%19s %d", word, &number);
	if (items == 2)
		printf("stdin says %s %d\n", word, number);
	fprintf(stderr, "this goes to stderr\n");
	return 0;
}
