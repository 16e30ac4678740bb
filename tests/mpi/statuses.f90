! Statuses as types of mpi_f08 and as arrays of the module mpi.
program statuses
  use mpi_f08
  implicit none
  integer :: rank, size, got, code, array(MPI_STATUS_SIZE), data(4)
  type(MPI_Status) :: status, back

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call MPI_Sendrecv([rank, rank, rank], 3, MPI_INTEGER, mod(rank + 1, size), 7, data, 4, MPI_INTEGER, &
    mod(rank + size - 1, size), 7, MPI_COMM_WORLD, status)
  call MPI_Status_f082f(status, array)
  print '(4(a, i0))', 'rank ', rank, ' source ', array(MPI_SOURCE), ' tag ', array(MPI_TAG)
  array(MPI_TAG) = array(MPI_TAG) + 10
  array(MPI_ERROR) = 100
  call MPI_Status_f2f08(array, back, code)
  if (code /= MPI_SUCCESS) error stop 1
  call MPI_Get_count(back, MPI_INTEGER, got)
  print '(5(a, i0))', 'rank ', rank, ' source ', back%MPI_SOURCE, ' tag ', back%MPI_TAG, ' error ', back%MPI_ERROR, &
    ' count ', got
  call MPI_Finalize()
end program
