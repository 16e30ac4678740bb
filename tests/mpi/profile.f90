! Calls that the program wraps: its MPI_Send and MPI_Bcast count, and call the library by the names with P.
module counted
  implicit none
  integer :: sends = 0, bcasts = 0, elements = 0
end module

! The program's own call is external, as the library's is.
subroutine MPI_Send(buf, count, datatype, dest, tag, comm, ierror)
  use mpi, only: PMPI_Send
  use counted
  implicit none
  integer :: buf(*), count, datatype, dest, tag, comm, ierror

  sends = sends + 1
  elements = elements + count
  call PMPI_Send(buf, count, datatype, dest, tag, comm, ierror)
end subroutine

subroutine MPI_Bcast(buffer, count, datatype, root, comm, ierror)
  use mpi, only: PMPI_Bcast
  use counted
  implicit none
  integer :: buffer(*), count, datatype, root, comm, ierror

  bcasts = bcasts + 1
  call PMPI_Bcast(buffer, count, datatype, root, comm, ierror)
end subroutine

program profile
  use mpi
  use counted
  implicit none
  integer :: rank, size, code, status(MPI_STATUS_SIZE), data(3), i, all(3)

  call PMPI_Init(code)
  call PMPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, size, code)
  data = rank
  if (rank == 0) then
    do i = 1, size - 1
      call MPI_Recv(data, 3, MPI_INTEGER, i, 5, MPI_COMM_WORLD, status, code)
      if (any(data /= i) .or. status(MPI_SOURCE) /= i) error stop 1
    end do
  else
    call MPI_Send(data, 3, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, code)
  end if
  if (rank == 0) data = [7, 8, 9]
  call MPI_Bcast(data, 3, MPI_INTEGER, 0, MPI_COMM_WORLD, code)
  call PMPI_Bcast(data, 3, MPI_INTEGER, 0, MPI_COMM_WORLD, code)
  if (any(data /= [7, 8, 9])) error stop 2
  call MPI_Reduce([sends, bcasts, elements], all, 3, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, code)
  if (rank == 0) print '(a, 3(1x, i0))', 'sends, broadcasts, elements', all
  call MPI_Finalize(code)
end program
