! Units, random numbers and statements of each rank: files of its own on the same unit, one file on all ranks, a call
! within an output statement.
program units
  use mpi
  implicit none
  integer :: rank, size, error, unit, first, second, seeds
  integer, allocatable :: seed(:)
  character(40) :: name, text
  real :: alone(6), among(6)
  logical :: there

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)

  ! a file of its own
  write (name, '(a, i0)') 'units.', rank
  open (10, file=name, status='replace')
  write (10, *) 'first', rank
  call MPI_Barrier(MPI_COMM_WORLD, error)
  inquire (10, opened=there, name=text)
  write (10, *) 'second', rank + 100
  call MPI_Barrier(MPI_COMM_WORLD, error)
  rewind (10)
  read (10, *) text(21:40), first
  call MPI_Barrier(MPI_COMM_WORLD, error)
  read (10, *) text(21:40), second
  print '(a, i0, l2, 2i6, 2a)', 'own ', rank, there, first, second, ' ', trim(text(21:40))
  close (10, status='delete')

  ! one file on all ranks
  if (rank == 0) then
    open (11, file='units.all', status='replace')
    write (11, '(i0)') 17, 34
    close (11)
  end if
  call MPI_Barrier(MPI_COMM_WORLD, error)
  open (newunit=unit, file='units.all', status='old', action='read')
  read (unit, *) first
  call MPI_Barrier(MPI_COMM_WORLD, error)
  read (unit, *) second
  close (unit)
  print '(a, i0, 2i4)', 'all ', rank, first, second
  call MPI_Barrier(MPI_COMM_WORLD, error)
  if (rank == 0) then
    open (11, file='units.all')
    close (11, status='delete')
  end if

  ! a sequence of random numbers does not depend on other ranks
  call random_seed(size=seeds)
  allocate (seed(seeds))
  seed = 12345 + rank
  call random_seed(put=seed)
  call random_number(alone)
  call random_seed(put=seed)
  call random_number(among(1:3))
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call random_number(among(4:6))
  print '(a, i0, l2)', 'random ', rank, all(alone == among)

  ! a call while the statement has begun
  print '(a, i0, a, i0)', 'within ', rank, ' sum ', sum_of(rank)
  call MPI_Finalize(error)

contains
  integer function sum_of(number)
    integer, intent(in) :: number

    call MPI_Allreduce(number, sum_of, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  end function
end program
