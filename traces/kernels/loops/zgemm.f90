! Complex C = A B: the three loops of a textbook, for psim-fc.
module products
  implicit none
contains
  subroutine zgemm(n, a, b, c)
    integer, intent(in) :: n
    complex(8), intent(in) :: a(n, n), b(n, n)
    complex(8), intent(out) :: c(n, n)
    integer :: i, j, k
    complex(8) :: total
    !$omp simd private(total)
    do j = 1, n
      do i = 1, n
        total = 0
        do k = 1, n
          total = total + a(i, k) * b(k, j)
        end do
        c(i, j) = total
      end do
    end do
  end subroutine
end module

program main
  use products
  use psim_region
  implicit none
  complex(8), allocatable :: a(:, :), b(:, :), c(:, :)
  character(len=16) :: text
  integer :: n, i, j, wrong
  n = 48
  if (command_argument_count() > 0) then
    call get_command_argument(1, text)
    read (text, *) n
  end if
  if (n < 1 .or. n > 4096) stop 2
  allocate (a(n, n), b(n, n), c(n, n))
  do j = 1, n ! small integers: every order of the sums has the same result
    do i = 1, n
      a(i, j) = cmplx(mod(i + 2 * j, 7) - 3, mod(3 * i + j, 5) - 2, 8)
      b(i, j) = cmplx(mod(2 * i + j, 5) - 2, mod(i + 4 * j, 7) - 3, 8)
    end do
  end do
  call psim_region_begin("zgemm")
  call zgemm(n, a, b, c)
  call psim_region_end("zgemm")
  wrong = count(c /= matmul(a, b))
  print '(a, i0, a, i0, a)', "zgemm ", n, ": ", wrong, " elements wrong"
  if (wrong > 0) stop 1
end program
