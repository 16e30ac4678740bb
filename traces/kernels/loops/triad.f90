! a = b + s c: the loop of a textbook, for psim-fc.
module vectors
  implicit none
contains
  subroutine triad(n, a, b, c, s)
    integer, intent(in) :: n
    real(8), intent(out) :: a(n)
    real(8), intent(in) :: b(n), c(n), s
    integer :: i
    !$omp simd
    do i = 1, n
      a(i) = b(i) + s * c(i)
    end do
  end subroutine
end module

program main
  use vectors
  use psim_region
  implicit none
  real(8), allocatable :: a(:), b(:), c(:)
  character(len=16) :: text
  integer :: n, i
  n = 1000
  if (command_argument_count() > 0) then
    call get_command_argument(1, text)
    read (text, *) n
  end if
  allocate (a(n), b(n), c(n))
  a = 0
  do i = 1, n
    b(i) = mod(i, 7) - 3
    c(i) = mod(i, 11) - 5
  end do
  call psim_region_begin("triad")
  call triad(n, a, b, c, 3d0)
  call psim_region_end("triad")
  print '(a, i0, a, i0, a)', "triad ", n, ": ", count(a /= b + 3 * c), " elements wrong"
  if (any(a /= b + 3 * c)) stop 1
end program
