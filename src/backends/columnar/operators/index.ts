import type { OperatorTable } from '../operator.ts'
import { aggregateOperator } from './aggregate.ts'
import { applyOperator } from './apply.ts'
import { dropOperator, extendOperator, projectOperator, renameOperator } from './columns.ts'
import { distinctOperator } from './distinct.ts'
import { filterOperator } from './filter.ts'
import { joinOperator } from './join.ts'
import { limitByOperator } from './limit-by.ts'
import { limitOperator } from './limit.ts'
import { sampleOperator } from './sample.ts'
import { scanOperator } from './scan.ts'
import { sortOperator } from './sort.ts'
import { tableApplyOperator } from './table-apply.ts'
import { unionOperator } from './union.ts'
import { valuesOperator } from './values.ts'
import { windowOperator } from './window.ts'

/** The operator of each plan node. A node without an operator is a compile error. */
export const operators: OperatorTable = {
  scan: scanOperator,
  values: valuesOperator,
  filter: filterOperator,
  project: projectOperator,
  drop: dropOperator,
  rename: renameOperator,
  extend: extendOperator,
  aggregate: aggregateOperator,
  sort: sortOperator,
  limit: limitOperator,
  'limit-by': limitByOperator,
  distinct: distinctOperator,
  join: joinOperator,
  union: unionOperator,
  sample: sampleOperator,
  window: windowOperator,
  apply: applyOperator,
  'table-apply': tableApplyOperator,
}
