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
    !$OMP  Target ENTER data map(to: b) ! 'b' does not stay in the array: expected target exit data for it
    b = a
  end subroutine
end subroutine

! Members, continued lines, and a region between enter and exit.
subroutine between(n, f, c)
  type :: field
    real(8), allocatable :: v(:)
  end type
  integer, intent(in) :: n
  type(field), intent(inout) :: f
  real(8), intent(inout) :: c(n)
  integer :: i
  !$omp target enter data map(to: &
  !$omp& f%v)
  if (n > 0) then
    !$omp simd ! on the array: 8 at a time; 2 arrays dealt, 0 broadcast, 0 sums; 1 array stays in the block of line 29
    do i = 1, n
      f%v(i) = 2 * c(i)
    end do
  end if
  !$omp target exit data map(from: f%v)
end subroutine
