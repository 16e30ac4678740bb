! Complex transforms of 1024 points, eight of them, in the form for a vector machine: radix 2, each
! pass from one array to the other in a self-sorting order (Stockham; see Van Loan, Computational
! Frameworks for the FFT, 1992, 1.7), the inner loop over the points that share a root if they are
! many, else over the roots. Reads no arguments. Checks that the inverse transform returns the input,
! and one result against the definition.
module transforms
  implicit none
  integer, parameter :: dp = kind(1d0), log2n = 10, n = 2**log2n, count = 8
contains
  ! l points that share a root, m roots: x(l, m, 2) to y(l, 2, m).
  subroutine pass(l, m, x, y, roots)
    integer, intent(in) :: l, m
    complex(dp), intent(in) :: x(l, m, 2), roots(l, m)
    complex(dp), intent(out) :: y(l, 2, m)
    complex(dp) :: w
    integer :: j, k
    if (l >= m) then
      do k = 1, m
        w = roots(1, k)
        do j = 1, l
          y(j, 1, k) = x(j, k, 1) + x(j, k, 2)
          y(j, 2, k) = w * (x(j, k, 1) - x(j, k, 2))
        end do
      end do
    else
      do j = 1, l
        do k = 1, m
          y(j, 1, k) = x(j, k, 1) + x(j, k, 2)
          y(j, 2, k) = roots(1, k) * (x(j, k, 1) - x(j, k, 2))
        end do
      end do
    end if
  end subroutine

  subroutine transform(x, work, roots)
    complex(dp), intent(inout) :: x(n), work(n)
    complex(dp), intent(in) :: roots(n / 2)
    integer :: p, l, m
    l = 1
    m = n / 2
    do p = 1, log2n / 2
      call pass(l, m, x, work, roots)
      call pass(2 * l, m / 2, work, x, roots)
      l = 4 * l
      m = m / 4
    end do
  end subroutine
end module

program fft_stockham
  use transforms
  use psim_region
  implicit none
  complex(dp) :: x(n, count), first(n, count), work(n), roots(n / 2), one
  real(dp) :: angle
  integer :: i, t
  do i = 1, n / 2
    angle = -2 * acos(-1d0) * (i - 1) / n
    roots(i) = cmplx(cos(angle), sin(angle), dp)
  end do
  do t = 1, count
    do i = 1, n
      x(i, t) = cmplx(mod(74 * i + 11 * t, 101) / 101d0 - 0.5d0, mod(74 * i + 11 * t + 37, 101) / 101d0 - 0.5d0, dp)
    end do
  end do
  first = x
  call psim_region_begin("fft")
  do t = 1, count
    call transform(x(:, t), work, roots)
  end do
  call psim_region_end("fft")
  one = 0
  do i = 1, n
    angle = -2 * acos(-1d0) * mod(77 * (i - 1), n) / n
    one = one + first(i, count) * cmplx(cos(angle), sin(angle), dp)
  end do
  if (abs(x(78, count) - one) > 1d-9) stop 1
  do t = 1, count
    x(:, t) = conjg(x(:, t))
    call transform(x(:, t), work, roots)
    if (maxval(abs(conjg(x(:, t)) / n - first(:, t))) > 1d-12) stop 1
  end do
  print '(a,i5,a,i2,a)', "fft_stockham", n, " x", count, ": right"
end program
