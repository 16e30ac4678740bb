! Forces between all pairs of bodies, for psim-fc: divisions and square roots need PEs that divide (-fpsim-units).
module bodies
  implicit none
contains
  subroutine forces(n, x, y, z, mass, fx)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), y(n), z(n), mass(n)
    real(8), intent(out) :: fx(n)
    integer :: i, j
    real(8) :: total, dx, dy, dz, r
    !$omp simd private(total, dx, dy, dz, r)
    do i = 1, n
      total = 0
      do j = 1, n
        dx = x(j) - x(i)
        dy = y(j) - y(i)
        dz = z(j) - z(i)
        r = dx * dx + dy * dy + dz * dz + 1d-3
        total = total + mass(j) * dx / (r * sqrt(r))
      end do
      fx(i) = total
    end do
  end subroutine
end module

program main
  use bodies
  use psim_region
  implicit none
  real(8), allocatable :: of(:, :), fx(:)
  character(len=16) :: text
  integer :: n, i, k
  n = 64
  if (command_argument_count() > 0) then
    call get_command_argument(1, text)
    read (text, *) n
  end if
  if (n < 1) stop 2
  allocate (of(n, 4), fx(n))
  do k = 1, 4
    do i = 1, n
      of(i, k) = mod((i - 1) * (k + 2), 17) + 1
    end do
  end do
  call psim_region_begin("nbody")
  call forces(n, of(:, 1), of(:, 2), of(:, 3), of(:, 4), fx)
  call psim_region_end("nbody")
  if (.not. abs(sum(of(:, 4) * fx)) < 1d-6) stop 1 ! action and reaction cancel
  print '(a, i0, a)', "nbody ", n, ": forces cancel to less than 1e-6"
end program
