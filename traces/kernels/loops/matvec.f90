! y = A x by columns, with the directive on the inner loop, for psim-fc: the loop over columns becomes the inner one.
module products
  implicit none
contains
  subroutine matvec(n, a, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n, n), x(n)
    real(8), intent(inout) :: y(n)
    integer :: i, j
    do j = 1, n
      !$omp simd
      do i = 1, n
        y(i) = y(i) + a(i, j) * x(j)
      end do
    end do
  end subroutine
end module

program main
  use products
  use psim_region
  implicit none
  real(8), allocatable :: a(:, :), x(:), y(:)
  character(len=16) :: text
  integer :: n, i, j, wrong
  n = 100
  if (command_argument_count() > 0) then
    call get_command_argument(1, text)
    read (text, *) n
  end if
  if (n < 1 .or. n > 4096) stop 2
  allocate (a(n, n), x(n), y(n))
  do j = 1, n
    x(j) = mod(j, 3)
    y(j) = 0
    do i = 1, n
      a(i, j) = mod(i + 3 * j, 7) - 3
    end do
  end do
  call psim_region_begin("matvec")
  call matvec(n, a, x, y)
  call psim_region_end("matvec")
  wrong = count(y /= matmul(a, x))
  print '(a, i0, a, i0, a)', "matvec ", n, ": ", wrong, " elements wrong"
  if (wrong > 0) stop 1
end program
