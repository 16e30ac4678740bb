! Lines in pieces on both outputs, and clocks.
program said
  use mpi
  implicit none
  integer :: rank, error, from, to, rate, round
  real :: used

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call system_clock(from, rate)
  do round = 1, 2
    write (*, '(a, i0)', advance='no') 'begun by ', rank
    call MPI_Barrier(MPI_COMM_WORLD, error)
    print '(a, i0)', ', ended by ', rank
    write (0, '(a, i0)') 'error of ', rank
  end do
  call MPI_Add_time(1.5d0, error)
  call system_clock(to)
  call cpu_time(used)
  print '(i0, a, 2f4.1)', rank, ' seconds', real(to - from) / rate, used
  call MPI_Finalize(error)
end program
