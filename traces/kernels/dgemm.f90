! C = A B for n x n matrices, in blocks of 4 x 4 sums held in registers: dgemm.c in Fortran, whose
! matrices are stored by columns. Takes any n.
!
!     dgemm N     default 48
!
! The input is small integers, so every sum is exact; compares with plain inner products.
module products
  implicit none
  integer, parameter :: dp = kind(1d0), tile = 4
contains
  pure subroutine dgemm(n, a, b, c)
    integer, intent(in) :: n
    real(dp), intent(in) :: a(n, n), b(n, n)
    real(dp), intent(out) :: c(n, n)
    integer :: i, j, whole
    whole = n - mod(n, tile)
    do j = 1, whole, tile
      do i = 1, whole, tile
        call block(n, a(i, 1), b(1, j), c(i, j))
      end do
    end do
    do j = 1, n ! the rest at the edges
      do i = merge(whole + 1, 1, j <= whole), n
        c(i, j) = dot_product(a(i, :), b(:, j))
      end do
    end do
  end subroutine

  pure subroutine block(n, a, b, c)
    integer, intent(in) :: n
    real(dp), intent(in) :: a(n, *), b(n, *)
    real(dp), intent(inout) :: c(n, *)
    real(dp) :: s1(tile), s2(tile), s3(tile), s4(tile)
    integer :: k
    s1 = 0
    s2 = 0
    s3 = 0
    s4 = 0
    do k = 1, n
      s1 = s1 + a(1:tile, k) * b(k, 1)
      s2 = s2 + a(1:tile, k) * b(k, 2)
      s3 = s3 + a(1:tile, k) * b(k, 3)
      s4 = s4 + a(1:tile, k) * b(k, 4)
    end do
    c(1:tile, 1) = s1
    c(1:tile, 2) = s2
    c(1:tile, 3) = s3
    c(1:tile, 4) = s4
  end subroutine
end module

include "dgemm_program.inc"
