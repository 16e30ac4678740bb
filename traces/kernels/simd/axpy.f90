! y = y + a x on the SIMD array: axpy.c in Fortran, the example of docs/models/simd-isa.md.
!
!     axpy
module axpy_part
  implicit none
contains
  ! Runs in every PE, on its own x and y.
  subroutine axpy(n, y, x, a)
    integer, intent(in) :: n
    real(8), intent(inout) :: y(n)
    real(8), intent(in) :: x(n), a
    integer :: i
    do i = 1, n
      y(i) = y(i) + a * x(i)
    end do
  end subroutine
end module

program main
  use axpy_part
  use psim_simd
  implicit none
  integer, parameter :: n = 1000
  real(8), allocatable :: x(:), y(:)
  real(8) :: a = 3
  integer :: pes, i, wrong
  pes = simd_pes()
  allocate(x(n * pes), y(n * pes))
  x = [(real(i, 8), i = 0, n * pes - 1)]
  y = 1
  call simd_deal(simd_all(0), x, 8 * n, pes, 8 * n)
  call simd_deal(simd_all(8 * n), y, 8 * n, pes, 8 * n)
  call simd_wait(0)
  call simd_on()
  call axpy(n, simd_reals(simd_all(8 * n), n), simd_reals(simd_all(0), n), a)
  call simd_off()
  call simd_collect(simd_all(8 * n), y, 8 * n, pes, 8 * n)
  call simd_wait(0)
  wrong = count(y /= 1 + 3 * x)
  print '("axpy", i5, " on", i3, " PEs:", i2, " wrong")', n, pes, wrong
  if (wrong /= 0) error stop 1
end program
