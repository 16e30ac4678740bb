! One mistake, by the first argument.
program wrong
  use bsim
  use mpi
  implicit none
  character(len=16) :: what
  integer :: rank, n, ierr
  real :: a(4)

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call get_command_argument(1, what)
  n = 100000000 * rank
  if (what == 'crash') a(n + 1) = 1
  if (what == 'read') read (what, *) n
  if (what == 'bounds') a(5 + n) = 1
  if (what == 'stop' .and. rank == 1) error stop 6
  if (what == 'time') call bsim_add_time(-1d0)
  if (what == 'tag') call MPI_Send(a, 4, MPI_REAL, 0, -1, MPI_COMM_WORLD, ierr)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  if (rank == 0) print *, sum(a) * 0
  call MPI_Finalize(ierr)
end program
