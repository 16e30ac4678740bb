! Skeleton of a plane-wave electronic structure code, after the kernel of PHASE as the PSI-SIM paper parallelised it
! (K. Inoue et al., sections 3.2.3 and 3.5.2): products with pseudopotentials, Gram-Schmidt, 3-D FFT, each with its
! own layout of the data, redistributed between them. README.md says what is kept and what is not.
!
!     phase BANDS WAVES PROJECTORS GRID PB PG [cyclic|block [ITERATIONS]] [NAME=VALUE]...
!
!     sums=rows|pairs         a sum over the waves for a block and all of a rank's bands behind it, or for each block of
!                             these alone, as PHASE's Gram-Schmidt has it on few ranks (rows)
!     layouts=two|three       redistributed before and behind the transforms, or Gram-Schmidt too (two)
!
! BANDS bands of WAVES plane waves each, on PB x PG ranks: bands over PB, waves over PG. PROJECTORS pseudopotential
! functions. Transforms have GRID^3 points. Blocks of bands are dealt cyclically, or one long block to each.
! A matrix of waves by bands is stored row by row, its waves dealt to the ranks and, within a rank, to `cores` cores, in all
! products. Seconds are those of a core: models zgemm(m, n, k), C += A B, m x n, k deep; fft(n), 16 transforms
! of n points; fft_lines(n), the same of lines side by side; panel(m, w), LU of a real m x w; rows(k, n), k rows of n
! numbers copied; or, where the machine has none, from the rates zgemm_rate, fft_rate, operations a second, and
! memory_rate, bytes a second, 0 for none, as in hpl.c. `columns`: columns of a product are computed so many
! at once. `block`: the number of bands that Gram-Schmidt takes at once, at first an eighth of a rank's.
module phase_kernel
  use bsim
  use lmpi
  implicit none
  integer, parameter :: dp = kind(1d0), complex_bytes = 16, batch = 16
  integer :: rank, ranks, pb, pg, b, g          ! this rank, and where it is in the grid
  integer :: band_comm, wave_comm               ! ranks with the same waves; with the same bands
  integer :: bands, waves, projectors, grid, width
  logical :: cyclic, in_pairs, three_layouts, has_zgemm, has_fft, has_lines, has_panel, has_rows
  real(dp) :: cores, columns, zgemm_rate, fft_rate, memory_rate, flops
