/* SPDX-License-Identifier: Apache-2.0 */
/* Files of tests/cases, as other programs write them, and what the command says of each. */
#define _XOPEN_SOURCE 700

#include "../support/command.h"

#include "../../src/sparsewright.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void enter(void)
{
  char cases[4096], copy[8192];
  cr_assert(realpath("tests/cases", cases), "no tests/cases");
  enter_directory();
  snprintf(copy, sizeof copy, "cp '%s'/* . && chmod u+w *", cases);
  cr_assert(system(copy) == 0);
}

TestSuite(cli_cases, .init = enter, .fini = leave_directory);

Test(cli_cases, other_formats_are_unsupported_by_name)
{
  static const char *const files[][2] = {
      {"m.mat", "it is a .mat file of MATLAB"},
      {"p.pkl", "it is a pickle of Python, and not of torch.save"},
      {"p.parquet", "it is a Parquet file"},
      {"a.arrow", "it is an Arrow file"}};
  write_text("p.pkl", "\x80\x04N.");
  write_text("p.parquet", "PAR1....PAR1");
  write_text("a.arrow", "ARROW1..");
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char arguments[128];
    snprintf(arguments, sizeof arguments, "check --color=never %s", files[i][0]);
    expect(arguments, 3, "out", ": unsupported\n");
    cr_assert(output_has("out", files[i][1]), "%s: %s", files[i][0], read_text("out"));
    snprintf(arguments, sizeof arguments, "check --json %s", files[i][0]);
    expect(arguments, 3, "out", "\"kind\": \"unsupported\"");
  }
  expect("check other.txt", 3, "out", "malformed");
}

Test(cli_cases, files_of_torch_are_read_by_place)
{
  expect("check t_coo.pt t_csr.pt t_csr_legacy.pt t_bsr_dict.pt", 0, "out",
         "t_bsr_dict.pt:w: valid  bsr 4x4, blocks 2x2, nse 4, int64\n");
  cr_assert(output_has("out", "t_csr_legacy.pt: valid  csr 4x4, nse 5, int64\n"));
  cr_assert(output_has("out", "4 files: 4 valid\n"));
  expect("check --json t_bsr_dict.pt", 0, "out", "\"line\": null, \"path\": \"w\", \"verdict\": \"valid\"");
  expect("info t_bsr_dict.pt:w", 0, "out", "layout       bsr");
  expect("diff t_csr.pt t_csr_legacy.pt", 0, "out", "");
  expect("convert --to=csr t_bsr_dict.pt:w w.npz", 0, "out", "");
  expect("check w.npz", 0, "out", "valid  csr 4x4");
  expect("check t_bsr_dict.pt:v", 3, "out", "not one sparse tensor lies at 'v'; the file holds 1, the first at w");
  expect("check mm_int.mtx:v", 3, "out", "the file is one tensor, and has no part 'v'");
  expect("check nowhere.pt:v", 3, "out", "No such file");
  expect("convert --to=csr w.npz w.pt", 2, "err", ".pt");
}

Test(cli_cases, safetensors_are_read_and_written)
{
  expect("check s.safetensors", 0, "out", "s.safetensors: valid  csr 4x4, nse 5, int64\n");
  expect("diff s.safetensors t_csr.pt", 0, "out", "");
  expect("convert --to=bsr --blocksize=2x2 --certify s.safetensors b.safetensors", 0, "err", "");
  expect("check b.safetensors", 0, "out", "b.safetensors: valid  bsr 4x4, blocks 2x2");
  expect("check s.safetensors:x", 3, "out", "not one sparse tensor lies at 'x'; the file holds 1, the first at ");
  expect("convert --to=dense s.safetensors d.safetensors", 2, "err", "try --to=csr");
  write_bytes("n.safetensors", "\2\0\0\0\0\0\0\0{}", 10);
  expect("check n.safetensors", 3, "out", "it holds no sparse tensor (dense tensors: 0)");
  expect("list formats", 0, "out", ".safetensors");
}

static bool has_hdf5(void)
{
  unsigned version[3];
  return spw_hdf5_version(version);
}

