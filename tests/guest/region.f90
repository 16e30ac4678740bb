! Regions of interest from Fortran: the second holds the first.
program region
  use psim_region
  implicit none
  integer :: i
  real(8) :: s
  s = 0
  call psim_region_begin('outer')
  do i = 1, 100
    s = s + 1d0/i
  end do
  call psim_region_begin('inner ')
  do i = 1, 10
    s = s*0.5d0
  end do
  call psim_region_end('inner')
  call psim_region_end('outer')
  print '(f12.9)', s
end program
