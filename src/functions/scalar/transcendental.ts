import { exp as exponential, log } from '../../data/elementary/index.ts'
import { float } from '../../data/index.ts'
import type { ScalarFunction } from '../definition.ts'
import { doc, numericFunction } from './define.ts'
import { operand } from './numeric.ts'

function onFloat(name: string, apply: (value: number) => number, summary: string): ScalarFunction {
  return numericFunction(
    name,
    [1, 1],
    ([a = null]) => float(apply(Number(operand(a)))),
    doc(summary, `* | math ${name}(duration_ms) as x | fields x | limit 3`, ['a', 'a number']),
  )
}

export const exp = onFloat('exp', exponential, 'e to the power of the number.')
export const ln = onFloat('ln', log, 'The natural logarithm.')
