! A skeleton as the PSI-SIM paper prints PHASE's (K. Inoue et al., 2011, figure 3 A): the original with mpif.h alone, in
! which zgemm is BSIM_Add_time of an expression and the calls' prefix is LMPI_. Constants are MPI_'s.
program printed_phase
  implicit none
  include 'mpif.h'
  integer, parameter :: blocks = 4, bands = 3, waves = 2
  integer :: i, j, k, rank, ierr
  double precision :: time_val, Nescale, Nfscale
  complex(kind(1d0)) :: psi, product, total

  call LMPI_Init(ierr)
  call LMPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  Nescale = 2d0
  Nfscale = 0.5d0
  psi = (1d0, -1d0) * rank
  do i = 1, blocks
    call LMPI_Bcast(psi, 1, MPI_DOUBLE_COMPLEX, 1, MPI_COMM_WORLD, ierr)
    do j = 1, bands
      do k = 1, waves
        ! call zgemm('C', 'N', ...)
        time_val = 1d-3 * Nescale * Nfscale
        call BSIM_Add_time(time_val)
      end do
    end do
    product = psi * (rank + 1)
    call LMPI_Allreduce(product, total, 1, MPI_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD, ierr)
  end do
  if (rank == 0) print '(a, 2f6.1)', 'phase', total
  call LMPI_Finalize(ierr)
end program
