! Nests that psim-fc puts on the array, compared with the same loops without the directive. Small integers: sums are exact.
module nests
  implicit none
contains
  subroutine triad(n, a, b, c, s)
    integer, intent(in) :: n
    real(8), intent(out) :: a(n)
    real(8), intent(in) :: b(n), c(n), s
    integer :: i
    !$omp simd
    do i = 1, n
      a(i) = b(i) + s * c(i)
    end do
  end subroutine
  subroutine gemm(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, n), b(n, n)
    real(8), intent(inout) :: c(n, n)
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
  subroutine zgemm(n, a, b, c)
    integer, intent(in) :: n
    complex(8), intent(in) :: a(:, :), b(:, :)
    complex(8), intent(out) :: c(:, :)
    integer :: i, j, k
    complex(8) :: s
    !$omp simd private(s)
    do j = 1, n
      do i = 1, n
        s = 0
        do k = 1, n
          s = s + a(i, k) * conjg(b(k, j))
        end do
        c(i, j) = s
      end do
    end do
  end subroutine
  function dot(n, a, b) result(s)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n)
    real(8) :: s
    integer :: i
    s = 5
    !$omp simd reduction(+:s)
    do i = 1, n
      s = s + a(i) * b(i)
    end do
  end function
  subroutine smooth(nx, ny, u, v)
    integer, intent(in) :: nx, ny
    real(8), intent(in) :: u(nx, ny)
    real(8), intent(inout) :: v(nx, ny)
    integer :: x, y
    !$omp simd
    do y = 2, ny - 1
      do x = 2, nx - 1
        v(x, y) = 4 * u(x, y) - (u(x - 1, y) + u(x + 1, y) + u(x, y - 1) + u(x, y + 1))
      end do
    end do
  end subroutine
  ! Directives on inner loops: the loops around them become inner ones.
  subroutine matvec(n, a, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, n), x(n)
    real(8), intent(inout) :: y(n)
    integer :: i, j
    do j = 1, n
      !$omp simd
      do i = 1, n
        y(i) = y(i) + a(i, j) * x(j)
      end do
    end do
  end subroutine
  subroutine gemm_columns(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, n), b(n, n)
    real(8), intent(inout) :: c(n, n)
    integer :: i, j, k
    do j = 1, n
      do k = 1, n
        !$omp simd
        do i = 1, n
          c(i, j) = c(i, j) + a(i, k) * b(k, j)
        end do
      end do
    end do
  end subroutine
  ! c = c + b (u + transpose(u)) of the strictly upper triangle u of a: how often the inner loop runs depends on i.
  subroutine symm(n, a, b, c)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, n), b(n, n)
    real(8), intent(inout) :: c(n, n)
    integer :: i, j, k
    real(8) :: s
    do i = 1, n
      !$omp simd private(s)
      do j = 1, n
        s = 0
        do k = 1, i - 1
          c(j, k) = c(j, k) + b(j, i) * a(k, i)
          s = s + b(j, k) * a(k, i)
        end do
        c(j, i) = c(j, i) + s
      end do
    end do
  end subroutine
end module

program check
  use nests
  implicit none
  integer, parameter :: n = 37, long = 1009
  real(8) :: a(n, n), b(n, n), c(n, n), d(n, n), x(long), y(long), z(long)
  complex(8) :: za(n, n), zb(n, n), zc(n, n), zd(n, n)
  integer :: i, j, bad
  bad = 0
  do j = 1, n
    do i = 1, n
      a(i, j) = modulo(3 * i + j, 7) - 3
      b(i, j) = modulo(i + 5 * j, 11) - 5
    end do
  end do
  za = cmplx(a, b, 8)
  zb = cmplx(b, -a, 8)
  do i = 1, long
    x(i) = modulo(i, 7)
    y(i) = modulo(i, 5) - 2
  end do
  call triad(long, z, x, y, 3d0)
  bad = bad + count(z /= x + 3 * y)
  if (dot(long, x, y) /= 5 + sum(x * y)) bad = bad + 1
  c = 1
  d = 1 + matmul(a, b)
  call gemm(n, a, b, c)
  bad = bad + count(c /= d)
  zd = matmul(za, conjg(zb))
  call zgemm(n, za, zb, zc)
  bad = bad + count(zc /= zd)
  c = 0
  d = 0
  d(2:n-1, 2:n-1) = 4 * a(2:n-1, 2:n-1) - (a(1:n-2, 2:n-1) + a(3:n, 2:n-1) + a(2:n-1, 1:n-2) + a(2:n-1, 3:n))
  call smooth(n, n, a, c)
  bad = bad + count(c /= d)
  y(:n) = b(:, 2)
  call matvec(n, a, x, y)
  bad = bad + count(y(:n) /= b(:, 2) + matmul(a, x(:n)))
  c = 2
  call gemm_columns(n, a, b, c)
  bad = bad + count(c /= 2 + matmul(a, b))
  c = 3
  call symm(n, a, b, c)
  do j = 1, n
    d(:, j) = [(merge(a(i, j), merge(a(j, i), 0d0, i > j), i < j), i = 1, n)]
  end do
  bad = bad + count(c /= 3 + matmul(b, d))
  print '(a,i0,a)', 'nests: ', bad, ' wrong'
  if (bad /= 0) stop 1
end program
