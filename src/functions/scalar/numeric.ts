import { MAX_UINT64, MIN_INT64 } from '../../base/index.ts'
import { float, integer, toRangeNumber, type Value } from '../../data/index.ts'

/**
 * Converts an operand of arithmetic to a number: a number, duration, size, time (ns) or IPv4 address. Other values
 * become NaN.
 */
export function operand(value: Value): number | bigint {
  const number = toRangeNumber(value) ?? NaN
  // Rows may contain -0, whose quotients differ from those of 0.
  return number === 0 ? 0 : number
}

/** True if both numbers are integers that are represented exactly. */
export function areIntegers(a: number | bigint, b: number | bigint): boolean {
  return isExact(a) && isExact(b)
}

function isExact(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value) || Math.abs(value) === 2 ** 53
}

/** Returns an integer result: exact within 64 bits, otherwise the nearest float. */
export function integerResult(value: bigint): number | bigint {
  return value >= MIN_INT64 && value <= MAX_UINT64 ? integer(value) : Number(value)
}

/** Computes with exact integers if both operands are integers, else with floats. */
export function arithmetic(
  onIntegers: (a: bigint, b: bigint) => bigint,
  onFloats: (a: number, b: number) => number,
): (args: readonly Value[]) => Value {
  return ([left = null, right = null]) => {
    const a = operand(left)
    const b = operand(right)
    if (typeof a === 'number' && typeof b === 'number') {
      const result = onFloats(a, b)
      // Floats are exact within the range of safe integers.
      if (Math.abs(result) <= 2 ** 52 || !areIntegers(a, b)) return float(result)
    } else if (!areIntegers(a, b)) {
      return float(onFloats(Number(a), Number(b)))
    }
    return integerResult(onIntegers(BigInt(a), BigInt(b)))
  }
}
