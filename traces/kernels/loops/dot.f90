! Inner product of two vectors: the loop of a textbook, for psim-fc.
module vectors
  implicit none
contains
  function dot(n, x, y) result(total)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), y(n)
    real(8) :: total
    integer :: i
    total = 0
    !$omp simd reduction(+:total)
    do i = 1, n
      total = total + x(i) * y(i)
    end do
  end function
end module

program main
  use vectors
  use psim_region
  implicit none
  real(8), allocatable :: x(:), y(:)
  real(8) :: total
  character(len=16) :: text
  integer :: n, i
  n = 1000
  if (command_argument_count() > 0) then
    call get_command_argument(1, text)
    read (text, *) n
  end if
  allocate (x(n), y(n))
  do i = 1, n
    x(i) = mod(i, 7) - 3
    y(i) = mod(i, 5) - 1
  end do
  call psim_region_begin("dot")
  total = dot(n, x, y)
  call psim_region_end("dot")
  print '(a, i0, a, f0.0)', "dot ", n, ": ", total
  if (total /= sum(x * y)) stop 1
end program
