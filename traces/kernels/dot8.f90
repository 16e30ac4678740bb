! The inner product of two vectors in eight independent sums: dot8.c in
! Fortran (docs/guide/time-a-kernel.md). Reads no arguments.
program dot8
  use psim_region
  implicit none
  integer, parameter :: n = 1000, times = 20
  real(8) :: a(n), b(n), total
  integer :: i, t, expected

  a = [(modulo(i, 7) - 3, i = 0, n - 1)] ! small integers: every sum is exact
  b = [(modulo(i, 5) - 2, i = 0, n - 1)]
  expected = times * sum([((modulo(i, 7) - 3) * (modulo(i, 5) - 2), i = 0, n - 1)])
  total = 0
  call psim_region_begin("dot")
  do t = 1, times
    total = total + dot(a, b)
  end do
  call psim_region_end("dot")
  print '(a, f0.1, 2a)', "dot: ", total, ", ", merge("right", "wrong", total == expected)
  if (total /= expected) stop 1

contains

  pure function dot(x, y) result(sum)
    real(8), intent(in) :: x(:), y(:)
    real(8) :: sum, s(8)
    integer :: i
    s = 0
    do i = 1, size(x), 8
      s = s + x(i:i + 7) * y(i:i + 7)
    end do
    sum = ((s(1) + s(2)) + (s(3) + s(4))) + ((s(5) + s(6)) + (s(7) + s(8)))
  end function
end program
