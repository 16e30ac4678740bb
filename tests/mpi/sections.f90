! Sections of arrays in nonblocking calls of mpi_f08: rank 0 sends parts of its arrays to other parts of rank 1's.
program sections
use mpi_f08
implicit none
integer, asynchronous :: a(9,9)
real(8), asynchronous :: d(4,4,4)
character(len=8) :: t(6)
integer :: r, i, j, k, x, e
type(MPI_Request) :: q(3)
type(MPI_Status) :: st
call MPI_Init()
call MPI_Comm_rank(MPI_COMM_WORLD, r)
a = 0; d = 0; x = r; t = ''
if (r == 0) then
  do i = 1, 9
    do j = 1, 9
      a(j,i) = 10*j + i
    end do
  end do
  do k = 1, 4
   do j = 1, 4
    do i = 1, 4
     d(i,j,k) = i + 10*j + 100*k
    end do
   end do
  end do
  do i = 1, 6
    write (t(i), '(a,i0)') 'text', i
  end do
  call MPI_Isend(a(1:7:3,2:6:2), 9, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, q(1), e)
  call MPI_Isend(d(4:1:-1,2,::2), 8, MPI_DOUBLE_PRECISION, dest=1, tag=2, comm=MPI_COMM_WORLD, request=q(2))
  call MPI_Isend(t(1:6:2), 24, MPI_CHARACTER, 1, 3, MPI_COMM_WORLD, q(3))
  call MPI_Waitall(3, q, MPI_STATUSES_IGNORE)
  call MPI_Isend(x, 1, MPI_INTEGER, 1, 4, MPI_COMM_WORLD, q(1))
  call MPI_Wait(q(1), st)
  call MPI_Isend(a, 81, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, q(1))
  call MPI_Wait(q(1), st)
else if (r == 1) then
  call MPI_Irecv(a(1:7:3,2:6:2), 9, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, q(1), e)
  call MPI_Irecv(d(1:4,1,2:4:2), 8, MPI_DOUBLE_PRECISION, source=0, tag=2, comm=MPI_COMM_WORLD, request=q(2))
  call MPI_Irecv(t(2:6:2), 24, MPI_CHARACTER, 0, 3, MPI_COMM_WORLD, q(3))
  call MPI_Waitall(3, q, MPI_STATUSES_IGNORE)
  call MPI_Irecv(x, 1, MPI_INTEGER, 0, 4, MPI_COMM_WORLD, q(1))
  call MPI_Wait(q(1), st)
  print '(9i3,i5)', a(1:7:3,2:6:2), sum(a)
  print '(8f6.0)', d(:,1,2), d(:,1,4)
  print '(6(a,";"))', (trim(t(i)), i = 1, 6)
  call receive(a, 81)
  print '(3i5)', x, a(9,9), sum(a)
end if
call MPI_Finalize()
contains
subroutine receive(b, n)
integer, intent(in) :: n
integer, asynchronous :: b(*)
type(MPI_Request) :: q
call MPI_Recv_init(b, n, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, q)
call MPI_Start(q)
call MPI_Wait(q, MPI_STATUS_IGNORE)
call MPI_Request_free(q)
end subroutine
end program
