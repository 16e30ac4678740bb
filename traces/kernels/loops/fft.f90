! Complex transforms, for psim-fc: decimation in time, radix 2, in place, as in textbooks (Cooley and Tukey, 1965).
! Inner loops are not affine, but the same for all transforms. Each transform is of one point, so the result is known.
module transforms
  implicit none
contains
  subroutine fft(n, many, x, roots)
    integer, intent(in) :: n, many
    complex(8), intent(inout) :: x(0:n - 1, many)
    complex(8), intent(in) :: roots(0:n / 2 - 1)
    complex(8) :: u, v
    integer :: t, i, j, bit, half, group, k
    !$omp simd private(u, v, i, j, bit, half, group, k)
    do t = 1, many
      j = 0
      do i = 1, n - 1
        bit = n / 2
        do while (iand(j, bit) /= 0)
          j = ieor(j, bit)
          bit = bit / 2
        end do
        j = ieor(j, bit)
        if (i < j) then
          u = x(i, t)
          x(i, t) = x(j, t)
          x(j, t) = u
        end if
      end do
      half = 1
      do while (half < n)
        do group = 0, n - 1, 2 * half
          do k = 0, half - 1
            u = x(group + k, t)
            v = x(group + k + half, t) * roots(k * (n / 2 / half))
            x(group + k, t) = u + v
            x(group + k + half, t) = u - v
          end do
        end do
        half = 2 * half
      end do
    end do
  end subroutine
end module

program main
  use transforms
  use psim_region
  implicit none
  complex(8), allocatable :: x(:, :), roots(:)
  character(len=16) :: text
  real(8) :: circle
  integer :: n, many, t, k, wrong
  n = 10
  many = 8
  if (command_argument_count() > 1) then
    call get_command_argument(1, text)
    read (text, *) n
    call get_command_argument(2, text)
    read (text, *) many
  end if
  n = 2**n
  circle = 2 * acos(-1.0d0)
  allocate (x(0:n - 1, many), roots(0:n / 2 - 1))
  do k = 0, n / 2 - 1
    roots(k) = cmplx(cos(circle * k / n), -sin(circle * k / n), 8)
  end do
  ! transform t has one point t that is not 0
  x = 0
  do t = 1, many
    x(mod(t, n), t) = t
  end do
  call psim_region_begin("fft")
  call fft(n, many, x, roots)
  call psim_region_end("fft")
  wrong = 0
  do t = 1, many
    do k = 0, n - 1
      circle = 2 * acos(-1.0d0) * mod(k * mod(t, n), n) / n
      if (abs(x(k, t) - t * cmplx(cos(circle), -sin(circle), 8)) > 1d-9 * t) wrong = wrong + 1
    end do
  end do
  print '(a, i0, a, i0, a, i0, a)', "fft ", n, " x ", many, ": ", wrong, " elements wrong"
  if (wrong > 0) stop 1
end program
