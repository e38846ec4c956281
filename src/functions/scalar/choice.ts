import { compareNumbers, type Value } from '../../data/index.ts'
import type { ScalarFunction } from '../definition.ts'
import { doc, numericFunction } from './define.ts'
import { operand } from './numeric.ts'

function extreme(name: string, sign: 1 | -1, which: string): ScalarFunction {
  return numericFunction(
    name,
    [2, Infinity],
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
      `The ${which} of the numbers; what is not a number does not count.`,
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
  ([a = null, b = null]) => {
    const value = operand(a)
    return value !== value ? operand(b) : value
  },
  doc(
    'The first number, or the second when the first is not a number.',
    '* | math duration_ms default 0 as ms | fields ms | limit 3',
    ['a, b', 'numbers'],
  ),
)

export const number = numericFunction(
  'number',
  [1, 1],
  ([a = null]) => operand(a),
  doc(
    'The value as a number: a duration in ns, a size in bytes, a time in ns, an IPv4 address as 32 bits; else NaN.',
    '* | math duration_ms as ms | fields ms | limit 3',
    ['a', 'a value'],
  ),
)

/** Random, so calls are neither folded to constants nor compared between backends. */
export const rand: ScalarFunction = {
  ...numericFunction(
    'rand',
    [0, 0],
    () => Math.random(),
    doc('A random number from 0 to 1.', '* | math rand() as r | fields r | limit 3'),
  ),
  volatility: 'per-row',
}