Test(cli_cases, hdf5_is_read_and_written)
{
  if (!has_hdf5()) {
    expect("check a.h5ad", 3, "out", "there is no libhdf5");
    return;
  }
  expect("check a.h5ad", 0, "out", "a.h5ad:X: valid  csr 4x4, nse 5, int32\n");
  expect("check b.bsp.h5", 0, "out", "b.bsp.h5: valid  csr 4x4, nse 5, int32\n");
  expect("diff a.h5ad:X b.bsp.h5", 0, "out", "");
  expect("convert --to=coo --certify a.h5ad c.bsp.h5", 0, "err", "");
  expect("check c.bsp.h5", 0, "out", "c.bsp.h5: valid  coo 4x4, nse 5");
  expect("convert --to=bsr --blocksize=2x2 a.h5ad c.bsp.h5", 2, "err", "coo, csr and csc only");
  expect("check a.h5ad:Y", 3, "out", "not one sparse tensor lies at 'Y'; the file holds 1, the first at X");
  expect("list formats", 0, "out", "HDF5 is read and written by libhdf5");
  cr_assert(system("head -c 3000 a.h5ad > short.h5ad; (head -c 512 /dev/zero; cat a.h5ad) > block.h5ad") == 0);
  expect("check short.h5ad", 3, "out", "libhdf5 cannot open");
  expect("check block.h5ad", 3, "out", "it is an HDF5 file behind a user block");
}

Test(cli_cases, tensors_that_are_large_as_dense_arrays)
{
  expect("check --max-dense-bytes=128 t_csr.pt", 0, "out", "valid");
  expect("check --max-dense-bytes=127 t_csr.pt", 3, "out", "as a dense array it takes 128 bytes, more than the limit of 127");
  expect("check --max-dense-bytes=0 t_csr.pt", 2, "err", "--max-dense-bytes is a number from 1");
  expect("check --max-dense-bytes=1000000000 --json hy_31.spw.json", 3, "out", "\"kind\": \"limit\"");
}

Test(cli_cases, archives_that_are_no_matrix)
{
  cr_assert(system("python3 -c \"import zipfile; zipfile.ZipFile('o.npz', 'w').writestr('x.npy', b'')\"") == 0);
  expect("check o.npz", 3, "out", "o.npz: unsupported\n  format.npy:\n    missing member; this is not a sparse matrix");
}

/* ---- --members, --level ---------------------------------------------------------------------- */

Test(cli_cases, arrays_that_an_option_names)
{
  cr_assert(system("python3 -c \"import zipfile; z = zipfile.ZipFile('n.npz', 'w'); [z.writestr(n + '.npy', "
                   "b'\\x93NUMPY\\1\\0\\x76\\0' + (\\\"{'descr': '<i8', 'fortran_order': False, 'shape': (%d,), }\\\" % len(v))"
                   ".ljust(117).encode() + b'\\n' + b''.join(i.to_bytes(8, 'little') for i in v)) for n, v in "
                   "(('p', [0, 2, 0]), ('c', []), ('q', [0, 1, 3]), ('d', [2, 0, 1]), ('s', [2, 3]))]\"") == 0);
  expect("check n.npz", 3, "out", "n.npz: unsupported");
  expect("check --members=p,c,c n.npz", 1, "out", "5.3");
  expect("check --members=q,d,d,s n.npz", 0, "out", "n.npz: valid  csr 2x3, nse 3, int64\n");
  expect("check --members=csc:q,d,d n.npz", 0, "out", "n.npz: valid  csc 3x2 (inferred), nse 3, int64\n");
  expect("info --members=q,d,d,s n.npz", 0, "out", "layout       csr\n");
  expect("convert --members=q,d,d,s --to=coo n.npz n.mtx", 0, "err", "");
  expect("check n.mtx", 0, "out", "n.mtx: valid  coo 2x3, nse 3, int64\n");
  expect("check --members=q,d,e n.npz", 3, "out", "n.npz: malformed\n  e: the file has no array of this name\n");
  expect("check --members=q,d,e t_csr.pt", 3, "out", "in .safetensors, .npz and HDF5 files only");
  expect("check --members=q,d,e t_csr.pt:x", 3, "out", "with --members a file has no parts as 'x'");
  static const char *const wrong[] = {"q", "q,,d", "q,d,d,s,s", "coo:q,d,d,s", "csr:q,d", ""};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char command[80];
    snprintf(command, sizeof command, "check --members=%s n.npz", wrong[i]);
    expect(command, 2, "err", "--members is CROW,COL,VALUES or INDICES,VALUES, with ,SIZE behind");
  }
}

Test(cli_cases, levels_of_npz)
{
  expect("convert --level=0 mm_int.mtx stored.npz", 0, "err", "");
  expect("convert --level=9 mm_int.mtx small.npz", 0, "err", "");
  expect("diff stored.npz small.npz", 0, "out", "");
  cr_assert(system("test $(wc -c < small.npz) -lt $(wc -c < stored.npz)") == 0);
  expect("convert --level=10 mm_int.mtx x.npz", 2, "err", "--level is a number from 0 to 9, not 10");
  expect("convert --level=1 mm_int.mtx x.mtx", 2, "err", "--level is for .npz files");
}

/* ---- Text ------------------------------------------------------------------------------------- */

