! Nests of real(4) and complex(4), also beside real(8), compared with Fortran's own array operations. Small integers: sums are exact.
module nests
  implicit none
contains
  subroutine triad(n, a, b, c, s)
    integer, intent(in) :: n
    real(4), intent(out) :: a(n)
    real(4), intent(in) :: b(n), c(n), s
    integer :: i
    !$omp simd
    do i = 1, n
      a(i) = b(i) + s * c(i)
    end do
  end subroutine
  subroutine product(n, a, b, c)
    integer, intent(in) :: n
    real(4), intent(in) :: a(n, n), b(n, n)
    real(4), intent(inout) :: c(n, n)
    integer :: i, j, k
    !$omp simd
    do j = 1, n
      do i = 1, n
        do k = 1, n
          c(i, j) = c(i, j) + a(i, k) * b(k, j)
        end do
      end do
    end do
  end subroutine
  subroutine rows(n, a, b, c)
    integer, intent(in) :: n
    real(4), intent(in) :: a(n, n), b(n)
    real(8), intent(inout) :: c(n)
    integer :: i, j
    do j = 1, n
      !$omp simd
      do i = 1, n
        c(i) = c(i) + real(a(i, j), 8) * b(j)
      end do
    end do
  end subroutine
  subroutine conjugates(n, a, b)
    integer, intent(in) :: n
    complex(4), intent(inout) :: a(n)
    complex(4), intent(in) :: b(n)
    integer :: i
    !$omp simd
    do i = 1, n
      a(i) = a(i) * conjg(b(i))
    end do
  end subroutine
  function dot(n, a, b) result(s)
    integer, intent(in) :: n
    real(4), intent(in) :: a(n), b(n)
    real(4) :: s
    integer :: i
    s = 5
    !$omp simd reduction(+:s)
    do i = 1, n
      s = s + a(i) * b(i)
    end do
  end function
end module

program main
  use nests
  implicit none
  integer, parameter :: n = 37, long = 1009
  real(4) :: a(n, n), b(n, n), c(n, n), x(0:long), y(long), z(long)
  real(8) :: d(n)
  complex(4) :: p(long), q(long)
  integer :: i, j, bad
  bad = 0
  do j = 1, n
    do i = 1, n
      a(i, j) = modulo(3 * i + j, 7) - 3
      b(i, j) = modulo(i + 5 * j, 11) - 5
    end do
  end do
  x(0) = 0
  do i = 1, long
    x(i) = modulo(i, 7)
    y(i) = modulo(i, 5) - 2
  end do
  call triad(long, z, x(1:), y, 3.0)
  bad = bad + count(z /= x(1:) + 3 * y)
  call triad(long, z, x(0:), y, 3.0)
  bad = bad + count(z /= x(:long-1) + 3 * y)
  if (dot(long, x(1:), y) /= 5 + sum(x(1:) * y)) bad = bad + 1
  c = 1
  call product(n, a, b, c)
  bad = bad + count(c /= 1 + matmul(a, b))
  d = 2
  call rows(n, a, b(:, 3), d)
  bad = bad + count(d /= 2 + matmul(a, b(:, 3)))
  p = cmplx(x(1:), y)
  q = cmplx(y, -x(1:))
  call conjugates(long, p, q)
  bad = bad + count(p /= cmplx(x(1:), y) * conjg(q))
  print '(a,i0,a)', 'nests: ', bad, ' wrong'
  if (bad /= 0) stop 1
end program
