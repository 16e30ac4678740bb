! Calls with large counts by the names without _c, as the module mpi_f08 has them; and, in the same file, the module mpi.
subroutine with_mpi(rank, size)
  use mpi
  implicit none
  integer, intent(out) :: rank, size
  integer :: ierror, status(MPI_STATUS_SIZE), all

  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, rank, 0, all, 1, MPI_INTEGER, rank, 0, MPI_COMM_WORLD, status, ierror)
  if (all /= rank .or. status(MPI_SOURCE) /= rank) rank = -1
end subroutine

program large
  use mpi_f08
  implicit none
  integer(MPI_COUNT_KIND), parameter :: one = 1, five = 5
  integer(MPI_COUNT_KIND) :: count
  integer(MPI_COUNT_KIND), allocatable :: counts(:)
  integer(MPI_ADDRESS_KIND), allocatable :: displs(:)
  integer(MPI_COUNT_KIND) :: bytes, position, pack_bytes
  integer :: rank, size, i, bad, x(5), y(5), small
  integer, allocatable :: all(:)
  character :: packed(64)
  type(MPI_Status) :: status
  type(MPI_Request) :: request
  type(MPI_Datatype) :: type

  bad = 0
  call MPI_Init()
  call with_mpi(rank, size)
  x = [(100 * rank + i, i = 1, 5)]
  ! point to point
  y = 0
  call MPI_Isend(x, five, MPI_INTEGER, modulo(rank + 1, size), 3, MPI_COMM_WORLD, request)
  call MPI_Recv(y, five, MPI_INTEGER, modulo(rank - 1, size), 3, MPI_COMM_WORLD, status)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_Get_count(status, MPI_INTEGER, count)
  call MPI_Get_count(status, MPI_INTEGER, small)
  call check(count == 5 .and. small == 5 .and. y(5) == 100 * modulo(rank - 1, size) + 5, 1)
  ! collectives
  y = 0
  if (rank == 0) y = x
  call MPI_Bcast(y, five, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call check(y(3) == 3, 2)
  call MPI_Allreduce(x, y, five, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  call check(y(2) == 100 * (size * (size - 1) / 2) + 2 * size, 3)
  call MPI_Allreduce(MPI_IN_PLACE, x, five, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD)
  call check(x(4) == 100 * (size - 1) + 4, 4)
  allocate (counts(size), displs(size), all(2 * size))
  counts = 1
  displs = [(2 * (i - 1), i = 1, size)]
  all = -1
  call MPI_Allgatherv(rank, one, MPI_INTEGER, all, counts, displs, MPI_INTEGER, MPI_COMM_WORLD)
  call check(all(2 * rank + 1) == rank .and. all(2 * size - 1) == size - 1 .and. all(2) == -1, 5)
  call MPI_Igatherv(rank, one, MPI_INTEGER, all, counts, displs, MPI_INTEGER, 0, MPI_COMM_WORLD, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  ! datatypes
  call MPI_Type_vector(five, one, 2_MPI_COUNT_KIND, MPI_INTEGER, type)
  call MPI_Type_size(type, bytes)
  call MPI_Type_size(type, small)
  call check(bytes == 20 .and. small == 20, 6)
  call MPI_Type_free(type)
  call MPI_Type_contiguous(five, MPI_INTEGER, type)
  call MPI_Type_commit(type)
  call MPI_Sendrecv(x, one, type, rank, 0, y, one, type, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call check(all_equal(x, y), 7)
  call MPI_Type_free(type)
  ! packing
  call MPI_Pack_size(five, MPI_INTEGER, MPI_COMM_WORLD, pack_bytes)
  call check(pack_bytes >= 20, 8)
  position = 0
  call MPI_Pack(x, five, MPI_INTEGER, packed, 64_MPI_COUNT_KIND, position, MPI_COMM_WORLD)
  call check(position == 20, 9)
  position = 0
  y = 0
  call MPI_Unpack(packed, 64_MPI_COUNT_KIND, position, y, five, MPI_INTEGER, MPI_COMM_WORLD)
  call check(all_equal(x, y), 10)
  call PMPI_Bcast(y, five, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call MPI_Bcast(y, 5, MPI_INTEGER, 0, MPI_COMM_WORLD)
  i = bad
  call MPI_Allreduce(i, bad, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (rank == 0) print '(a,i0,a,i0,a)', 'large counts: ', bad, ' of ', size, ' ranks wrong'
  call MPI_Finalize()

contains

  subroutine check(holds, number)
    logical, intent(in) :: holds
    integer, intent(in) :: number

    if (holds) return
    print '(a,i0,a,i0,a)', 'rank ', rank, ': check ', number, ' does not hold'
    bad = 1
  end subroutine

  logical function all_equal(a, b)
    integer, intent(in) :: a(:), b(:)

    all_equal = a(1) == b(1) .and. a(5) == b(5)
  end function
end program
