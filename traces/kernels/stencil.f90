! Sweeps over a three-dimensional grid, each inner point from itself and its six neighbours:
! stencil.c in Fortran.
!
!     stencil [NX [NY [NZ [SWEEPS]]]]     points with the border; default 34 18 10, 2 sweeps
!
! Compares the last sweep with integer arithmetic.
module grids
  implicit none
  integer, parameter :: dp = kind(1d0)
contains
  pure subroutine sweep(nx, ny, nz, u, v, factors)
    integer, intent(in) :: nx, ny, nz
    real(dp), intent(in) :: u(nx, ny, nz), factors(2)
    real(dp), intent(inout) :: v(nx, ny, nz)
    integer :: x, y, z
    do z = 2, nz - 1
      do y = 2, ny - 1
        do x = 2, nx - 1
          v(x, y, z) = factors(1) * u(x, y, z) + factors(2) * (((u(x - 1, y, z) + u(x + 1, y, z)) &
            + (u(x, y - 1, z) + u(x, y + 1, z))) + (u(x, y, z - 1) + u(x, y, z + 1)))
        end do
      end do
    end do
  end subroutine
end module

include "stencil_program.inc"
