! Attributes that one language sets and the other one reads; languages.c has the part in C.
program languages
  use mpi
  implicit none
  integer, external :: get_in_c
  integer :: keyval, ierror
  integer(MPI_ADDRESS_KIND) :: value
  logical :: flag
  integer :: good

  call MPI_Init(ierror)
  good = 0
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, keyval, 0_MPI_ADDRESS_KIND, ierror)
  value = -5555
  call MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, value, ierror)
  good = good + get_in_c(keyval, -5555)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, value, flag, ierror)
  if (flag .and. value == -5555) good = good + 1
  call set_in_c(keyval)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, keyval, value, flag, ierror)
  if (flag .and. value == 12345) good = good + 1
  call MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval, ierror)
  print '(i0,a)', good, ' of 3'
  call MPI_Finalize(ierror)
end program
