import type { TableKernel } from '../../../functions/index.ts'
import type { TableApply } from '../../../plan/index.ts'
import type { OperatorFactory } from '../operator.ts'
import { blockStatsOperator } from './block-stats.ts'
import { blocksCountOperator } from './blocks-count.ts'
import { queryStatsOperator } from './query-stats.ts'
import { windowApplyOperator } from './window.ts'

/**
 * The operators of table functions that need special code: functions about segments and block reads, and functions that
 * are computed on columns.
 */
export const physicalOperators: { readonly [K in TableKernel]: OperatorFactory<TableApply> } = {
  'block-stats': blockStatsOperator,
  'blocks-count': blocksCountOperator,
  'query-stats': queryStatsOperator,
  window: windowApplyOperator,
}
