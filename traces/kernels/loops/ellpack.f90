! A sparse matrix in ELLPACK times a vector, for psim-fc: x(column(i, k)) needs PEs that gather.
module products
  implicit none
  integer, parameter :: width = 8
contains
  subroutine product_of(n, value, column, x, y)
    integer, intent(in) :: n, column(n, width)
    real(8), intent(in) :: value(n, width), x(n)
    real(8), intent(out) :: y(n)
    integer :: i, k
    real(8) :: total
    !$omp simd private(total)
    do i = 1, n
      total = 0
      do k = 1, width
        total = total + value(i, k) * x(column(i, k))
      end do
      y(i) = total
    end do
  end subroutine
end module

program main
  use products
  use psim_region
  implicit none
  real(8), allocatable :: value(:, :), x(:), y(:)
  integer, allocatable :: column(:, :)
  character(len=16) :: text
  integer :: n, i, k, wrong
  n = 1000
  if (command_argument_count() > 0) then
    call get_command_argument(1, text)
    read (text, *) n
  end if
  if (n < 1) stop 2
  allocate (value(n, width), column(n, width), x(n), y(n))
  do i = 1, n
    x(i) = i - 1
    do k = 1, width
      value(i, k) = k
      column(i, k) = mod(i + k - 2, n) + 1
    end do
  end do
  call psim_region_begin("ellpack")
  call product_of(n, value, column, x, y)
  call psim_region_end("ellpack")
  wrong = 0
  do i = 1, n
    if (y(i) /= sum([(k * mod(i + k - 2, n), k = 1, width)])) wrong = wrong + 1
  end do
  print '(a, i0, a, i0, a)', "ellpack ", n, ": ", wrong, " elements wrong"
  if (wrong > 0) stop 1
end program
