/* One mistake, by the first argument. */
#include <bsim.h>
#include <lmpi.h>
#include <math.h>
#include <string.h>

int LMPI_Main(int argc, char **argv)
{
	double n[] = { 100, 100 };
	const char *what = argc > 1 ? argv[1] : "";
	int rank;

	LMPI_Comm_rank(LMPI_COMM_WORLD, &rank);
	if (!strcmp(what, "missing"))
		BSIM_Time("dgemm", 1, n);
	if (!strcmp(what, "arguments"))
		BSIM_Time("zgemm", 2, n);
	if (!strcmp(what, "negative"))
		BSIM_Add_time(-1);
	if (!strcmp(what, "nan"))
		BSIM_Add_time(NAN);
	if (!strcmp(what, "flops"))
		BSIM_Flops(-1);
	if (!strcmp(what, "range"))
		for (n[0] = 1000; n[0] < 2000; n[0] += 100)
			BSIM_Add_model("zgemm", 1, n);
	if (!strcmp(what, "deadlock"))
		LMPI_Recv(NULL, 0, LMPI_BYTE, rank ^ 1, 0, LMPI_COMM_WORLD, LMPI_STATUS_IGNORE);
	if (!strcmp(what, "collective") && rank)
		LMPI_Barrier(LMPI_COMM_WORLD);
	if (!strcmp(what, "collective") && !rank)
		LMPI_Bcast(NULL, 1, LMPI_BYTE, 0, LMPI_COMM_WORLD);
	return 0;
}
