import type { Value } from '../../../data/index.ts'
import type { Assembled } from '../cell.ts'
import type { ForeignForm, ForeignValue } from './engine.ts'
import { floatOfParts, wholeOfParts, type Of } from './sums.ts'
import { extremeOfTexts } from './text-extremes.ts'
import { sumOfTexts } from './text-sums.ts'

type Columns = readonly (readonly ForeignValue[])[]

interface How {
  /** What the parts are read as, in their order. */
  readonly forms: readonly ForeignForm[]
  /** The value of a row of its parts. */
  readonly value: (of: Of, given: readonly ForeignValue[]) => Value
}

const ways: { readonly [H in Assembled['how']]: How } = {
  whole: { forms: ['int64', 'text'], value: wholeOfParts },
  floats: { forms: ['int64', 'double'], value: floatOfParts },
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

/** The place of the part that is the value itself, unless the group is empty. */
export function wholePart({ kind, how }: Of): number | undefined {
  return kind === 'sum' && (how === 'whole' || how === 'floats') ? 1 : undefined
}

/** The values of all rows, of the result columns that hold their parts. */
export function assemble(of: Of, columns: Columns, rowCount: number): readonly Value[] {
  const { value } = ways[of.how]
  return Array.from({ length: rowCount }, (_, row) =>
    value(
      of,
      columns.map((values) => values[row] ?? null),
    ),
  )
}
