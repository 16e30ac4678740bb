! A batch of products of 6 x 6 matrices, for psim-fc: a product in each PE.
module batches
  implicit none
contains
  subroutine products(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(in) :: a(6, 6, n), b(6, 6, n)
    real(8), intent(out) :: c(6, 6, n)
    integer :: m, i, j, k
    real(8) :: total
    !$omp simd private(total)
    do m = 1, n
      do j = 1, 6
        do i = 1, 6
          total = 0
          do k = 1, 6
            total = total + a(i, k, m) * b(k, j, m)
          end do
          c(i, j, m) = total
        end do
      end do
    end do
  end subroutine
end module

program main
  use batches
  use psim_region
  implicit none
  real(8), allocatable :: a(:, :, :), b(:, :, :), c(:, :, :)
  character(len=16) :: text
  integer :: n, m, i, j, wrong
  n = 1000
  if (command_argument_count() > 0) then
    call get_command_argument(1, text)
    read (text, *) n
  end if
  allocate (a(6, 6, n), b(6, 6, n), c(6, 6, n))
  do m = 1, n
    do j = 1, 6
      do i = 1, 6
        a(i, j, m) = mod(m + i + 2 * j, 7) - 3
        b(i, j, m) = mod(2 * m + 3 * i + j, 5) - 2
      end do
    end do
  end do
  call psim_region_begin("gemm6")
  call products(n, a, b, c)
  call psim_region_end("gemm6")
  wrong = 0
  do m = 1, n
    wrong = wrong + count(c(:, :, m) /= matmul(a(:, :, m), b(:, :, m)))
  end do
  print '(a, i0, a, i0, a)', "gemm6 ", n, ": ", wrong, " elements wrong"
  if (wrong > 0) stop 1
end program
