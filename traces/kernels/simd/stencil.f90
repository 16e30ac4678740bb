! Sweeps over a three-dimensional grid on the SIMD array: stencil.c in Fortran.
!
!     stencil [NX [NY [NZ [SWEEPS]]]]     points with the border; default 34 18 10, 2 sweeps
!
! Each PE has some rows of a plane and one more on either side; an SBM holds four planes of them,
! three in use and one in transfer, and two of results. Any number of PEs; a row has at most a 14th
! of an SBM. Compares the last sweep with integer arithmetic.
module grids
  use psim_simd
  implicit none
  integer, parameter :: dp = kind(1d0)
contains
  ! The array's part: the rows of a plane in each PE; lower, upper: of the neighbouring planes.
  subroutine plane(nx, rows, lower, u, upper, v, factors)
    integer, intent(in) :: nx, rows
    real(dp), intent(in) :: lower(nx, 0:rows + 1), u(nx, 0:rows + 1), upper(nx, 0:rows + 1), factors(2)
    real(dp), intent(inout) :: v(nx, rows)
    integer :: x, y
    do y = 1, rows
      v(1, y) = u(1, y) ! the border is constant
      do x = 2, nx - 1
        v(x, y) = factors(1) * u(x, y) + factors(2) * (((u(x - 1, y) + u(x + 1, y)) &
          + (u(x, y - 1) + u(x, y + 1))) + (lower(x, y) + upper(x, y)))
      end do
      v(nx, y) = u(nx, y)
    end do
  end subroutine

  ! Rows y ... of every plane, `rows` to each of `pieces` PEs.
  subroutine slab(nx, ny, nz, y, rows, pieces, u, v, factors)
    integer, intent(in) :: nx, ny, nz, y, rows, pieces
    real(dp), intent(in) :: u(nx, ny, nz), factors(2)
    real(dp), intent(inout) :: v(nx, ny, nz)
    integer :: z, step, out
    step = nx * (rows + 2)
    do z = 1, 3
      call get(z)
    end do
    do z = 2, nz - 1
      call simd_wait(merge(1, 0, z > 2)) ! the last results may still be in transfer
      if (z + 2 <= nz) call get(z + 2)
      out = 8 * (4 * step + mod(z, 2) * nx * rows)
      call plane(nx, rows, held(z - 1), held(z), held(z + 1), simd_reals(simd_all(out), nx * rows), factors)
      call simd_collect(simd_all(out), v(1, y, z), 8 * nx * rows, pieces, 8 * nx * rows)
    end do
    call simd_wait(0)
  contains
    function held(z) result(points)
      integer, intent(in) :: z
      real(dp), pointer, contiguous :: points(:)
      points => simd_reals(simd_all(8 * mod(z, 4) * step), step)
    end function

    subroutine get(z)
      integer, intent(in) :: z
      call simd_deal(simd_all(8 * mod(z, 4) * step), u(1, y - 1, z), 8 * step, pieces, 8 * nx * rows)
    end subroutine
  end subroutine

  subroutine sweep(nx, ny, nz, u, v, factors)
    integer, intent(in) :: nx, ny, nz
    real(dp), intent(in) :: u(nx, ny, nz), factors(2)
    real(dp), intent(inout) :: v(nx, ny, nz)
    integer :: y, left, rows, pieces, pes
    pes = simd_pes()
    y = 2
    left = ny - 2
    call simd_on()
    do while (left > 0)
      rows = min((int(simd_sbm_bytes()) / 8 / nx - 8) / 6, left / pes)
      pieces = pes
      if (rows == 0) then
        rows = 1
        pieces = left
      end if
      call slab(nx, ny, nz, y, rows, pieces, u, v, factors)
      y = y + rows * pieces
      left = left - rows * pieces
    end do
    call simd_off()
  end subroutine
end module

include "../stencil_program.inc"
