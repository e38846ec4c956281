import { highWord } from './binary.ts'

/** An angle as an even number of octants (eighths of the circle) plus a remainder. */
export interface Octants {
  readonly octant: number
  readonly rest: number
}

/** The number of fraction bits of 4/π that are needed for the largest doubles. */
const BITS = 1216n
const WORD = 64n
const MASK = (1n << WORD) - 1n

/** Returns arctan(1/n)·2^bits, rounded down. */
function arctanOfInverse(n: bigint, bits: bigint): bigint {
  let term = (1n << bits) / n
  let sum = term
  for (let k = 3n; term !== 0n; k += 2n) {
    term = -term / (n * n)
    sum += term / k
  }
  return sum
}

let knownRatio: bigint | undefined

/** Returns 4/π·2^BITS, rounded down. The result is computed at the first large angle and cached. */
function fourOverPi(): bigint {
  // Machin's formula: π/4 = 4·arctan(1/5) − arctan(1/239), computed with extra bits.
  const spare = 64n
  const bits = BITS + spare
  knownRatio ??= (1n << (bits + BITS)) / (4n * arctanOfInverse(5n, bits) - arctanOfInverse(239n, bits))
  return knownRatio
}

const float = new Float64Array(1)
const word = new BigUint64Array(float.buffer)

/**
 * Splits an angle of at least π/4 into octants and remainder. Of its product with 4/π, only the bits near the binary
 * point are computed, so that the angle may be arbitrarily large.
 */
export function reduceLarge(x: number): Octants {
  const exponent = ((highWord(x) >>> 20) & 0x7ff) - 1075
  float[0] = x
  const significand = ((word[0] ?? 0n) & ((1n << 52n) - 1n)) | (1n << 52n)
  // The 192 bits of 4/π whose product with the significand has its binary point after the third bit.
  const shift = BITS - BigInt(exponent + 61) - 2n * WORD
  const part = (fourOverPi() >> shift) & ((1n << (3n * WORD)) - 1n)
  const product = ((part * significand) >> WORD) & ((1n << (2n * WORD)) - 1n)
  const high = product >> WORD
  const low = product & MASK
  let octant = Number(high >> 61n)
  const bits = ((high << 3n) & MASK) | (low >> 61n)
  const zeros = 64 - bits.toString(2).length
  const fraction = (((bits << BigInt(zeros + 1)) & MASK) | (low >> BigInt(63 - zeros))) >> 12n
  word[0] = fraction | (BigInt(1023 - zeros - 1) << 52n)
  let rest = float[0] ?? 0
  if (octant % 2 === 1) {
    octant = (octant + 1) & 7
    rest--
  }
  return { octant, rest: rest * (Math.PI / 4) }
}
