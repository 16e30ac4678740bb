! Escape times of the Mandelbrot set, for psim-fc -fpsim-units=divide,select: PEs iterate beyond their own end.
module escape
  implicit none
  integer, parameter :: most = 50
contains
  subroutine row(n, y, steps)
    integer, intent(in) :: n
    real(8), intent(in) :: y
    real(8), intent(out) :: steps(n)
    integer :: i, k
    complex(8) :: c, z
    !$omp simd private(k, c, z)
    do i = 1, n
      c = cmplx(-2 + 3 * real(i - 1, 8) / n, y, 8)
      z = 0
      k = 0
      do while (k < most .and. real(z)**2 + aimag(z)**2 < 4)
        z = z * z + c
        k = k + 1
      end do
      steps(i) = k
    end do
  end subroutine
end module

program main
  use escape
  use psim_region
  implicit none
  real(8), allocatable :: steps(:)
  character(len=16) :: text
  integer :: n
  n = 60
  if (command_argument_count() > 0) then
    call get_command_argument(1, text)
    read (text, *) n
  end if
  if (n < 1) stop 2
  allocate (steps(n))
  call psim_region_begin("mandelbrot")
  call row(n, 0d0, steps)
  call psim_region_end("mandelbrot")
  print '(a, i0, a, i0, a, i0, a)', "mandelbrot ", n, ": ", int(steps(1)), " and ", int(steps(2 * n / 3 + 1)), " steps"
  if (steps(1) /= 1 .or. steps(2 * n / 3 + 1) /= most) stop 1 ! -2 leaves the circle at once, 0 is in the set
end program
