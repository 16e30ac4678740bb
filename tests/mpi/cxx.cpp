// A program in C++: its library's state is each rank's own, as are exceptions that a rank handles while others run.
#include <chrono>
#include <iostream>
#include <mpi.h>
#include <sstream>
#include <stdexcept>
#include <string>

static std::string name;

int main(int argc, char **argv)
{
	int rank, size, sum = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	name = "rank " + std::to_string(rank);
	auto begin = std::chrono::steady_clock::now();
	try {
		throw std::runtime_error(name);
	} catch (const std::exception &e) {
		MPI_Barrier(MPI_COMM_WORLD);
		sum = name == e.what();
	}
	MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	std::ostringstream text;
	text << name << ": " << sum << " of " << size;
	auto virtual_time = std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(1);
	std::cout << text.str() << (virtual_time ? "" : ", of the host's clock") << std::endl;
	MPI_Finalize();
	return 0;
}
