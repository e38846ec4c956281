import { compareNumbers, type Value } from '../../data/index.ts'
import type { ScalarFunction } from '../definition.ts'
import { doc, numericFunction } from './define.ts'
import { operand } from './numeric.ts'

function extreme(name: string, sign: 1 | -1, which: string): ScalarFunction {
  return numericFunction(
    name,
    [1, Infinity],
    (args: readonly Value[]) => {
      let best: number | bigint = NaN
      for (const arg of args) {
        const value = operand(arg)
        if (value !== value) continue
        if (best !== best || compareNumbers(value, best) * sign < 0) best = value
      }
      return best
    },
    doc(
      `The ${which} of the numbers; what is no number does not count.`,
      `* | math ${name}(duration_ms, 50) as x | fields x | limit 3`,
      ['a, b, …', 'numbers'],
    ),
  )
}

export const min = extreme('min', 1, 'least')
export const max = extreme('max', -1, 'greatest')

export const defaultTo = numericFunction(
  'default',
  [2, 2],
  ([a, b]) => {
    const value = operand(a)
    return value !== value ? operand(b) : value
  },
  doc(
    'The first number, or the second when the first is none.',
    '* | math duration_ms default 0 as ms | fields ms | limit 3',
    ['a, b', 'numbers'],
  ),
)

/** The front end passes the query's "now", so that the function stays a function. */
export const now = numericFunction(
  'now',
  [1, 1],
  ([ns]) => operand(ns),
  doc(
    'The time of the query in nanoseconds since the epoch.',
    '* | math (now() - _time) / 1s as age | fields age | limit 3',
  ),
)
