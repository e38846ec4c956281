import type { Value } from '../../../data/index.ts'
import type { Assembled } from '../cell.ts'
import type { ForeignForm, ForeignValue } from './engine.ts'
import { sumOfCloseParts, sumOfParts, type Of } from './sums.ts'
import { extremeOfTexts } from './text-extremes.ts'
import { sumOfTexts } from './text-sums.ts'

type Columns = readonly (readonly ForeignValue[])[]

interface How {
  /** What the parts are read as, in their order. */
  readonly forms: readonly ForeignForm[]
  /** The value of a row of its parts. May throw UnsureSum. */
  readonly value: (of: Of, given: readonly ForeignValue[], columns: Columns) => Value
}

const ways: { readonly [H in Assembled['how']]: How } = {
  parts: { forms: ['int64', 'text', 'text', 'json', 'bool'], value: sumOfParts },
  close: { forms: ['int64', 'double', 'double', 'double', 'double', 'bool'], value: sumOfCloseParts },
  texts: { forms: ['int64', 'text', 'json'], value: sumOfTexts },
  extreme: { forms: ['text', 'json'], value: extremeOfTexts },
  rate: {
    forms: ['int64'],
    value: ({ seconds = 1 }, [count = null]) => (count === null ? null : Number(count) / seconds),
  },
}

/** What the part at that place is read as. */
export function partForm(how: Assembled['how'], place: number): ForeignForm {
  return ways[how].forms[place] ?? 'text'
}

/** The values of all rows, of the result columns that hold their parts. Throws UnsureSum. */
export function assemble(of: Of, columns: Columns, rowCount: number): readonly Value[] {
  const { value } = ways[of.how]
  return Array.from({ length: rowCount }, (_, row) =>
    value(
      of,
      columns.map((values) => values[row] ?? null),
      columns,
    ),
  )
}
