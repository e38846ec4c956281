import type { Value } from '../../../data/index.ts'
import type { Assembled } from '../cell.ts'
import type { ForeignForm, ForeignValue } from './engine.ts'
import { floatFromComponents, integerFromComponents, type Of } from './sums.ts'
import { extremeOfTexts } from './text-extremes.ts'
import { sumOfTexts } from './text-sums.ts'

type Columns = readonly (readonly ForeignValue[])[]

interface How {
  /** The type in which the database returns each part, in the order of the parts. A part is a result column. */
  readonly forms: readonly ForeignForm[]
  /** Computes the value of a row from the row's parts. */
  readonly value: (of: Of, given: readonly ForeignValue[]) => Value
}

const ways: { readonly [H in Assembled['how']]: How } = {
  whole: { forms: ['int64', 'text'], value: integerFromComponents },
  floats: { forms: ['int64', 'double'], value: floatFromComponents },
  texts: { forms: ['int64', 'text', 'json'], value: sumOfTexts },
  extreme: { forms: ['text', 'json'], value: extremeOfTexts },
  rate: {
    forms: ['int64'],
    value: ({ seconds = 1 }, [count = null]) => (count === null ? null : Number(count) / seconds),
  },
}

/** Returns the type in which the database returns the part at position `index`. */
export function componentForm(how: Assembled['how'], index: number): ForeignForm {
  return ways[how].forms[index] ?? 'text'
}

/**
 * Returns the position of the part that equals the computed value, except in empty groups: of count and sum, the sum.
 * `undefined` if there is no such part.
 */
export function equalComponent({ kind, how }: Of): number | undefined {
  return kind === 'sum' && (how === 'whole' || how === 'floats') ? 1 : undefined
}

/** Computes the value of each row from the result columns of the parts. */
export function assemble(of: Of, columns: Columns, rowCount: number): readonly Value[] {
  const { value } = ways[of.how]
  return Array.from({ length: rowCount }, (_, row) =>
    value(
      of,
      columns.map((values) => values[row] ?? null),
    ),
  )
}
