import { valueAt } from '../../../data/index.ts'
import { looksAt, type AnyField } from '../../../plan/index.ts'
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
        if (!looksAt(expr, name)) continue
        const column = frame.column(name)
        const part = mask.slice()
        for (let i = 0; i < part.length; i++) part[i] &= ~found[i]
        test.narrow(column, part)
        if (test.holdsForMissing) narrowRows(part, (row) => valueAt(column, row) !== null)
        for (let i = 0; i < part.length; i++) found[i] |= part[i]
      }
      mask.set(found)
    },
    cost: (frame) => frame.names.length * 100,
  }
}
