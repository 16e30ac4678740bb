! A skeleton as the PSI-SIM paper prints that of the two-electron integrals (K. Inoue et al., 2011, figure 3 B): pairs of
! shells dealt beforehand, a cut-off, primitive integrals and the Fock matrix as times, one sum. mpif.h alone.
program printed_eri
  implicit none
  include 'mpif.h'
  integer, parameter :: pairs = 5, nao = 2
  integer :: ijcs, klcs, primitive, rank, ranks, ierr, comm
  double precision :: t, Fock(nao*nao), Temp(nao*nao)

  call LMPI_Init(ierr)
  comm = MPI_COMM_WORLD
  call LMPI_Comm_rank(comm, rank, ierr)
  call LMPI_Comm_size(comm, ranks, ierr)
  Fock = 1
  do ijcs = rank + 1, pairs, ranks
    do klcs = 1, ijcs
      if (mod(ijcs + klcs, 4) == 0) cycle
      do primitive = 1, 2
        ! call calc_prim_ERI
        t = 1d-3
        call BSIM_Add_time(t)
      end do
      ! call Fock_matrix
      call BSIM_Add_time(5d-4)
    end do
  end do
  call LMPI_Allreduce(Fock, Temp, nao*nao, MPI_DOUBLE, MPI_SUM, comm, ierr)
  Fock = Temp
  if (rank == 0) print '(a, 4f4.1)', 'fock', Fock
  call LMPI_Finalize(ierr)
end program
