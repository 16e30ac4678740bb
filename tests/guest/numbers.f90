! Formatted output of every kind, internal reads, allocatable arrays, complex numbers.
program numbers
  implicit none
  integer, parameter :: dp = kind(1d0), qp = selected_real_kind(30)
  real(dp), allocatable :: a(:,:), b(:)
  complex(dp) :: z
  character(len=40) :: text, line
  integer :: i, j, n, status
  real(qp) :: q
  n = 6
  allocate(a(n,n), b(n))
  do j = 1, n
    do i = 1, n
      a(i,j) = 1d0/(i + j - 1)
    end do
  end do
  b = matmul(a, [(real(i,dp), i = 1, n)])
  print '(6f12.8)', b
  print *, sum(a), maxval(b), minloc(a(:,2)), count(a > 0.2d0)
  z = (1d0, -2d0)
  z = exp(z)*conjg(z) + sqrt(z)
  print *, z, abs(z)
  q = 1.0_qp/7.0_qp
  write(*,'(a,f36.32,es20.10,g14.5,i8.4,z10,b12,l2)') 'q', q, b(1), b(2), 42, 255, 5, .true.
  write(text,'(f10.4,i6)') 3.14159d0, -17
  read(text,*) b(1), i
  print '(a,1x,f8.4,i5)', trim(adjustl(text)), b(1), i
  line = '12 abc 4.5e3'
  read(line, *, iostat=status) i, text, b(2)
  print *, i, trim(text), b(2), status
  line = 'x'
  read(line, '(i4)', iostat=status) i
  print *, merge('error  ', 'noerror', status /= 0)
  deallocate(a)
  allocate(a(100,100))
  call random_seed(put=[(i*7 + 1, i = 1, 33)])
  call random_number(a)
  print *, all(a >= 0 .and. a < 1), nint(sum(a))/1000
  open(10, file='numbers.bin', form='unformatted', access='stream')
  write(10) b, n
  rewind(10)
  read(10) b, i
  close(10, status='delete')
  print *, i, b(n)
  open(11, file='numbers.txt')
  do i = 1, 50
    write(11,'(i5,f10.3)') i, sqrt(real(i))
  end do
  rewind(11)
  n = 0
  do
    read(11,*,iostat=status) i, b(1)
    if (status /= 0) exit
    n = n + i
  end do
  close(11, status='delete')
  print *, n, fib(20), ieor(z'ff', 15), ishft(1, 20), mod(-7, 3), modulo(-7, 3)
  stop 3
contains
  recursive function fib(k) result(f)
    integer, intent(in) :: k
    integer :: f
    f = k
    if (k > 1) f = fib(k - 1) + fib(k - 2)
  end function
end program
