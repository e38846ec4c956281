import { valueAt } from '../../../data/index.ts'
import { testsField, type AnyField } from '../../../plan/index.ts'
import type { Counters } from './counters.ts'
import { narrowRows } from './mask.ts'
import type { Predicate } from './predicate.ts'
import { ColumnTest } from './test-column.ts'

/**
 * Makes the predicate of an `AnyField` condition: at least one field with a matching name passes the test. A missing
 * field never passes.
 */
export function anyField(expr: AnyField, counters: Counters): Predicate {
  const test = new ColumnTest(expr.test, counters)
  return {
    narrow: (frame, mask) => {
      const found = new Uint32Array(mask.length)
      for (const name of frame.names) {
        if (!testsField(expr, name)) continue
        const column = frame.column(name)
        const remaining = mask.slice()
        for (let i = 0; i < remaining.length; i++) remaining[i] &= ~found[i]
        test.narrow(column, remaining)
        if (test.holdsForMissing) narrowRows(remaining, (row) => valueAt(column, row) !== null)
        for (let i = 0; i < remaining.length; i++) found[i] |= remaining[i]
      }
      mask.set(found)
    },
    cost: (frame) => frame.names.length * 100,
  }
}
