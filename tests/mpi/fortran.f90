! A Fortran program with most calls of the module: what it prints is the same on a real MPI.
module shared
  implicit none
  integer, save :: counter = 0        ! each rank's own
  double precision :: table(2000)
end module

program fortran
  use mpi
  use shared
  implicit none
  integer :: rank, size, i, ierr, next, before, token, row, place, requests(2), status(MPI_STATUS_SIZE)
  integer :: statuses(MPI_STATUS_SIZE, 2), grid, dims(2), coords(2), got, many(64), counts(64), starts(64)
  integer, parameter :: n = 5
  double precision :: x(n), total(n), start
  double complex :: z(2), w(2)
  real :: r(3), s(3)
  complex :: c
  logical :: flag, periods(2), any_true
  character(len=8) :: word
  integer :: common_number
  common /numbers/ common_number

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  start = MPI_Wtime()
  next = mod(rank + 1, size)
  before = mod(rank - 1 + size, size)

  ! a ring: the token comes back as the sum of all ranks
  token = 0
  do i = 1, size
    if (rank == 0) then
      call MPI_Send(token + rank, 1, MPI_INTEGER, next, 7, MPI_COMM_WORLD, ierr)
      call MPI_Recv(token, 1, MPI_INTEGER, before, 7, MPI_COMM_WORLD, status, ierr)
    else
      call MPI_Recv(token, 1, MPI_INTEGER, before, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierr)
      call MPI_Get_count(status, MPI_INTEGER, got, ierr)
      if (got /= 1 .or. status(MPI_SOURCE) /= before .or. status(MPI_TAG) /= 7) error stop 3
      call MPI_Send(token + rank, 1, MPI_INTEGER, next, 7, MPI_COMM_WORLD, ierr)
    end if
  end do
  if (rank == 0) print '(a, i0)', 'token ', token

  ! variables of modules and common blocks are each rank's own
  counter = counter + rank
  table = rank
  common_number = 10 * rank
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  if (counter /= rank .or. any(table /= rank) .or. common_number /= 10 * rank) error stop 4

  x = [(dble(rank + i), i = 1, n)]
  call MPI_Allreduce(x, total, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a, 5f8.1)', 'sum', total
  call MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, ierr)
  if (rank == size - 1) print '(a, 5f8.1)', 'max', x
  z = [(1d0, 2d0), (3d0, -1d0)] * rank
  call MPI_Reduce(z, w, 2, MPI_DOUBLE_COMPLEX, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a, 4f8.1)', 'complex', w
  call MPI_Allreduce(rank == 1, any_true, 1, MPI_LOGICAL, MPI_LOR, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a, l2)', 'any', any_true

  r = real(rank)
  call MPI_Irecv(s, 3, MPI_REAL, before, 1, MPI_COMM_WORLD, requests(1), ierr)
  call MPI_Isend(r, 3, MPI_REAL, next, 1, MPI_COMM_WORLD, requests(2), ierr)
  call MPI_Waitall(2, requests, statuses, ierr)
  if (s(3) /= real(before)) error stop 5
  call MPI_Irecv(s, 3, MPI_REAL, before, 1, MPI_COMM_WORLD, requests(1), ierr)
  requests(2) = MPI_REQUEST_NULL
  call MPI_Send(r, 3, MPI_REAL, next, 1, MPI_COMM_WORLD, ierr)
  call MPI_Waitany(2, requests, i, MPI_STATUS_IGNORE, ierr)
  if (i /= 1) error stop 6
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, next, 2, got, 1, MPI_INTEGER, before, 2, MPI_COMM_WORLD, &
                    MPI_STATUS_IGNORE, ierr)
  if (got /= before) error stop 7

  word = merge('root    ', 'other   ', rank == 1)
  call MPI_Bcast(word, 8, MPI_CHARACTER, 1, MPI_COMM_WORLD, ierr)
  c = cmplx(rank, 0)
  call MPI_Bcast(c, 1, MPI_COMPLEX, 1, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(2a, 2f5.1)', 'word ', trim(word), c
  call MPI_Gather(rank, 1, MPI_INTEGER, many, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  if (rank == 0) print '(a, 64i4)', 'gathered', many(1:size)
  call MPI_Allgather(2 * rank, 1, MPI_INTEGER, many, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  if (many(size) /= 2 * (size - 1)) error stop 8
  many = [(100 * rank + i, i = 1, 64)]
  call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INTEGER, many, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  if (many(size) /= 100 * (size - 1) + rank + 1) error stop 9
  counts = 1
  starts = [(i - 1, i = 1, 64)]
  call MPI_Scatterv(many, counts, starts, MPI_INTEGER, got, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  if (got /= 100 * rank + 1) error stop 10

  ! sizes by the type of a variable, of any rank
  call MPI_Sizeof(z, got, ierr)
  if (got /= 16) error stop 13
  call MPI_Sizeof(token, got, ierr)
  if (got /= 4) error stop 14

  ! a grid of two dimensions, and its rows
  dims = 0
  call MPI_Dims_create(size, 2, dims, ierr)
  periods = [.true., .false.]
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .false., grid, ierr)
  call MPI_Cart_coords(grid, rank, 2, coords, ierr)
  call MPI_Cart_shift(grid, 0, 1, before, next, ierr)
  call MPI_Comm_split(grid, coords(1), coords(2), row, ierr)
  call MPI_Comm_rank(row, place, ierr)
  if (place /= coords(2)) error stop 11
  if (rank == size - 1) print '(a, 6i4)', 'grid', dims, coords, before, next
  call MPI_Comm_free(row, ierr)
  call MPI_Initialized(flag, ierr)
  if (.not. flag .or. MPI_Wtime() < start) error stop 12
  call MPI_Finalize(ierr)
end program
