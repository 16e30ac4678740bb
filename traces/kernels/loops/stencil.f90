! A sweep of seven points: the three loops of a textbook, for psim-fc.
module grids
  implicit none
  integer, parameter :: dp = kind(1d0)
contains
  subroutine sweep(nx, ny, nz, u, v, factors)
    integer, intent(in) :: nx, ny, nz
    real(dp), intent(in) :: u(nx, ny, nz), factors(2)
    real(dp), intent(inout) :: v(nx, ny, nz)
    integer :: x, y, z
    !$omp simd collapse(2)
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

include "../stencil_program.inc"
