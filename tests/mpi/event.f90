! Names a point of each rank's time, after 1 us of computation: skeletons-fortran.t.
program event
  use mpi
  implicit none
  integer :: ierr

  call MPI_Init(ierr)
  call MPI_Add_time(1d-6, ierr)
  call MPI_Event('half way', ierr)
  call MPI_Finalize(ierr)
end program
