! The SIMD extension in Fortran (docs/models/simd-isa.md describes it):
!
!     use psim_simd
!     real(8), pointer :: xs(:), ys(:)
!     call simd_deal(simd_all(0), x, 8 * n, simd_pes(), 8 * n)      ! n numbers to each PE
!     call simd_deal(simd_all(8 * n), y, 8 * n, simd_pes(), 8 * n)
!     call simd_wait(0)
!     xs => simd_reals(simd_all(0), n)
!     ys => simd_reals(simd_all(8 * n), n)
!     call simd_on()
!     call axpy(ys, xs, a, n)                ! every PE, on its own xs and ys
!     call simd_off()
!
! The rule: code that runs in SIMD mode is in subroutines in a file of their own, whose real
! arguments are arrays or passed by reference, as usual in Fortran. Compile that file with
! -fno-tree-loop-distribute-patterns, or a loop that clears an array becomes a call of memset.
! Between simd_on and simd_off there are only such calls, integers and transfers, and no other
! floating point. Give the arrays explicit shapes, so that nothing is copied: real(8) :: x(n).
!
! With psim-record --units there are also, for SIMD mode and arrays in the buffer memories of n elements:
! simd_gather and simd_scatter (gather), simd_choose_less (select), simd_int_multiply_add (integer),
! simd_pair_multiply_add (single).
!
! Compile with psim_simd.c. Cross operations, sums and single PEs: in C
! (psim_simd.h), or through the PEs' windows.
module psim_simd
  use iso_c_binding, only: c_int, c_int32_t, c_int64_t, c_ptr, c_f_pointer
  implicit none
  private
  public :: simd_on, simd_off, simd_pes, simd_sbm_bytes, simd_all, simd_pe, simd_reals
  public :: simd_get, simd_put, simd_deal, simd_collect, simd_wait
  public :: simd_singles, simd_integers, simd_longs
  public :: simd_gather, simd_scatter, simd_choose_less, simd_int_multiply_add, simd_pair_multiply_add

  integer(c_int64_t), parameter :: all_base = int(z'500000000000', c_int64_t)
  integer(c_int64_t), parameter :: pe_stride = int(z'1000000', c_int64_t)

  interface
    subroutine simd_on() bind(C, name="psim_simd_on")
    end subroutine
    subroutine simd_off() bind(C, name="psim_simd_off")
    end subroutine
    integer(c_int) function simd_pes() bind(C, name="psim_simd_pes")
      import :: c_int
    end function
    integer(c_int64_t) function simd_sbm_bytes() bind(C, name="psim_simd_bytes")
      import :: c_int64_t
    end function
    ! memory to buffer memory: `pieces` pieces of `bytes` bytes, `stride` bytes apart in memory;
    ! window in simd_pe: that PE gets them, in simd_all: every PE gets all of them
    subroutine simd_get(window, memory, bytes, pieces, stride) bind(C, name="psim_simd_get")
      import :: c_int32_t, c_int64_t
      integer(c_int64_t), value :: window
      type(*), intent(in) :: memory(*)
      integer(c_int32_t), value :: bytes, pieces, stride
    end subroutine
    ! the opposite direction, from one PE
    subroutine simd_put(window, memory, bytes, pieces, stride) bind(C, name="psim_simd_put")
      import :: c_int32_t, c_int64_t
      integer(c_int64_t), value :: window
      type(*), intent(inout) :: memory(*)
      integer(c_int32_t), value :: bytes, pieces, stride
    end subroutine
    ! the same, with piece j (0, 1 ...) to or from PE mod(j, simd_pes()); window in simd_all
    subroutine simd_deal(window, memory, bytes, pieces, stride) bind(C, name="psim_simd_deal")
      import :: c_int32_t, c_int64_t
      integer(c_int64_t), value :: window
      type(*), intent(in) :: memory(*)
      integer(c_int32_t), value :: bytes, pieces, stride
    end subroutine
    subroutine simd_collect(window, memory, bytes, pieces, stride) bind(C, name="psim_simd_collect")
      import :: c_int32_t, c_int64_t
      integer(c_int64_t), value :: window
      type(*), intent(inout) :: memory(*)
      integer(c_int32_t), value :: bytes, pieces, stride
    end subroutine
    ! values(k) = table(index(k) + 1) in each PE, of its own
    subroutine simd_gather(values, table, index, n) bind(C, name="psim_simd_gather")
      import :: c_int, c_int32_t
      real(8), intent(out) :: values(*)
      real(8), intent(in) :: table(*)
      integer(c_int32_t), intent(in) :: index(*)
      integer(c_int), value :: n
    end subroutine
    ! table(index(k) + 1) = values(k), in this order
    subroutine simd_scatter(table, index, values, n) bind(C, name="psim_simd_scatter")
      import :: c_int, c_int32_t
      real(8), intent(inout) :: table(*)
      integer(c_int32_t), intent(in) :: index(*)
      real(8), intent(in) :: values(*)
      integer(c_int), value :: n
    end subroutine
    ! to = merge(a, b, x < y)
    subroutine simd_choose_less(to, x, y, a, b, n) bind(C, name="psim_simd_choose_less")
      import :: c_int
      real(8), intent(out) :: to(*)
      real(8), intent(in) :: x(*), y(*), a(*), b(*)
      integer(c_int), value :: n
    end subroutine
    ! to = x * y + z of integers
    subroutine simd_int_multiply_add(to, x, y, z, n) bind(C, name="psim_simd_int_multiply_add")
      import :: c_int, c_int64_t
      integer(c_int64_t), intent(out) :: to(*)
      integer(c_int64_t), intent(in) :: x(*), y(*), z(*)
      integer(c_int), value :: n
    end subroutine
    ! to = x * y + z of n pairs of singles
    subroutine simd_pair_multiply_add(to, x, y, z, n) bind(C, name="psim_simd_pair_multiply_add")
      import :: c_int
      real(4), intent(out) :: to(*)
      real(4), intent(in) :: x(*), y(*), z(*)
      integer(c_int), value :: n
    end subroutine
    ! waits until at most count transfers are outstanding: 0 to 4, 8 or 12, else 0
    subroutine simd_wait(count) bind(C, name="psim_simd_wait")
      import :: c_int
      integer(c_int), value :: count
    end subroutine
  end interface

  interface simd_all
    module procedure simd_all_4, simd_all_8
  end interface

