/* Attempts that --sandbox refuses a guest: each line names one and whether it worked. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void told(const char *what, int result)
{
	printf("%s: %s\n", what,
	       result >= 0       ? "worked"
	       : errno == EROFS  ? "read-only"
	       : errno == EACCES ? "refused"
				 : "failed");
}

int main(int argc, char *argv[])
{
	struct stat s;

	told("read in the working folder", open("here.txt", O_RDONLY));
	told("write there", open("here.txt", O_WRONLY));
	told("append there", open("here.txt", O_RDWR | O_APPEND));
	told("empty it", truncate("here.txt", 0));
	told("create there", open("new.txt", O_WRONLY | O_CREAT, 0600));
	told("remove", unlink("here.txt"));
	told("rename", rename("here.txt", "there.txt"));
	told("make a folder", mkdir("folder", 0700));
	told("make a link", symlink("here.txt", "link.txt"));
	told("change a mode", chmod("here.txt", 0777));
	told("read elsewhere", open(argc > 1 ? argv[1] : "/etc/passwd", O_RDONLY));
	told("list elsewhere", open("/", O_RDONLY | O_DIRECTORY));
	told("read through ..", open("../outside.txt", O_RDONLY));
	told("see elsewhere", stat("/", &s));
	told("read its own program", open("/proc/self/exe", O_RDONLY));
	return 0;
}