Test(cli_cases, matrix_market)
{
  expect("check m3_nonnz.mtx", 3, "out", "malformed\n  line 2: the number of entries is missing\n");
  expect("check mm_uint64.mtx", 3, "out", "mm_uint64.mtx: unsupported\n  line 4:\n    the value needs type uint64");
  expect("check m20_zerobased.mtx", 1, "out", "-1 is below 0: the file has 0 there, and Matrix");
  expect("check --json m20_zerobased.mtx", 1, "out", "the file has 0 there, and Matrix Market counts from 1");
  write_text("large.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1e999\n");
  write_text("large.spw.json",
             "{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"float64\",\"shape\":[1],\"data\":[1e999]}}");
  expect("check large.mtx", 3, "out", "beyond the largest number of type float64");
  expect("check large.spw.json", 3, "out", "malformed");
  write_text("further.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n-1 1 1\n");
  expect("check further.mtx", 1, "out", "-2 is below 0\n");
}

Test(cli_cases, an_array_file_is_dense)
{
  expect("check mm_array.mtx", 0, "out", "mm_array.mtx: valid  dense 4x4, float64\n");
  expect("convert --to=csr mm_array.mtx csr.spw.json", 0, "err", "");
  expect("multiply csr.spw.json mm_array.mtx", 0, "out", "\"layout\":\"dense\"");
  expect("multiply mm_array.mtx csr.spw.json", 0, "out", "\"shape\":[4,4]");
  expect("diff csr.spw.json mm_array.mtx", 0, "out", "");
}

