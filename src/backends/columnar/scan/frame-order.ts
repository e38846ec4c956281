import { present, checkpoint, type Meter } from '../../../base/index.ts'
import { compareText, gatherCodes } from '../../../data/index.ts'
import type { Sort } from '../../../plan/index.ts'
import type { ExecContext } from '../context.ts'
import type { Frame } from '../frame.ts'
import { columnComparer, rowsInOrder, sortedOrder, type RowComparer } from '../keys/sort-keys.ts'
import { candidatesByColumn } from './top-candidates.ts'

/**
 * Returns the direction of a sort by all fields: a sort without keys, or one whose only key is all columns. `undefined`
 * for other sorts.
 */
export function directionOfAll(keys: Sort['keys']): 'asc' | 'desc' | undefined {
  const [first] = keys
  if (first === undefined) return 'asc'
  return first.expr.kind === 'columns' ? first.direction : undefined
}

/** Returns one comparer of rows for each sort key. Memory held by the comparers is charged to `meter`. */
export function frameComparers(
  frame: Frame,
  keys: Sort['keys'],
  context: ExecContext,
  meter: Pick<Meter, 'charge'> = context.query.budget,
): readonly RowComparer[] {
  const byAll = directionOfAll(keys)
  const comparers: RowComparer[] = []
  if (byAll !== undefined) {
    for (const name of frame.names.toSorted(compareText)) {
      comparers.push(columnComparer(frame.column(name), byAll, meter))
      checkpoint()
    }
    return comparers
  }
  for (const key of keys) {
    comparers.push(columnComparer(context.compiler.expr(key.expr)(frame), key.direction, meter))
    checkpoint()
  }
  return comparers
}

/** Returns the row numbers of a frame in the order of the sort keys. Rows with equal keys keep their order. */
export function orderByKeys(
  frame: Frame,
  keys: Sort['keys'],
  context: ExecContext,
  meter?: Pick<Meter, 'charge'>,
): Uint32Array {
  return sortedOrder(frame.rowCount, frameComparers(frame, keys, context, meter))
}

/**
 * Returns the rows that may be among the first `keep` by these sort keys, judged by the first key only; all rows if the
 * first key excludes none.
 */
export function topCandidates(frame: Frame, keys: Sort['keys'], keep: number, context: ExecContext): Uint32Array {
  const first = present(keys[0], 'the first key')
  const column = context.compiler.expr(first.expr)(frame)
  return candidatesByColumn(column, first.direction, keep) ?? rowsInOrder(frame.rowCount)
}

/** Returns the row numbers of the first `keep` rows of a frame, in the order of the sort keys. */
export function firstRows(
  frame: Frame,
  keys: Sort['keys'],
  keep: number,
  context: ExecContext,
  meter?: Pick<Meter, 'charge'>,
): Uint32Array {
  const some = topCandidates(frame, keys, keep, context)
  const order = orderByKeys(frame.take(some), keys, context, meter)
  return gatherCodes(some, order.subarray(0, keep))
}
