! The prefixes of three modules together: constants, marks and statuses of one serve the calls of another.
program prefixes
  use mpi
  use lmpi
  use bsim
  implicit none
  integer :: rank, sum, e, s(MPI_STATUS_SIZE)
  call LMPI_Init()
  call LMPI_Comm_rank(MPI_COMM_WORLD, rank)
  sum = rank + 1
  call MPI_Allreduce(LMPI_IN_PLACE, sum, 1, MPI_INTEGER, LMPI_SUM, LMPI_COMM_WORLD)
  call LMPI_Allreduce(MPI_IN_PLACE, sum, 1, LMPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, e)
  call LMPI_Sendrecv(rank, 1, MPI_INTEGER, 1 - rank, 0, e, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, 1 - rank, 0, e, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, LMPI_STATUS_IGNORE)
  call LMPI_Sendrecv(rank, 1, MPI_INTEGER, 1 - rank, 3, e, 1, MPI_INTEGER, 1 - rank, 3, MPI_COMM_WORLD, s)
  call BSIM_Add_time(2d-3)
  if (rank == 0) print '(4i3)', sum, e, s(MPI_SOURCE), s(LMPI_TAG)
  call LMPI_Finalize()
end program
