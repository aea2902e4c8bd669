/* SPDX-License-Identifier: Apache-2.0 */
/* multiply_files A X Y: writes A times X to the file Y. A is sparse, of any layout; X is dense. */
#include <sparsewright.h>
#include <stdio.h>

static char text[512];
static int say(size_t length) { return fprintf(stderr, "%.*s\n", (int)length, text), 1; }

int main(int argc, char **argv)
{
  spw_owned *a, *x, *csr, *y;
  spw_error e; spw_refusal r; spw_violation v;
  const spw_conversion to = SPW_TO(SPW_CSR);
  if (argc != 4) return fputs("usage: multiply_files A X Y\n", stderr), 2;
  spw_status s = spw_read_file(argv[1], 0, &a, &e);
  if (s == SPW_OK) s = spw_read_file(argv[2], 0, &x, &e);
  if (s != SPW_OK) return say(spw_status_text(s, &e, text, sizeof text));
  s = spw_first_violation(spw_owned_tensor(a), SPW_CANONICAL, &v);
  if (s == SPW_OK && v.rule != SPW_RULE_NONE) return say(spw_violation_text(spw_owned_tensor(a), &v, text, sizeof text));
  if (s == SPW_OK) s = spw_convert_new(spw_owned_tensor(a), &to, 0, &csr, &r);
  if (s == SPW_OK) s = spw_multiply_new(spw_owned_tensor(csr), spw_owned_tensor(x), 0, &y, &r);
  if (s != SPW_OK) return say(spw_refusal_text(NULL, s, &r, text, sizeof text));
  s = spw_write_file(argv[3], spw_owned_tensor(y), &e);
  return s == SPW_OK ? 0 : say(spw_status_text(s, &e, text, sizeof text));
}
