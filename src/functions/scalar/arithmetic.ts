import { pow as power } from '../../data/elementary/index.ts'
import { float, nearestFloat, type Value } from '../../data/index.ts'
import { doc, numericFunction } from './define.ts'
import { areIntegers, arithmetic, integerResult, operand } from './numeric.ts'

const both = [2, 2] as const
const operands = [['a, b', 'numbers, durations, sizes, times or IPv4 addresses']] as const

export const add = numericFunction(
  'add',
  both,
  arithmetic(
    (a, b) => a + b,
    (a, b) => a + b,
  ),
  doc('The sum; exact for integers.', '* | math duration_ms + 1 as x | fields x | limit 3', ...operands),
)

export const sub = numericFunction(
  'sub',
  both,
  arithmetic(
    (a, b) => a - b,
    (a, b) => a - b,
  ),
  doc(
    'The difference; exact for integers and times.',
    '* | math duration_ms - 1 as x | fields x | limit 3',
    ...operands,
  ),
)

export const mul = numericFunction(
  'mul',
  both,
  arithmetic(
    (a, b) => a * b,
    (a, b) => a * b,
  ),
  doc('The product; exact for integers.', '* | math duration_ms * 1000 as us | fields us | limit 3', ...operands),
)

function divide([left = null, right = null]: readonly Value[]): Value {
  const a = operand(left)
  const b = operand(right)
  if (typeof a === 'number' && typeof b === 'number') return float(a / b)
  if (!areIntegers(a, b) || b === 0 || b === 0n) return float(Number(a) / Number(b))
  const [numerator, denominator] = [BigInt(a), BigInt(b)]
  if (numerator % denominator === 0n) return integerResult(numerator / denominator)
  return denominator < 0n ? nearestFloat(-numerator, -denominator) : nearestFloat(numerator, denominator)
}

export const div = numericFunction(
  'div',
  both,
  divide,
  doc(
    'The quotient; infinite or NaN when the divisor is 0.',
    '* | math duration_ms / 1000 as s | fields s | limit 3',
    ...operands,
  ),
)

export const mod = numericFunction(
  'mod',
  both,
  (args) =>
    operand(args[1] ?? null) === 0
      ? NaN
      : arithmetic(
          (a, b) => a % b,
          (a, b) => a % b,
        )(args),
  doc(
    'The remainder, with the sign of the dividend; NaN when the divisor is 0.',
    '* | math duration_ms % 10 as x | fields x | limit 3',
    ...operands,
  ),
)

export const pow = numericFunction(
  'pow',
  both,
  ([a = null, b = null]) => float(power(Number(operand(a)), Number(operand(b)))),
  doc('The power.', '* | math duration_ms ^ 2 as x | fields x | limit 3', ...operands),
)

export const neg = numericFunction(
  'neg',
  [1, 1],
  ([a = null]) => {
    const value = operand(a)
    return typeof value === 'bigint' ? integerResult(-value) : float(-value)
  },
  doc('The number with its sign turned.', '* | math -duration_ms as x | fields x | limit 3', ['a', 'a number']),
)
