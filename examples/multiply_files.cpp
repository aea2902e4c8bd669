// SPDX-License-Identifier: Apache-2.0
// multiply_files A X Y: writes A times X to the file Y. A is sparse, of any layout; X is dense.
#include <sparsewright.h>
#include <iostream>
#include <memory>
#include <string>

int main(int argc, char **argv) try {
  using tensor = std::unique_ptr<spw_owned, decltype(&spw_owned_free)>;
  spw_error e; spw_refusal r; spw_violation v; spw_owned *t = nullptr; char text[512];
  const spw_conversion to = SPW_TO(SPW_CSR);
  auto said = [&](size_t) { return std::string(text); };
  auto of_file = [&](spw_status s) { if (s != SPW_OK) throw said(spw_status_text(s, &e, text, sizeof text)); };
  auto of_call = [&](spw_status s) { if (s != SPW_OK) throw said(spw_refusal_text(NULL, s, &r, text, sizeof text)); };
  auto own = [&] { return tensor(t, spw_owned_free); };
  if (argc != 4) throw std::string("usage: multiply_files A X Y");
  of_file(spw_read_file(argv[1], 0, &t, &e)); const tensor a = own();
  of_file(spw_read_file(argv[2], 0, &t, &e)); const tensor x = own();
  of_call(spw_first_violation(spw_owned_tensor(a.get()), SPW_CANONICAL, &v));
  if (v.rule != SPW_RULE_NONE) throw said(spw_violation_text(spw_owned_tensor(a.get()), &v, text, sizeof text));
  of_call(spw_convert_new(spw_owned_tensor(a.get()), &to, 0, &t, &r)); const tensor csr = own();
  of_call(spw_multiply_new(spw_owned_tensor(csr.get()), spw_owned_tensor(x.get()), 0, &t, &r)); const tensor y = own();
  of_file(spw_write_file(argv[3], spw_owned_tensor(y.get()), &e));
} catch (const std::string &wrong) { return std::cerr << wrong << '\n', 1; }
