! Calls of skeletons without their module, with mpif.h alone: by reference, arrays behind their count.
program without_module
  implicit none
  include 'mpif.h'
  integer :: ierr, rank
  logical :: BSIM_Has_model
  double precision :: BSIM_Time, BSIM_Parameter, LMPI_Wtime, start, arguments(2)

  call LMPI_Init(ierr)
  call LMPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  arguments = (/ 3d0, 4d0 /)
  start = LMPI_Wtime()
  call BSIM_Phase('work  ')
  call BSIM_Add_model('area', 2, arguments)
  call BSIM_Phase('')
  call BSIM_Flops(6d9)
  call BSIM_Checkpoint()
  print '(2l2, 3f6.1)', BSIM_Has_model('area'), BSIM_Has_model('volume'), BSIM_Time('area', 2, arguments), &
    BSIM_Parameter('given', 1d0), BSIM_Parameter('missing', 2.5d0)
  print '(f6.1)', LMPI_Wtime() - start
  call LMPI_Finalize(ierr)
end program
