! Directives that keep data on a device: the comment on a line is its message.
subroutine twice(n, a, b)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n), b(n)
  integer :: i
  !$omp target data map(to: b) map(tofrom: a)
  !$omp simd ! on the array: 8 at a time; 2 arrays dealt, 0 broadcast, 0 sums; arrays stay in the block of line 6
  do i = 1, n
    a(i) = 2 * b(i)
  end do
  call again ! the scalar core may use what stays in the buffer memories: all is written back
  !$omp end target data
contains
  subroutine again
    !$OMP  Target ENTER data map(to: b) ! no data are kept in the array: each loop transfers
    b = a
  end subroutine
end subroutine
