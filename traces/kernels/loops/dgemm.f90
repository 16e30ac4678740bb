! C = A B: the three loops of a textbook, for psim-fc.
module products
  implicit none
  integer, parameter :: dp = kind(1d0)
contains
  subroutine dgemm(n, a, b, c)
    integer, intent(in) :: n
    real(dp), intent(in) :: a(n, n), b(n, n)
    real(dp), intent(out) :: c(n, n)
    integer :: i, j, k
    real(dp) :: total
    !$omp simd private(total)
    do j = 1, n
      do i = 1, n
        total = 0
        do k = 1, n
          total = total + a(i, k) * b(k, j)
        end do
        c(i, j) = total
      end do
    end do
  end subroutine
end module

include "../dgemm_program.inc"
