f16.o: src/ops/instances/f16.c src/ops/instances/../values/f16.h \
  src/ops/instances/../values/checks.h \
  src/ops/instances/../values/../../number/half.h \
  src/ops/instances/instance.inc src/ops/instances/../product.h \
  src/ops/instances/../../sparsewright_ops.h \
  src/ops/instances/../../sparsewright_convert.h \
  src/ops/instances/../../sparsewright_core.h \
  src/ops/instances/instances.h src/ops/instances/../../core/names.h \
  src/ops/instances/../../core/each_index_type.h \
  src/ops/instances/../../core/../ops/instances/kernels.inc \
  src/ops/instances/../kernels/finish.inc \
  src/ops/instances/../kernels/../../../spec/acsl/finished.acsl \
  src/ops/instances/../kernels/sums.inc \
  src/ops/instances/../kernels/lanes.inc \
  src/ops/instances/../kernels/../../../spec/acsl/block_lanes.acsl \
  src/ops/instances/../kernels/../../../spec/acsl/times.acsl \
  src/ops/instances/../kernels/../../../spec/acsl/lines_inside.acsl \
  src/ops/instances/../kernels/place.h \
  src/ops/instances/../kernels/../../convert/kernels/times.h \
  src/ops/instances/../kernels/../../convert/kernels/../../../spec/acsl/times.acsl \
  src/ops/instances/../kernels/mv.inc \
  src/ops/instances/../kernels/../../../spec/acsl/inside.acsl \
  src/ops/instances/../kernels/../../../spec/acsl/row_sum.acsl \
  src/ops/instances/../kernels/mm.inc \
  src/ops/instances/../kernels/../../../spec/acsl/cell_sum.acsl \
  src/ops/instances/../kernels/tile.h \
  src/ops/instances/../kernels/bsr_mv.inc \
  src/ops/instances/../kernels/../../../spec/acsl/line_sum.acsl \
  src/ops/instances/../kernels/bsr_mm.inc \
  src/ops/instances/../kernels/../../../spec/acsl/block_cell.acsl \
  src/ops/instances/../kernels/spread.inc \
  src/ops/instances/../kernels/coo_mv.inc \
  src/ops/instances/../kernels/../../../spec/acsl/picked_sum.acsl \
  src/ops/instances/../kernels/coo_mm.inc \
  src/ops/instances/../kernels/../../../spec/acsl/picked_cell.acsl \
  src/ops/instances/../kernels/csc_mv.inc \
  src/ops/instances/../kernels/../../../spec/acsl/spread_sum.acsl \
  src/ops/instances/../kernels/../../../spec/acsl/spread_column.acsl \
  src/ops/instances/../kernels/csc_mm.inc \
  src/ops/instances/../kernels/../../../spec/acsl/spread_cell.acsl \
  src/ops/instances/../kernels/bsc_mm.inc \
  src/ops/instances/../kernels/../../../spec/acsl/spread_blocks.acsl

src/ops/instances/../values/f16.h:

src/ops/instances/../values/checks.h:

src/ops/instances/../values/../../number/half.h:

src/ops/instances/instance.inc:

src/ops/instances/../product.h:

src/ops/instances/../../sparsewright_ops.h:

src/ops/instances/../../sparsewright_convert.h:

src/ops/instances/../../sparsewright_core.h:

src/ops/instances/instances.h:

src/ops/instances/../../core/names.h:

src/ops/instances/../../core/each_index_type.h:

src/ops/instances/../../core/../ops/instances/kernels.inc:

src/ops/instances/../kernels/finish.inc:

src/ops/instances/../kernels/../../../spec/acsl/finished.acsl:

src/ops/instances/../kernels/sums.inc:

src/ops/instances/../kernels/lanes.inc:

src/ops/instances/../kernels/../../../spec/acsl/block_lanes.acsl:

src/ops/instances/../kernels/../../../spec/acsl/times.acsl:

src/ops/instances/../kernels/../../../spec/acsl/lines_inside.acsl:

src/ops/instances/../kernels/place.h:

src/ops/instances/../kernels/../../convert/kernels/times.h:

src/ops/instances/../kernels/../../convert/kernels/../../../spec/acsl/times.acsl:

src/ops/instances/../kernels/mv.inc:

src/ops/instances/../kernels/../../../spec/acsl/inside.acsl:

src/ops/instances/../kernels/../../../spec/acsl/row_sum.acsl:

src/ops/instances/../kernels/mm.inc:

src/ops/instances/../kernels/../../../spec/acsl/cell_sum.acsl:

src/ops/instances/../kernels/tile.h:

src/ops/instances/../kernels/bsr_mv.inc:

src/ops/instances/../kernels/../../../spec/acsl/line_sum.acsl:

src/ops/instances/../kernels/bsr_mm.inc:

src/ops/instances/../kernels/../../../spec/acsl/block_cell.acsl:

src/ops/instances/../kernels/spread.inc:

src/ops/instances/../kernels/coo_mv.inc:

src/ops/instances/../kernels/../../../spec/acsl/picked_sum.acsl:

src/ops/instances/../kernels/coo_mm.inc:

src/ops/instances/../kernels/../../../spec/acsl/picked_cell.acsl:

src/ops/instances/../kernels/csc_mv.inc:

src/ops/instances/../kernels/../../../spec/acsl/spread_sum.acsl:

src/ops/instances/../kernels/../../../spec/acsl/spread_column.acsl:

src/ops/instances/../kernels/csc_mm.inc:

src/ops/instances/../kernels/../../../spec/acsl/spread_cell.acsl:

src/ops/instances/../kernels/bsc_mm.inc:

src/ops/instances/../kernels/../../../spec/acsl/spread_blocks.acsl:
