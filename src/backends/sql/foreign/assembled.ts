import type { Value } from '../../../data/index.ts'
import type { Assembled } from '../cell.ts'
import type { ForeignForm, ForeignValue } from './engine.ts'
import { floatOfParts, wholeOfParts, type Of } from './sums.ts'
import { extremeOfTexts } from './text-extremes.ts'
import { sumOfTexts } from './text-sums.ts'

type Columns = readonly (readonly ForeignValue[])[]

interface How {
  /** The representation of each part, in their order. */
  readonly forms: readonly ForeignForm[]
  /** Computes the value of a row from the values of its parts. */
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

/** Returns the representation of the part at a position. */
export function partForm(how: Assembled['how'], place: number): ForeignForm {
  return ways[how].forms[place] ?? 'text'
}

/**
 * Returns the position of the part that alone is the value, except in an empty group, such as the sum beside its count.
 */
export function wholePart({ kind, how }: Of): number | undefined {
  return kind === 'sum' && (how === 'whole' || how === 'floats') ? 1 : undefined
}

/** Computes the values of all rows from the result columns of the parts. */
export function assemble(of: Of, columns: Columns, rowCount: number): readonly Value[] {
  const { value } = ways[of.how]
  return Array.from({ length: rowCount }, (_, row) =>
    value(
      of,
      columns.map((values) => values[row] ?? null),
    ),
  )
}
