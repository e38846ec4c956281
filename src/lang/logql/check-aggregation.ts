import { MAX_INT64 } from '../../base/index.ts'
import type { RangeAggregation, VectorAggregation } from './ast.ts'
import { logqlDiagnostic } from './diagnostics.ts'
import type { Report } from '../go-scanner/index.ts'

/**
 * Range aggregations of lines, which do not allow `unwrap`. `rate` and `absent_over_time` (`OF_BOTH`) work with and
 * without it.
 */
const OF_LINES: ReadonlySet<string> = new Set(['count_over_time', 'bytes_over_time', 'bytes_rate'])
const OF_BOTH: ReadonlySet<string> = new Set(['rate', 'absent_over_time'])
const GROUPED: ReadonlySet<string> = new Set(
  ['avg', 'max', 'min', 'first', 'last', 'stddev', 'stdvar', 'quantile'].map((name) => `${name}_over_time`),
)
const RANKING: ReadonlySet<string> = new Set(['topk', 'bottomk', 'approx_topk'])

/** A numeric argument as written, and why its value is invalid, if it is. */
interface Written {
  readonly text: string
  readonly valueFault: string | undefined
}

/** Checks the parameter, the grouping and `unwrap` of a range aggregation. Reports the first error. */
export function checkRange(node: RangeAggregation, written: Written | undefined, report: Report): void {
  const { fn: name, unwrap, grouping, span } = node
  const text = written?.text
  if (name === 'quantile_over_time' ? text === undefined : text !== undefined) {
    if (text === undefined) report(logqlDiagnostic('no-parameter', { name }, span))
    else report(logqlDiagnostic('extra-parameter', { name, text, isRange: true }, span))
  } else if (written?.valueFault !== undefined) {
    report(logqlDiagnostic('bad-quantile', { name, text: written.text, fault: written.valueFault }, span))
  } else if (grouping !== undefined && !GROUPED.has(name)) {
    report(logqlDiagnostic('no-grouping', { name }, span))
  } else if (unwrap !== undefined && OF_LINES.has(name)) {
    report(logqlDiagnostic('has-unwrap', { name }, span))
  } else if (unwrap === undefined && !OF_LINES.has(name) && !OF_BOTH.has(name)) {
    report(logqlDiagnostic('needs-unwrap', { name }, span))
  }
}

/** Checks the parameter and the grouping of a vector aggregation. */
export function checkVector(node: VectorAggregation, written: Written | undefined, report: Report): void {
  const text = written?.text
  const { op: name, param, grouping, span } = node
  if (RANKING.has(name)) {
    const isWhole = text !== undefined && /^[0-9]+$/.test(text) && BigInt(text) <= MAX_INT64
    if (text === undefined) report(logqlDiagnostic('no-parameter', { name }, span))
    else if (!isWhole || param === 0) report(logqlDiagnostic('bad-parameter', { name, text, isWhole }, span))
  } else if (text !== undefined) {
    report(logqlDiagnostic('extra-parameter', { name, text, isRange: false }, span))
  }
  if (grouping === undefined) return
  if (name === 'approx_topk') report(logqlDiagnostic('no-grouping', { name }, span))
  if (name === 'sort' || name === 'sort_desc') report(logqlDiagnostic('sort-grouping', { name }, span))
}