contains
  ! The share of place `at` of `of` in n: the first ones have one more.
  pure integer function share(n, at, of)
    integer, intent(in) :: n, at, of
    share = n / of
    if (at < mod(n, of)) share = share + 1
  end function

  ! Blocks of bands: how many, whose is it, how many bands of mine come behind it.
  integer function blocks()
    blocks = (bands + width - 1) / width
  end function

  integer function owner(block)
    integer, intent(in) :: block
    owner = merge(mod(block, pb), block * pb / blocks(), cyclic)
  end function

  integer function bands_of(block)
    integer, intent(in) :: block
    bands_of = min(width, bands - block * width)
  end function

  integer function mine_behind(block)
    integer, intent(in) :: block
    integer :: i
    mine_behind = 0
    do i = block + 1, blocks() - 1
      if (owner(i) == b) mine_behind = mine_behind + bands_of(i)
    end do
  end function

  integer function my_bands()
    my_bands = mine_behind(-1)
  end function

  ! Seconds of C += A B, m x n, k deep, of complex numbers, for one core.
  real(dp) function zgemm(m, n, k)
    real(dp), intent(in) :: m, n, k
    if (min(m, n, k) <= 0) then
      zgemm = 0
    else if (has_zgemm) then
      zgemm = bsim_time('zgemm', [m, max(n, ceiling(n / max(columns, 1d0)) * columns), k])
    else
      zgemm = 8 * m * n * k / zgemm_rate
    end if
  end function

  ! Half of the operations count if only a triangle of a product m x m is needed; strips of columns are computed, from
  ! the diagonal on.
  pure real(dp) function triangle(m)
    integer, intent(in) :: m
    triangle = (1 + min(1d0, columns / m)) / 2
  end function

  ! A^H B for m and n functions, over my waves: each core takes a part of them, and then the cores' sums are added up,
  ! which costs what the coming of C does, as C is empty here. The longer side goes by rows.
  real(dp) function project(m, n)
    integer, intent(in) :: m, n
    integer :: k
    k = share(waves, g, pg)
    flops = flops + 8 * real(m, dp) * n * k
    project = zgemm(real(max(m, n), dp), real(min(m, n), dp), k / cores)
  end function

  ! The same for one block with itself: the sum is Hermitian.
  real(dp) function project_self(m)
    integer, intent(in) :: m
    project_self = project(m, m) * triangle(m)
    flops = flops - 4 * real(m, dp)**2 * share(waves, g, pg)
  end function

  ! n functions of my waves, each core with some of these, += m functions times coefficients.
  real(dp) function combine(n, m)
    integer, intent(in) :: n, m
    integer :: k
    k = share(waves, g, pg)
    flops = flops + 8 * real(m, dp) * n * k
    combine = zgemm(k / cores, real(n, dp), real(m, dp))
  end function

  ! The same of a block with itself, by a triangle of coefficients.
  real(dp) function combine_self(m)
    integer, intent(in) :: m
    combine_self = combine(m, m) * triangle(m)
    flops = flops - 4 * real(m, dp)**2 * share(waves, g, pg)
  end function

  ! The triangle itself, by Cholesky's factorisation on one core: 4/3 m^3 operations, two real LU. Without a model
  ! nothing, as it is little beside products over thousands of waves; its operations are not counted.
  real(dp) function factorise(m)
    integer, intent(in) :: m
    factorise = 0
    if (has_panel) factorise = 2 * bsim_time('panel', [real(m, dp), real(m, dp)])
  end function

  ! 3-D transforms: 3 grid^2 of `grid` points each. Points of a line follow each other in one direction only; in two
  ! of three, lines are side by side.
  real(dp) function fft(count)
    integer, intent(in) :: count
    real(dp) :: lines, operations
    lines = 3 * real(grid, dp)**2 * count
    operations = 5 * grid * log(real(grid, dp)) / log(2d0)
    flops = flops + lines * operations
    if (has_lines) then
      fft = (bsim_time('fft', [real(grid, dp)]) + 2 * bsim_time('fft_lines', [real(grid, dp)])) / 3
      fft = fft * lines / cores / batch
    else if (has_fft) then
      fft = bsim_time('fft', [real(grid, dp)]) * lines / cores / batch
    else
      fft = lines / cores * operations / fft_rate
    end if
  end function

  subroutine allreduce(numbers, comm)
    integer, intent(in) :: numbers, comm
    if (numbers > 0) call LMPI_Allreduce(LMPI_BOTTOM, LMPI_BOTTOM, numbers, LMPI_DOUBLE_COMPLEX, LMPI_SUM, comm)
  end subroutine

  ! <beta|psi> for all projectors and my bands, summed over the waves; then what it adds to H|psi>.
  subroutine pseudopotential()
    integer :: n
    n = my_bands()
    call bsim_phase('pseudopotential')
    call bsim_add_time(project(projectors, n))
    call allreduce(projectors * n, wave_comm)
    call bsim_add_time(combine(n, projectors))
  end subroutine

  ! My bands, whole: each rank of those with the same bands gets some; transformed there and back; and back again.
  subroutine transforms()
    integer :: n, whole
    n = my_bands()
    whole = share(n, g, pg)
    call redistribute(n, wave_comm, pg)
    call bsim_phase('fft')
    call bsim_add_time(fft(2 * whole))
    call redistribute(n, wave_comm, pg)
  end subroutine

  ! My n bands of my waves copied once: a row of complex numbers for each wave.
  real(dp) function copy(n)
    integer, intent(in) :: n
    integer :: k
    k = share(waves, g, pg)
    copy = 0
    if (n == 0 .or. k == 0) return
    if (has_rows) then
      copy = bsim_time('rows', [real(k, dp), 2 * n / cores])
    else if (memory_rate > 0) then
      copy = 16 * real(k, dp) * 2 * n / memory_rate
    end if
  end function

  ! My n bands of my waves, an equal part to each of the `of` ranks of a communicator: copied into the order of the
  ! messages, and out of them into that of the next layout.
  subroutine redistribute(n, comm, of)
    integer, intent(in) :: n, comm, of
    integer :: part
    call bsim_phase('redistribution')
    part = nint(real(n, dp) * waves / pg / of) ! the mean: everybody's is the same
    call bsim_add_time(copy(n))
    call LMPI_Alltoall(LMPI_BOTTOM, part, LMPI_DOUBLE_COMPLEX, LMPI_BOTTOM, part, LMPI_DOUBLE_COMPLEX, comm)
    call bsim_add_time(copy(n))
  end subroutine

  ! Block by block: its owners make it orthonormal and send it to all with the same waves, who subtract from the bands
  ! behind it what they have of it.
  subroutine gram_schmidt()
    integer :: i, n, k, m
    k = share(waves, g, pg)
    if (three_layouts) call redistribute(my_bands(), band_comm, pb)
    call bsim_phase('Gram-Schmidt')
    do i = 0, blocks() - 1
      m = bands_of(i)
      if (owner(i) == b) then
        call bsim_add_time(project_self(m))
        call allreduce(m * m, wave_comm)
        call bsim_add_time(factorise(m) + combine_self(m))
      end if
      if (pb > 1) call LMPI_Bcast(LMPI_BOTTOM, k * m, LMPI_DOUBLE_COMPLEX, owner(i), band_comm)
      n = mine_behind(i)
      call bsim_add_time(project(m, n))
      call sum_up(i, m, n)
      call bsim_add_time(combine(n, m))
    end do
    if (three_layouts) call redistribute(my_bands(), band_comm, pb)
  end subroutine

  ! The products of the m bands of a block with my n bands behind it, over the waves.
  subroutine sum_up(block, m, n)
    integer, intent(in) :: block, m, n
    integer :: i
    if (.not. in_pairs) then
      call allreduce(m * n, wave_comm)
      return
    end if
    do i = block + 1, blocks() - 1
      if (owner(i) == b) call allreduce(m * bands_of(i), wave_comm)
    end do
  end subroutine
