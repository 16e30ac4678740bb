! C = A B for n x n matrices on the SIMD array: dgemm.c in Fortran, whose matrices are stored by
! columns, so columns are dealt to the PEs, four to each, and elements of A are broadcast.
!
!     dgemm N     default 48; any N from 1 to 4096, any number of PEs
!
! The input is small integers, so every sum is exact; compares with plain inner products.
module products
  use iso_c_binding, only: c_int64_t
  use psim_simd
  implicit none
  integer, parameter :: dp = kind(1d0), tile = 4 ! sums of a PE: tile x tile
contains
  ! The array's part: tile rows of A (from memory) and tile columns of B; adds to C unless
  ! `first`.
  subroutine block(n, depth, height, a, b, c, first)
    integer, intent(in) :: n, depth, height
    real(dp), intent(in) :: a(n, *), b(depth, tile)
    real(dp), intent(inout) :: c(height, tile)
    logical, intent(in) :: first
    real(dp) :: s11, s21, s31, s41, s12, s22, s32, s42, s13, s23, s33, s43, s14, s24, s34, s44
    real(dp) :: a1, a2, a3, a4
    integer :: k
    s11 = 0; s21 = 0; s31 = 0; s41 = 0; s12 = 0; s22 = 0; s32 = 0; s42 = 0
    s13 = 0; s23 = 0; s33 = 0; s43 = 0; s14 = 0; s24 = 0; s34 = 0; s44 = 0
    do k = 1, depth
      a1 = a(1, k); a2 = a(2, k); a3 = a(3, k); a4 = a(4, k)
      s11 = s11 + a1 * b(k, 1); s21 = s21 + a2 * b(k, 1); s31 = s31 + a3 * b(k, 1); s41 = s41 + a4 * b(k, 1)
      s12 = s12 + a1 * b(k, 2); s22 = s22 + a2 * b(k, 2); s32 = s32 + a3 * b(k, 2); s42 = s42 + a4 * b(k, 2)
      s13 = s13 + a1 * b(k, 3); s23 = s23 + a2 * b(k, 3); s33 = s33 + a3 * b(k, 3); s43 = s43 + a4 * b(k, 3)
      s14 = s14 + a1 * b(k, 4); s24 = s24 + a2 * b(k, 4); s34 = s34 + a3 * b(k, 4); s44 = s44 + a4 * b(k, 4)
    end do
    if (.not. first) then
      s11 = s11 + c(1, 1); s21 = s21 + c(2, 1); s31 = s31 + c(3, 1); s41 = s41 + c(4, 1)
      s12 = s12 + c(1, 2); s22 = s22 + c(2, 2); s32 = s32 + c(3, 2); s42 = s42 + c(4, 2)
      s13 = s13 + c(1, 3); s23 = s23 + c(2, 3); s33 = s33 + c(3, 3); s43 = s43 + c(4, 3)
      s14 = s14 + c(1, 4); s24 = s24 + c(2, 4); s34 = s34 + c(3, 4); s44 = s44 + c(4, 4)
    end if
    c(1, 1) = s11; c(2, 1) = s21; c(3, 1) = s31; c(4, 1) = s41
    c(1, 2) = s12; c(2, 2) = s22; c(3, 2) = s32; c(4, 2) = s42
    c(1, 3) = s13; c(2, 3) = s23; c(3, 3) = s33; c(4, 3) = s43
    c(1, 4) = s14; c(2, 4) = s24; c(3, 4) = s34; c(4, 4) = s44
  end subroutine

  ! The same for one row, if their number is no multiple of tile.
  subroutine row(n, depth, height, a, b, c, first)
    integer, intent(in) :: n, depth, height
    real(dp), intent(in) :: a(n, *), b(depth, tile)
    real(dp), intent(inout) :: c(height, tile)
    logical, intent(in) :: first
    real(dp) :: s1, s2, s3, s4
    integer :: k
    s1 = 0; s2 = 0; s3 = 0; s4 = 0
    do k = 1, depth
      s1 = s1 + a(1, k) * b(k, 1)
      s2 = s2 + a(1, k) * b(k, 2)
      s3 = s3 + a(1, k) * b(k, 3)
      s4 = s4 + a(1, k) * b(k, 4)
    end do
    if (.not. first) then
      s1 = s1 + c(1, 1); s2 = s2 + c(1, 2); s3 = s3 + c(1, 3); s4 = s4 + c(1, 4)
    end if
    c(1, 1) = s1; c(1, 2) = s2; c(1, 3) = s3; c(1, 4) = s4
  end subroutine

  ! All rows of a block of columns, `height` of them from i on.
  subroutine strip(n, depth, height, i, k, a, b, c)
    integer, intent(in) :: n, depth, height, i, k
    real(dp), intent(in) :: a(n, n)
    real(dp), intent(in) :: b(depth, tile)
    real(dp), intent(inout) :: c(height, tile)
    integer :: r
    r = 1
    do while (r + tile - 1 <= height)
      call block(n, depth, height, a(i + r - 1, k), b, c(r, 1), k == 1)
      r = r + tile
    end do
    do while (r <= height)
      call row(n, depth, height, a(i + r - 1, k), b, c(r, 1), k == 1)
      r = r + 1
    end do
  end subroutine

  ! Order of blocks: rows outermost, then columns, then k. An SBM holds two blocks of B and two
  ! of C.
  subroutine dgemm(n, a, b, c)
    integer, intent(in) :: n
    real(dp), intent(in) :: a(n, n), b(n, n)
    real(dp), intent(inout) :: c(n, n)
    real(dp), pointer, contiguous :: bs(:), cs(:)
    integer :: most, depth, columns, i, j, k, d, h, w, half, c_half
    logical :: sent
    most = int(simd_sbm_bytes() / (8 * 4 * tile))
    depth = (n + (n - 1) / most) / ((n - 1) / most + 1)
    columns = tile * simd_pes()
    half = 0
    c_half = 0
    sent = .false.
    call simd_on()
    call get(n, min(columns, n), min(depth, n), b, half)
    do i = 1, n, most
      h = min(most, n - i + 1)
      do j = 1, n, columns
        w = min(columns, n - j + 1)
        cs => simd_reals(simd_all(8 * tile * (2 * most + c_half)), tile * h)
        do k = 1, n, depth
          d = min(depth, n - k + 1)
          bs => simd_reals(simd_all(8 * tile * half), tile * d)
          call simd_wait(merge(1, 0, sent)) ! the last results may still be in transfer
          sent = .false.
          half = most - half
          if (k + depth <= n) then
            call get(n, w, min(depth, n - k - depth + 1), b(k + depth, j), half)
          else if (j + columns <= n) then
            call get(n, min(columns, n - j - columns + 1), depth, b(1, j + columns), half)
          else if (i + most <= n) then
            call get(n, min(columns, n), depth, b, half)
          end if
          call strip(n, d, h, i, k, a, bs, cs)
        end do
        call simd_collect(simd_all(8 * tile * (2 * most + c_half)), c(i, j), 8 * h, w, 8 * n)
        sent = .true.
        c_half = most - c_half
      end do
    end do
    call simd_wait(0)
    call simd_off()
  end subroutine

  ! Gets `steps` elements of each of `columns` columns, from b on: column j to PE j mod pes.
  subroutine get(n, columns, steps, b, half)
    integer, intent(in) :: n, columns, steps, half
    real(dp), intent(in) :: b(*)
    call simd_deal(simd_all(8 * tile * half), b, 8 * steps, columns, 8 * n)
  end subroutine
end module

include "../dgemm_program.inc"