Test(cli_cases, numbers_that_are_not_json)
{
  static const char *const words[][2] = {{"NaN", "write \"nan\" in quotes"},
                                         {"Infinity", "write \"inf\" in quotes"},
                                         {"-Infinity", "write \"-inf\" in quotes"},
                                         {"nan", "write \"nan\" in quotes"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    char text[256];
    snprintf(text, sizeof text, "{\"spw\": 1, \"layout\": \"dense\", \"values\": {\"dtype\": \"float64\", \"shape\": [2], "
             "\"data\": [1, %s]}}", words[i][0]);
    write_text("n.spw.json", text);
    expect("check n.spw.json", 3, "out", words[i][1]);
  }
  write_text("n.spw.json", "{\"spw\": banana}");
  expect("check n.spw.json", 3, "out", "line 1: invalid token\n");
}

/* ---- What can be mended ---------------------------------------------------------------------- */

Test(cli_cases, a_false_claim_is_withdrawn)
{
  expect("check r22_colmajor.spw.json", 1, "out", "`spw convert --canonicalize IN OUT` sorts the elements");
  expect_refused("convert r22_colmajor.spw.json out.spw.json", 1, "6.7");
  expect("convert --canonicalize r22_colmajor.spw.json out.spw.json", 0, "err", "");
  cr_assert(output_has("out.spw.json", "\"coalesced\":true"));
  cr_assert(output_has("out.spw.json", "\"data\":[0,0,1,1,2,1,2,0,2,1]"), "%s", read_text("out.spw.json"));
  cr_assert(output_has("out.spw.json", "\"data\":[3,5,2,6,4]"));
  expect("check out.spw.json", 0, "out", "valid");
  expect("convert --canonicalize --to=csr --certify r22_colmajor.spw.json csr.npz", 0, "err", "");
  expect("diff out.spw.json csr.npz", 0, "out", "");
}

Test(cli_cases, mixed_index_types)
{
  expect("check npz_mixed_idx.npz", 1, "out", "`spw convert --index=int64 IN OUT` gives all indices one type\n");
  expect_refused("convert npz_mixed_idx.npz out.npz", 1, "--index=int64");
  expect_refused("convert --to=coo npz_mixed_idx.npz out.npz", 1, "--index=int64");
  expect("convert --index=int64 npz_mixed_idx.npz wide.spw.json", 0, "err", "");
  expect("convert --index=int32 --certify npz_mixed_idx.npz narrow.spw.json", 0, "err", "");
  cr_assert(output_has("narrow.spw.json", "\"index_dtype\":\"int32\""));
  cr_assert(output_has("narrow.spw.json", "\"data\":[0,1,3,3,5]") && output_has("narrow.spw.json", "\"data\":[1,0,3,1,2]"));
  expect("diff wide.spw.json narrow.spw.json", 0, "out", "");
  expect_refused("convert --index=int64 --max-memory=16 npz_mixed_idx.npz wide.spw.json", 3, "--max-memory=N");
}

/* Rules behind that of the types still count. */
Test(cli_cases, mixed_index_types_of_an_invalid_tensor)
{
  write_text("bad.spw.json",
             "{\"spw\": 1, \"layout\": \"csr\", \"size\": [2, 2], \"compressed_indices\": {\"dtype\": \"int64\", \"shape\": [3], "
             "\"data\": [0, 1, 1]}, \"plain_indices\": {\"dtype\": \"int32\", \"shape\": [1], \"data\": [7]}, \"values\": "
             "{\"dtype\": \"float64\", \"shape\": [1], \"data\": [1]}}");
  expect_refused("convert --index=int64 bad.spw.json out.spw.json", 1, "7 is not below P = 2 columns");
}

Test(cli_cases, every_command_gives_the_hint)
{
  static const char *const lines[] = {"multiply npz_csr_unsorted_dup.npz x4.npy", "diff npz_csr_unsorted_dup.npz x4.npy",
                                      "reduce sum npz_csr_unsorted_dup.npz", "restructure transpose npz_csr_unsorted_dup.npz",
                                      "elementwise scale --scalar=2 npz_csr_unsorted_dup.npz",
                                      "convert npz_csr_unsorted_dup.npz out.npz"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    spw(lines[i]);
    cr_assert(output_has("err", "`spw convert --canonicalize IN OUT` sorts the rows"), "%s: %s", lines[i], read_text("err"));
  }
  expect("check npz_csr_unsorted_dup.npz", 1, "out", "`spw convert --canonicalize IN OUT` sorts the rows");
  expect("check --level=structure npz_csr_unsorted_dup.npz", 0, "out", "valid");
  expect("check r15_fall.npz", 1, "out", "5.3");
  cr_assert(!output_has("out", "spw convert"), "no conversion mends it: %s", read_text("out"));
}

/* ---- Order that is looked at ----------------------------------------------------------------- */

Test(cli_cases, coo_without_a_claim)
{
  expect("reduce mean mm_int.mtx", 2, "err", "mean does not exist for int64");
  expect("convert mm_array.mtx --to=coo a.mtx", 0, "err", "");
  expect("reduce amax a.mtx", 0, "out", "\"data\":[1.5,2.25,0,7]");
  write_text("again.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n2 2 2\n2 2 3\n");
  expect_refused("reduce amax again.mtx", 2, "amax asks for the claim to be coalesced");
  write_text("turned.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n2 2 1\n1 1 2\n");
  expect_refused("reduce amax turned.mtx", 2, "amax asks for the claim to be coalesced");
}

Test(cli_cases, more_positions_than_int64_numbers)
{
  expect("check r14_coo2d.npz", 1, "out", "PyTorch and conversions number the positions");
  expect("explain 3.11", 0, "out", "SciPy     Takes such a coo_array");
}

/* Only what is kept is looked at. */
Test(cli_cases, duplicates_outside_the_part_taken)
{
  write_text("twice.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 1\n2 2 2\n3 3 3\n3 3 4\n");
  expect("restructure narrow --dim=0 --start=0 --length=2 --duplicates=error twice.mtx", 0, "out", "\"data\":[1,2]");
  expect_refused("restructure narrow --dim=0 --start=1 --length=2 --duplicates=error twice.mtx", 2, "lie at one position");
  expect("explain D4", 0, "out", "select, narrow and");
  expect("restructure --help", 0, "out", "which refuses them where the result\n");
}

/* What SciPy's load_npz takes. */
Test(cli_cases, archives_with_bad_pointers)
{
  expect("check r15_fall.npz", 1, "out", "4000 - 0 = 4000 is more than P = 5 columns");
  expect("check r15_col.npz", 1, "out", "1073741824 is not below P = 5 columns");
  expect("check r15_wrap.npz", 1, "out", "-294967296, but nse is 4");
}

Test(cli_cases, info_counts_times)
{
  expect("info mm_int.mtx", 0, "out", " times the dense array's ");
}

/* Three elements in 2^31 rows: rows that have none cost nothing, but where each is a number of the result. */
Test(cli_cases, rows_without_elements_cost_nothing)
{
  static const char *const cases[] = {"hy_30.spw.json", "hy_31.spw.json"};
  for (int i = 0; i < 2; i++) {
    char line[200];
    snprintf(line, sizeof line, "reduce sum --each=matrix --max-work=10 --max-memory=300 %s", cases[i]);
    expect(line, 0, "out", "\"shape\":[],\"data\":[6]");
    snprintf(line, sizeof line, "reduce sum --dims=all --max-work=10 --max-memory=300 %s", cases[i]);
    expect(line, 0, "out", "\"shape\":[],\"data\":[6]");
    snprintf(line, sizeof line, "reduce sum --dims=1 --max-work=10 --max-memory=500 %s", cases[i]);
    expect(line, 0, "out", "\"data\":[1,5,");
  }
}

Test(cli_cases, memory_that_is_missing_is_named)
{
  expect_refused("reduce sum --each=row --max-work=99999999999 --max-memory=1000000 hy_31.spw.json", 2,
                 "more than the limit of 1000000; --max-memory=");
  expect_refused("reduce sum --each=row hy_30.spw.json", 2, "--max-work=");
}
