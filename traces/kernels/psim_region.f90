! Marks a region of interest in a Fortran program (see psim_region.h):
!
!     use psim_region
!     call psim_region_begin("dgemm")
!     ...
!     call psim_region_end("dgemm")
!
! Compile with this file and psim_region.c. Trailing blanks of a name are ignored.
module psim_region
  use iso_c_binding, only: c_char, c_int
  implicit none
  private
  public :: psim_region_begin, psim_region_end

  interface
    subroutine begin_c(name, length) bind(C, name="psim_region_begin_c")
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), value :: length
    end subroutine
    subroutine end_c(name, length) bind(C, name="psim_region_end_c")
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), value :: length
    end subroutine
  end interface

contains

  subroutine psim_region_begin(name)
    character(len=*), intent(in) :: name
    call begin_c(name, len(name, c_int))
  end subroutine

  subroutine psim_region_end(name)
    character(len=*), intent(in) :: name
    call end_c(name, len(name, c_int))
  end subroutine
end module