end module

program phase
  use phase_kernel
  implicit none
  integer :: i, iterations
  real(dp) :: start, seconds, all

  call LMPI_Init()
  call LMPI_Comm_rank(LMPI_COMM_WORLD, rank)
  call LMPI_Comm_size(LMPI_COMM_WORLD, ranks)
  call arguments()
  ! Neighbours have the same bands: redistribution and sums over the waves stay near.
  b = rank / pg
  g = mod(rank, pg)
  call LMPI_Comm_split(LMPI_COMM_WORLD, g, b, band_comm)
  call LMPI_Comm_split(LMPI_COMM_WORLD, b, g, wave_comm)
  cores = bsim_parameter('cores', 1d0)
  columns = bsim_parameter('columns', 0d0)
  zgemm_rate = bsim_parameter('zgemm_rate', 1d9)
  fft_rate = bsim_parameter('fft_rate', 1d9)
  memory_rate = bsim_parameter('memory_rate', 0d0)
  width = int(bsim_parameter('block', real(max(1, bands / (8 * pb)), dp)))
  has_zgemm = bsim_has_model('zgemm')
  has_fft = bsim_has_model('fft')
  has_lines = has_fft .and. bsim_has_model('fft_lines')
  has_panel = bsim_has_model('panel')
  has_rows = bsim_has_model('rows')
  flops = 0
  call LMPI_Barrier(LMPI_COMM_WORLD)
  start = LMPI_Wtime()
  do i = 1, iterations
    call pseudopotential()
    call transforms()
    call gram_schmidt()
  end do
  call bsim_phase('')
  call bsim_flops(flops)
  call LMPI_Barrier(LMPI_COMM_WORLD)
  seconds = LMPI_Wtime() - start
  call LMPI_Reduce(flops, all, 1, LMPI_DOUBLE_PRECISION, LMPI_SUM, 0, LMPI_COMM_WORLD)
  if (rank == 0) print '(a, i0, a, g0.6, a, g0.4, a)', 'phase ', bands, ' bands: ', seconds, ' s, ', &
    all / seconds / 1d9, ' GFlop/s'
  call LMPI_Finalize()
contains
  subroutine arguments()
    character(len=32) :: text
    integer :: numbers(6), j, status
    iterations = 1
    cyclic = .true.
    in_pairs = .false.
    three_layouts = .false.
    if (command_argument_count() < 6) call usage()
    do j = 1, 6
      call get_command_argument(j, text)
      read (text, *, iostat=status) numbers(j)
      if (status /= 0) call usage()
    end do
    if (any(numbers < 1)) call usage()
    bands = numbers(1); waves = numbers(2); projectors = numbers(3); grid = numbers(4); pb = numbers(5); pg = numbers(6)
    if (pb * pg /= ranks) then
      if (rank == 0) print '(a, i0, a, i0, a, i0)', 'phase: a grid of ', pb, ' x ', pg, ' is not for ranks: ', ranks
      stop 1
    end if
    do j = 7, command_argument_count()
      call get_command_argument(j, text)
      call option(text, j)
    end do
  end subroutine

  subroutine option(text, place)
    character(len=*), intent(in) :: text
    integer, intent(in) :: place
    integer :: status
    select case (text)
    case ('sums=rows', 'sums=pairs')
      in_pairs = text == 'sums=pairs'
    case ('layouts=two', 'layouts=three')
      three_layouts = text == 'layouts=three'
    case ('cyclic', 'block')
      if (place /= 7) call usage()
      cyclic = text == 'cyclic'
    case default
      read (text, *, iostat=status) iterations
      if (status /= 0 .or. iterations < 1 .or. place /= 8) call usage()
    end select
  end subroutine

  subroutine usage()
    if (rank == 0) print '(a)', 'phase: expected BANDS WAVES PROJECTORS GRID PB PG [cyclic|block [ITERATIONS]] '// &
      '[sums=rows|pairs] [layouts=two|three]'
    stop 1
  end subroutine
end program
