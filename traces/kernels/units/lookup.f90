! Tables, choices, integers and pairs of singles in Fortran: psim-record --units select,integer,single,gather.
! Compares the results of all PEs with those of the scalar core.
program lookup
  use iso_c_binding, only: c_int32_t, c_int64_t
  use psim_simd
  implicit none
  integer, parameter :: n = 8
  integer :: pe, k, wrong
  real(8), pointer :: table(:), values(:), least(:)
  real(4), pointer :: singles(:)
  integer(c_int32_t), pointer :: index(:)
  integer(c_int64_t), pointer :: longs(:)

  do pe = 0, simd_pes() - 1 ! table, index, values, least, x of longs, y and x of singles
    table => simd_reals(simd_pe(pe, 0), 32)
    index => simd_integers(simd_pe(pe, 512), n)
    longs => simd_longs(simd_pe(pe, 1024), n)
    singles => simd_singles(simd_pe(pe, 2048), 2 * n)
    table = [(100d0 * pe + k, k = 1, 32)]
    index = [(mod(5 * k + pe, 32), k = 1, n)]
    longs = [(int(k - pe, c_int64_t), k = 1, n)]
    singles = [(0.5 * k + pe, k = 1, 2 * n)]
  end do
  call simd_on()
  call simd_gather(simd_reals(simd_all(600), n), simd_reals(simd_all(0), 32), simd_integers(simd_all(512), n), n)
  call simd_choose_less(simd_reals(simd_all(704), n), simd_reals(simd_all(600), n), simd_reals(simd_all(8), n), &
                        simd_reals(simd_all(600), n), simd_reals(simd_all(8), n), n)
  call simd_int_multiply_add(simd_longs(simd_all(1200), n), simd_longs(simd_all(1024), n), &
                             simd_longs(simd_all(1024), n), simd_longs(simd_all(1024), n), n)
  call simd_pair_multiply_add(simd_singles(simd_all(2304), 2 * n), simd_singles(simd_all(2048), 2 * n), &
                              simd_singles(simd_all(2048), 2 * n), simd_singles(simd_all(2048), 2 * n), n)
  call simd_scatter(simd_reals(simd_all(3072), 32), simd_integers(simd_all(512), n), simd_reals(simd_all(600), n), n)
  call simd_off()
  wrong = 0
  do pe = 0, simd_pes() - 1
    table => simd_reals(simd_pe(pe, 0), 32)
    index => simd_integers(simd_pe(pe, 512), n)
    values => simd_reals(simd_pe(pe, 600), n)
    least => simd_reals(simd_pe(pe, 704), n)
    wrong = wrong + count(values /= table(index + 1)) + count(least /= min(values, table(2:n + 1)))
    table => simd_reals(simd_pe(pe, 3072), 32)
    wrong = wrong + count(table(index + 1) /= values)
    longs => simd_longs(simd_pe(pe, 1200), n)
    wrong = wrong + count(longs /= [(int((k - pe) * (k - pe) + k - pe, c_int64_t), k = 1, n)])
    singles => simd_singles(simd_pe(pe, 2304), 2 * n)
    wrong = wrong + count(singles /= [((0.5 * k + pe) ** 2 + (0.5 * k + pe), k = 1, 2 * n)])
  end do
  print '(a, i0, a)', 'lookup: ', wrong, ' wrong'
end program
