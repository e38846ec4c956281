import type { Value } from '../../../data/index.ts'
import type { Assembled } from '../cell.ts'
import type { ForeignForm, ForeignValue } from './engine.ts'
import { floatFromComponents, integerFromComponents, type Of } from './sums.ts'
import { extremeOfTexts } from './text-extremes.ts'
import { sumOfTexts } from './text-sums.ts'

type Columns = readonly (readonly ForeignValue[])[]

interface How {
  /** The type in which each part, a result column, arrives; in the order of the parts. */
  readonly forms: readonly ForeignForm[]
  /** Computes the value of a row from its parts. */
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

/** Returns the type in which the part at position `index` arrives from the database. */
export function componentForm(how: Assembled['how'], index: number): ForeignForm {
  return ways[how].forms[index] ?? 'text'
}

/**
 * Returns the position of the part that equals the value except in empty groups; `undefined` when there is none. For a
 * sum with parts count and sum it is the second.
 */
export function equalComponent({ kind, how }: Of): number | undefined {
  return kind === 'sum' && (how === 'whole' || how === 'floats') ? 1 : undefined
}

/** Computes a value for each row from the result columns of its parts. */
export function assemble(of: Of, columns: Columns, rowCount: number): readonly Value[] {
  const { value } = ways[of.how]
  return Array.from({ length: rowCount }, (_, row) =>
    value(
      of,
      columns.map((values) => values[row] ?? null),
    ),
  )
}
