import type { Value } from '../../data/index.ts'
import type { ScalarFunction } from '../definition.ts'
import { doc, numericFunction } from './define.ts'
import { integerResult, operand } from './numeric.ts'

/** Truncates a number to an integer and returns its lowest 64 bits. */
function bitsOf(value: number | bigint): bigint | undefined {
  if (typeof value === 'bigint') return BigInt.asUintN(64, value)
  return Number.isFinite(value) ? BigInt.asUintN(64, BigInt(Math.trunc(value))) : undefined
}

function bitwise(name: string, combine: (a: bigint, b: bigint) => bigint, sign: string): ScalarFunction {
  return numericFunction(
    name,
    [2, 2],
    ([left = null, right = null]: readonly Value[]) => {
      const a = bitsOf(operand(left))
      const b = bitsOf(operand(right))
      return a === undefined || b === undefined ? NaN : integerResult(combine(a, b))
    },
    doc(
      `The bits of both numbers, combined by \`${sign}\`, as an unsigned 64-bit integer.`,
      `* | math status ${sign} 15 as x | fields x | limit 3`,
      ['a, b', 'integers'],
    ),
  )
}

export const bitAnd = bitwise('bit_and', (a, b) => a & b, '&')
export const bitOr = bitwise('bit_or', (a, b) => a | b, 'or')
export const bitXor = bitwise('bit_xor', (a, b) => a ^ b, 'xor')
