! Calls of program skeletons in Fortran: docs/programs/bsim.md. The functions are in stubs_fortran.c.
module bsim
  use, intrinsic :: iso_c_binding, only: c_bool, c_char, c_double
  implicit none
  interface
    ! computation: moves the rank's clock on
    subroutine bsim_add_time(seconds) bind(C, name="bsim_f_add_time")
      import :: c_double
      real(c_double), value :: seconds
    end subroutine
    ! seconds that the fitted model of this name gives for its arguments, times the machine's factor
    function bsim_time(model, arguments) bind(C, name="bsim_f_time") result(seconds)
      import :: c_char, c_double
      character(kind=c_char, len=*), intent(in) :: model
      real(c_double), intent(in) :: arguments(:)
      real(c_double) :: seconds
    end function
    ! bsim_add_time of bsim_time
    subroutine bsim_add_model(model, arguments) bind(C, name="bsim_f_add_model")
      import :: c_char, c_double
      character(kind=c_char, len=*), intent(in) :: model
      real(c_double), intent(in) :: arguments(:)
    end subroutine
    ! useful floating-point operations: for the report's Flop/s
    subroutine bsim_flops(count) bind(C, name="bsim_f_flops")
      import :: c_double
      real(c_double), value :: count
    end subroutine
    ! the rank has saved its state: from here it goes on after a failure
    subroutine bsim_checkpoint() bind(C, name="bsim_f_checkpoint")
    end subroutine
    ! from here on the rank is in this phase; '' ends it
    subroutine bsim_phase(name) bind(C, name="bsim_f_phase")
      import :: c_char
      character(kind=c_char, len=*), intent(in) :: name
    end subroutine
    ! a number of the configuration's section [skeleton], or --set; otherwise, where it has none
    function bsim_parameter(name, otherwise) bind(C, name="bsim_f_parameter") result(number)
      import :: c_char, c_double
      character(kind=c_char, len=*), intent(in) :: name
      real(c_double), value :: otherwise
      real(c_double) :: number
    end function
    ! is there a model of this name?
    function bsim_has_model(model) bind(C, name="bsim_f_has_model") result(there)
      import :: c_bool, c_char
      character(kind=c_char, len=*), intent(in) :: model
      logical(c_bool) :: there
    end function
  end interface
end module bsim
