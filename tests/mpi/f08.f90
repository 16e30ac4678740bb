! A program with the module mpi_f08: what it prints is the same on a real MPI.
module operations
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
contains
  ! The larger of squares; the type has to be that of the reduction.
  subroutine larger(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)

    if (datatype /= MPI_INTEGER) error stop 20
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    where (a**2 > b**2) b = a
  end subroutine
end module

program f08
  use mpi_f08
  use operations
  implicit none
  integer, parameter :: n = 4
  type(MPI_Comm) :: half, copy
  type(MPI_Request) :: requests(2), none
  type(MPI_Status) :: status, statuses(2)
  type(MPI_Datatype) :: column
  type(MPI_Group) :: group
  type(MPI_Op) :: op
  type(MPI_Win) :: window
  type(MPI_File) :: file
  type(MPI_Info) :: info
  integer :: rank, size, next, before, i, got, ierr, token, squares(2), best(2), matrix(n, n), row(n), bytes
  integer, asynchronous :: left, right
  integer(MPI_ADDRESS_KIND) :: lb, extent
  integer(MPI_OFFSET_KIND) :: place, length
  double precision :: x(n), total(n)
  logical :: flag
  character(len=MPI_MAX_OBJECT_NAME) :: name
  character(len=16) :: value

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  if (ierr /= MPI_SUCCESS) error stop 1
  next = mod(rank + 1, size)
  before = mod(rank - 1 + size, size)

  ! a ring: the token comes back as the sum of all ranks
  token = 0
  if (rank == 0) then
    call MPI_Send(token, 1, MPI_INTEGER, next, 7, MPI_COMM_WORLD)
    call MPI_Recv(token, 1, MPI_INTEGER, before, 7, MPI_COMM_WORLD, status)
    print '(a, i0)', 'token ', token
  else
    call MPI_Recv(token, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status)
    call MPI_Get_count(status, MPI_INTEGER, got)
    if (got /= 1 .or. status%MPI_SOURCE /= before .or. status%MPI_TAG /= 7) error stop 2
    call MPI_Send(token + rank, 1, MPI_INTEGER, next, 7, MPI_COMM_WORLD)
  end if

  ! requests and their statuses
  call MPI_Irecv(left, 1, MPI_INTEGER, before, 1, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(rank, 1, MPI_INTEGER, next, 1, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, statuses)
  if (left /= before .or. statuses(1)%MPI_SOURCE /= before) error stop 3
  if (requests(1) /= MPI_REQUEST_NULL .or. .not. requests(2) == MPI_REQUEST_NULL) error stop 4
  call MPI_Irecv(right, 1, MPI_INTEGER, next, 2, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(rank, 1, MPI_INTEGER, before, 2, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  if (right /= next) error stop 5
  none = MPI_REQUEST_NULL
  call MPI_Test(none, flag, MPI_STATUS_IGNORE)
  if (.not. flag) error stop 6
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, next, 3, got, 1, MPI_INTEGER, before, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  if (got /= before) error stop 7

  ! collectives, with an operation of the program
  x = [(dble(rank + i), i = 1, n)]
  call MPI_Allreduce(x, total, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  if (rank == 0) print '(a, 4f8.1)', 'sum', total
  call MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  if (any(x /= [(dble(size - 1 + i), i = 1, n)])) error stop 8
  call MPI_Op_create(larger, .true., op)
  squares = [rank, -2 * rank]
  call MPI_Reduce(squares, best, 2, MPI_INTEGER, op, 0, MPI_COMM_WORLD)
  call MPI_Op_free(op)
  if (rank == 0) print '(a, 2i4)', 'larger', best
  call MPI_Ibcast(token, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, requests(1))
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
  if (token /= size * (size - 1) / 2) error stop 9

  ! communicators and groups
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half)
  call MPI_Comm_size(half, got)
  if (got /= (size + 1 - mod(rank, 2)) / 2) error stop 10
  copy = half
  if (.not. copy == half .or. half == MPI_COMM_WORLD) error stop 11
  call MPI_Comm_set_name(half, 'half')
  call MPI_Comm_get_name(copy, name, got)
  if (name /= 'half' .or. got /= 4) error stop 12
  call MPI_Comm_group(half, group)
  call MPI_Group_rank(group, got)
  if (got /= rank / 2) error stop 13
  call MPI_Group_free(group)
  call MPI_Comm_free(half)
  if (half /= MPI_COMM_NULL) error stop 14

  ! a row of a matrix, of which Fortran has columns
  call MPI_Type_vector(n, 1, n, MPI_INTEGER, column)
  call MPI_Type_commit(column)
  call MPI_Type_get_extent(column, lb, extent)
  if (lb /= 0 .or. extent /= 4 * (n * (n - 1) + 1)) error stop 15
  matrix = reshape([(i, i = 1, n * n)], [n, n])
  call MPI_Sendrecv(matrix(2, 1), 1, column, rank, 4, row, n, MPI_INTEGER, rank, 4, MPI_COMM_WORLD, status)
  if (any(row /= matrix(2, :))) error stop 16
  call MPI_Type_free(column)

  ! a window
  left = -1
  extent = 4
  call MPI_Win_create(left, extent, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window)
  call MPI_Win_fence(0, window)
  lb = 0
  call MPI_Put(rank, 1, MPI_INTEGER, next, lb, 1, MPI_INTEGER, window)
  call MPI_Win_fence(0, window)
  call MPI_Win_free(window)
  if (left /= before) error stop 17

  ! a file
  call MPI_File_open(MPI_COMM_WORLD, 'f08.data', MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, &
    MPI_INFO_NULL, file)
  place = 4 * rank
  call MPI_File_write_at_all(file, place, rank, 1, MPI_INTEGER, status)
  call MPI_File_sync(file)
  call MPI_Barrier(MPI_COMM_WORLD)
  place = 4 * next
  call MPI_File_read_at_all(file, place, got, 1, MPI_INTEGER, MPI_STATUS_IGNORE)
  call MPI_File_get_size(file, length)
  if (got /= next .or. length /= 4 * size) error stop 18
  call MPI_File_close(file)

  call MPI_Info_create(info)
  call MPI_Info_set(info, 'key', 'some value')
  call MPI_Info_get(info, 'key', 16, value, flag)
  if (.not. flag .or. value /= 'some value') error stop 19
  call MPI_Info_free(info)
  if (MPI_Aint_diff(MPI_Aint_add(lb, 8_MPI_ADDRESS_KIND), lb) /= 8) error stop 21
  call MPI_Sizeof(x, bytes)
  if (rank == 0) print '(a, i0)', 'bytes ', bytes
  call f08_names(rank, size)
  call MPI_Finalize()
end program

! Names with P in mpi_f08: what they give is what those without it give.
subroutine f08_names(rank, size)
  use mpi_f08
  implicit none
  integer, intent(in) :: rank, size
  type(MPI_Comm) :: copy
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: statuses(2)
  integer :: got, total, bytes
  integer, asynchronous :: from
  double precision :: then
  integer(MPI_ADDRESS_KIND) :: place

  then = PMPI_Wtime()
  if (then > MPI_Wtime()) error stop 31
  call PMPI_Comm_dup(MPI_COMM_WORLD, copy)
  call PMPI_Comm_rank(copy, got)
  if (got /= rank) error stop 32
  call PMPI_Irecv(from, 1, MPI_INTEGER, mod(rank + size - 1, size), 3, copy, requests(1))
  call PMPI_Isend(rank, 1, MPI_INTEGER, mod(rank + 1, size), 3, copy, requests(2))
  call PMPI_Waitall(2, requests, statuses)
  if (from /= mod(rank + size - 1, size) .or. statuses(1)%MPI_SOURCE /= from) error stop 33
  call PMPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, copy)
  place = 4
  if (PMPI_Aint_diff(PMPI_Aint_add(place, place), place) /= 4) error stop 34
  call PMPI_Sizeof(then, bytes)
  if (rank == 0) print '(a, i0, a, i0)', 'total ', total, ', bytes ', bytes
  call PMPI_Comm_free(copy)
  if (copy /= MPI_COMM_NULL) error stop 35
end subroutine