contains

  ! Byte `offset` of every PE's buffer memory
  pure integer(c_int64_t) function simd_all_8(offset)
    integer(c_int64_t), intent(in) :: offset
    simd_all_8 = all_base + offset
  end function

  pure integer(c_int64_t) function simd_all_4(offset)
    integer(c_int32_t), intent(in) :: offset
    simd_all_4 = all_base + offset
  end function

  ! Byte `offset` of the memory of PE `pe` (0, 1 ...), for the scalar core
  pure integer(c_int64_t) function simd_pe(pe, offset)
    integer, intent(in) :: pe
    integer, intent(in) :: offset
    simd_pe = all_base + (pe + 1) * pe_stride + offset
  end function

  ! n reals from a window address on, as an array
  function simd_reals(window, n) result(array)
    integer(c_int64_t), intent(in) :: window
    integer, intent(in) :: n
    real(8), pointer, contiguous :: array(:)
    type(c_ptr) :: at
    at = transfer(window, at)
    call c_f_pointer(at, array, [n])
  end function

  ! the same of singles
  function simd_singles(window, n) result(array)
    integer(c_int64_t), intent(in) :: window
    integer, intent(in) :: n
    real(4), pointer, contiguous :: array(:)
    type(c_ptr) :: at
    at = transfer(window, at)
    call c_f_pointer(at, array, [n])
  end function

  ! the same of integers of 32 bits
  function simd_integers(window, n) result(array)
    integer(c_int64_t), intent(in) :: window
    integer, intent(in) :: n
    integer(c_int32_t), pointer, contiguous :: array(:)
    type(c_ptr) :: at
    at = transfer(window, at)
    call c_f_pointer(at, array, [n])
  end function

  ! the same of integers of 64 bits
  function simd_longs(window, n) result(array)
    integer(c_int64_t), intent(in) :: window
    integer, intent(in) :: n
    integer(c_int64_t), pointer, contiguous :: array(:)
    type(c_ptr) :: at
    at = transfer(window, at)
    call c_f_pointer(at, array, [n])
  end function
end module
