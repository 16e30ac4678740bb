! Sweeps over a three-dimensional grid, each inner point from itself and its six neighbours:
! stencil.c in Fortran.
!
!     stencil [NX [NY [NZ [SWEEPS]]]]     points with the border; at first 34 18 10, 2 sweeps
!
! Compares the last sweep with integer arithmetic.
module grids
  implicit none
  integer, parameter :: dp = kind(1d0)
contains
  pure subroutine sweep(nx, ny, nz, u, v, c0, c1)
    integer, intent(in) :: nx, ny, nz
    real(dp), intent(in) :: u(nx, ny, nz), c0, c1
    real(dp), intent(inout) :: v(nx, ny, nz)
    integer :: x, y, z
    do z = 2, nz - 1
      do y = 2, ny - 1
        do x = 2, nx - 1
          v(x, y, z) = c0 * u(x, y, z) + c1 * (((u(x - 1, y, z) + u(x + 1, y, z)) &
            + (u(x, y - 1, z) + u(x, y + 1, z))) + (u(x, y, z - 1) + u(x, y, z + 1)))
        end do
      end do
    end do
  end subroutine

  pure integer function wrong(nx, ny, nz, u, v)
    integer, intent(in) :: nx, ny, nz
    real(dp), intent(in) :: u(nx, ny, nz), v(nx, ny, nz)
    integer, allocatable :: i(:, :, :), j(:, :, :)
    allocate (i(nx, ny, nz), j(nx, ny, nz))
    i = nint(u)
    j = nint(v)
    wrong = count(j(2:nx - 1, 2:ny - 1, 2:nz - 1) /= -2 * i(2:nx - 1, 2:ny - 1, 2:nz - 1) &
      + i(1:nx - 2, 2:ny - 1, 2:nz - 1) + i(3:nx, 2:ny - 1, 2:nz - 1) &
      + i(2:nx - 1, 1:ny - 2, 2:nz - 1) + i(2:nx - 1, 3:ny, 2:nz - 1) &
      + i(2:nx - 1, 2:ny - 1, 1:nz - 2) + i(2:nx - 1, 2:ny - 1, 3:nz))
  end function
end module

program main
  use grids
  use psim_region
  implicit none
  real(dp), allocatable :: u(:, :, :), v(:, :, :), t(:, :, :)
  character(len=16) :: text
  integer :: sizes(4), i, x, y, z, s, bad
  sizes = [34, 18, 10, 2]
  do i = 1, min(4, command_argument_count())
    call get_command_argument(i, text)
    read (text, *) sizes(i)
  end do
  if (any(sizes(:3) < 3) .or. any(sizes(:3) > 4096) .or. sizes(4) < 1 .or. sizes(4) > 8) stop 2
  allocate (u(sizes(1), sizes(2), sizes(3)))
  i = 0
  do z = 1, sizes(3)
    do y = 1, sizes(2)
      do x = 1, sizes(1)
        u(x, y, z) = mod(i * 7 + i / sizes(1), 11) - 5
        i = i + 1
      end do
    end do
  end do
  v = u
  call psim_region_begin("stencil")
  do s = 1, sizes(4)
    call sweep(sizes(1), sizes(2), sizes(3), u, v, -2d0, 1d0)
    call move_alloc(u, t)
    call move_alloc(v, u)
    call move_alloc(t, v)
  end do
  call psim_region_end("stencil")
  bad = wrong(sizes(1), sizes(2), sizes(3), v, u)
  print '(a, 3(i0, a), i0, a)', "stencil ", sizes(1), " x ", sizes(2), " x ", sizes(3), ": ", bad, " points wrong"
  if (bad > 0) stop 1
end program
