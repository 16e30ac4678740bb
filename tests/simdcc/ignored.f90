! Directives that bring no loop to the array: the comment on a line is its message, and there are no others.
subroutine scaled(n, a, b)
  integer :: n, i
  real(8) :: a(n), b(n)
  !$omp target teams distribute parallel do ! not on the array: 'target teams distribute parallel do' without simd
  do i = 1, n
    a(i) = 2 * b(i)
  end do
  !$OMP Parallel Do & ! not on the array: 'parallel do' without simd, expected 'parallel do simd'
  !$OMP & schedule(static)
  do i = 1, n
    a(i) = 3 * b(i)
  end do
  !$omp parallel do simd
  do i = 1, n
    a(i) = 4 * b(i) ! on the array
  end do
contains
  subroutine uncalled(n)
    integer :: n, i
    !$omp simd ! not on the array: it never runs
    do i = 1, n
      a(i) = 2 * b(i)
    end do
  end subroutine
end subroutine
