/*
 * The main function of a program, for the simulator: the program's own, also if other files do not see it
 * (-fvisibility=hidden). The linker looks for all three names, in archives too, and finds these last.
 */
typedef int main_function(int argc, char **argv);

static int no_entry(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return -1;
}

extern main_function MGEN_Main __attribute__((weak, alias("no_entry"), visibility("default")));
extern main_function LMPI_Main __attribute__((weak, alias("no_entry"), visibility("default")));
extern main_function main __attribute__((weak, alias("no_entry"), visibility("default")));

/* The last one is what the others are if the program does not have them. */
__attribute__((visibility("default"))) main_function *const vmpi_entries[] = {MGEN_Main, LMPI_Main, main, no_entry};
