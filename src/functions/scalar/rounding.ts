import { float, roundNumber, type Value } from '../../data/index.ts'
import type { ScalarFunction } from '../definition.ts'
import { doc, numericFunction } from './define.ts'
import { integerResult, operand } from './numeric.ts'

function onFloat(name: string, apply: (value: number) => number, summary: string): ScalarFunction {
  return numericFunction(
    name,
    [1, 1],
    ([a = null]: readonly Value[]) => {
      const value = operand(a)
      return typeof value === 'bigint' ? value : float(apply(value))
    },
    doc(summary, `* | math ${name}(duration_ms) as x | fields x | limit 3`, ['a', 'a number']),
  )
}

export const ceil = onFloat('ceil', Math.ceil, 'The least integer that is not smaller.')
export const floor = onFloat('floor', Math.floor, 'The greatest integer that is not larger.')

export const abs = numericFunction(
  'abs',
  [1, 1],
  ([a = null]) => {
    const value = operand(a)
    return typeof value === 'bigint' ? integerResult(value < 0n ? -value : value) : Math.abs(value)
  },
  doc('The number without its sign.', '* | math abs(duration_ms - 100) as x | fields x | limit 3', ['a', 'a number']),
)

export const round = numericFunction(
  'round',
  [1, 2],
  ([a = null, nearest]) => {
    const step = nearest === undefined ? 1 : Math.abs(Number(operand(nearest)))
    return roundNumber(operand(a), step)
  },
  doc(
    'The nearest multiple of a step, halves away from zero; the step counts as the decimal it is written as.',
    '* | math round(duration_ms, 0.1) as x | fields x | limit 3',
    ['a', 'a number'],
    ['nearest', 'the step; 1 unless given'],
  ),
)
