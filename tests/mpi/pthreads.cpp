// Threads of C++ on virtual ranks: a sum by four threads, a value that a thread waits for, sleeps that overlap.
#include <mpi.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static int sum_of_threads()
{
	std::mutex mutex;
	std::vector<std::thread> threads;
	int sum = 0;

	for (int i = 1; i <= 4; i++)
		threads.emplace_back([&mutex, &sum, i] {
			std::lock_guard<std::mutex> hold(mutex);
			std::this_thread::sleep_for(std::chrono::milliseconds(5));
			sum += i;
		});
	for (auto &t : threads)
		t.join();
	return sum;
}

static bool timed_out()
{
	std::mutex mutex;
	std::condition_variable never;
	std::unique_lock<std::mutex> hold(mutex);

	return never.wait_for(hold, std::chrono::milliseconds(10)) == std::cv_status::timeout;
}

static int thrown()
{
	std::future<int> f = std::async(std::launch::async, []() -> int { throw std::runtime_error("in a thread"); });

	try {
		return f.get();
	} catch (const std::runtime_error &e) {
		return 7;
	}
}

int main(int argc, char **argv)
{
	int rank, provided, good = 0;
	std::once_flag once;
	std::promise<int> promise;
	double from;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	from = MPI_Wtime();
	good += sum_of_threads() == 10 && MPI_Wtime() - from > 0.02 - 1e-9 && MPI_Wtime() - from < 0.0201;
	from = MPI_Wtime();
	good += timed_out() && MPI_Wtime() - from > 0.01 - 1e-9 && MPI_Wtime() - from < 0.0101;
	good += thrown() == 7;
	std::thread setter([&promise] { promise.set_value(42); });
	good += promise.get_future().get() == 42;
	setter.join();
	for (int i = 0; i < 3; i++)
		std::call_once(once, [&good] { good++; });
	std::printf("rank %d: %d of 5\n", rank, good);
	MPI_Finalize();
	return 0;
}
