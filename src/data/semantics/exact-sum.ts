import { SAFE_INTEGERS } from '../../base/index.ts'
import { float, integer } from '../value.ts'

/**
 * Floats of at least this size are integers, and are added to the integer sum. Smaller floats cannot overflow when
 * added.
 */
const HUGE = 2 ** 960

/** The state of an `ExactSum` as plain JSON data. */
export interface ExactSumState {
  /** The sum of the integers and of floats from `HUGE` on, in decimal. */
  readonly integers: string
  /** Non-overlapping floats whose exact sum is the sum of the smaller floats. */
  readonly partials: readonly number[]
  readonly hasFloats: boolean
  /** 1: +inf was added, 2: -inf was added, 3: both. */
  readonly infinities: number
}

/** An exact rational `mantissa * 2^exponent`. */
export interface Scaled {
  readonly mantissa: bigint
  readonly exponent: number
}

const bits = new DataView(new ArrayBuffer(8))

/** A finite float as an exact rational. */
export function scaledFloat(value: number): Scaled {
  bits.setFloat64(0, value)
  const word = bits.getBigUint64(0)
  const biased = Number((word >> 52n) & 0x7ffn)
  const fraction = word & 0xfffffffffffffn
  const mantissa = biased === 0 ? fraction : fraction | 0x10000000000000n
  return { mantissa: value < 0 ? -mantissa : mantissa, exponent: (biased === 0 ? 1 : biased) - 1075 }
}

/** Returns the float nearest to `numerator / denominator`, ties to even; the denominator must be positive. */
export function nearestFloat(numerator: bigint, denominator: bigint): number {
  if (numerator === 0n) return 0
  const isNegative = numerator < 0n
  const n = isNegative ? -numerator : numerator
  // A shift for which the quotient has 55 or 56 bits, at least two more than a float.
  const wanted = 55 - (bitLength(n) - bitLength(denominator))
  const isTiny = wanted > 1076
  let shift = isTiny ? 1076 : wanted
  const scaledN = shift > 0 ? n << BigInt(shift) : n
  const scaledD = shift < 0 ? denominator << BigInt(-shift) : denominator
  let quotient = scaledN / scaledD
  if (quotient * scaledD !== scaledN) {
    // Sets the lowest bit (sticky bit) if there is a remainder, so that the final rounding is correct.
    quotient = (quotient << 2n) | 1n
    shift += 2
  }
  const value = isTiny ? subnormal(quotient, shift) : scaleDown(Number(quotient), shift)
  return isNegative ? -value : value
}

function bitLength(value: bigint): number {
  const hex = value.toString(16)
  return hex.length * 4 - (Math.clz32(Number.parseInt(hex.charAt(0), 16)) - 28)
}

function scaleDown(value: number, shift: number): number {
  let result = value
  let rest = shift
  while (rest > 1000) {
    result /= 2 ** 1000
    rest -= 1000
  }
  while (rest < -1000) {
    result *= 2 ** 1000
    rest += 1000
  }
  return result / 2 ** rest
}

/** Returns `quotient / 2^shift` rounded to a multiple of 2^-1074, ties to even. */
function subnormal(quotient: bigint, shift: number): number {
  const cut = BigInt(shift - 1074)
  const kept = quotient >> cut
  const rest = quotient - (kept << cut)
  const half = 1n << (cut - 1n)
  const units = rest > half || (rest === half && (kept & 1n) === 1n) ? kept + 1n : kept
  return Number(units) * 2 ** -1074
}

/**
 * A sum that does not depend on the order of its addends: integers and floats are added exactly, and the result is
 * rounded once. Infinities of both signs give NaN. The addends must not be NaN.
 */
export class ExactSum {
  /** The sum of integers below 2^53. It is added to `#big` before it could exceed 2^53. */
  #small = 0
  #big = 0n
  #partials: number[] = []
  #hasFloats = false
  #infinities = 0

  add(value: number | bigint): void {
    if (typeof value === 'number') this.addNumber(value)
    else this.#big += value
  }

  addNumber(value: number): void {
    if (Number.isSafeInteger(value)) {
      const sum = this.#small + value
      if (sum < SAFE_INTEGERS && sum > -SAFE_INTEGERS) {
        this.#small = sum
      } else {
        this.#big += BigInt(this.#small) + BigInt(value)
        this.#small = 0
      }
    } else {
      this.#addFloat(value)
    }
  }

  #addFloat(value: number): void {
    if (value === SAFE_INTEGERS || value === -SAFE_INTEGERS) {
      this.#big += BigInt(value)
      return
    }
    this.#hasFloats = true
    if (value === Infinity || value === -Infinity) this.#infinities |= value > 0 ? 1 : 2
    else if (value >= HUGE || value <= -HUGE) this.#big += BigInt(value)
    else this.#addPartial(value)
  }

  /** Adds a float without loss. Each step replaces two floats by their rounded sum and its rounding error. */
  #addPartial(value: number): void {
    const partials = this.#partials
    let x = value
    let kept = 0
    for (let i = 0; i < partials.length; i++) {
      let y = partials[i] ?? 0
      if (Math.abs(x) < Math.abs(y)) {
        const swap = x
        x = y
        y = swap
      }
      const high = x + y
      const low = y - (high - x)
      if (low !== 0) partials[kept++] = low
      x = high
    }
    partials.length = kept
    if (x >= HUGE || x <= -HUGE) this.#big += BigInt(x)
    else if (x !== 0) partials.push(x)
  }

  merge(other: ExactSum): void {
    this.#big += other.#big
    this.addNumber(other.#small)
    for (const partial of other.#partials) this.#addPartial(partial)
    this.#hasFloats ||= other.#hasFloats
    this.#infinities |= other.#infinities
  }

  /** True if every addend was an integer within ±2^53 or a bigint. */
  get isInteger(): boolean {
    return !this.#hasFloats
  }

  /** Returns the exact sum as an integer if all addends were integers, else the float nearest to the exact sum. */
  value(): number | bigint {
    if (this.#infinities !== 0) return this.#infinities === 3 ? NaN : this.#infinities === 1 ? Infinity : -Infinity
    if (!this.#hasFloats) return integer(this.#big + BigInt(this.#small))
    if (this.#big === 0n && this.#partials.length < 2) return (this.#partials[0] ?? 0) + this.#small
    const { mantissa, exponent } = this.scaled()
    return exponent < 0 ? nearestFloat(mantissa, 1n << BigInt(-exponent)) : Number(mantissa << BigInt(exponent))
  }

  /** Returns the float nearest to the exact mean of `count` addends; `count` must be at least 1. */
  mean(count: number): number {
    if (this.#infinities !== 0) return Number(this.value())
    const sum = this.#hasFloats ? undefined : this.value()
    if (typeof sum === 'number') return float(sum / count)
    const { mantissa, exponent } = this.scaled()
    return float(nearestFloat(mantissa, BigInt(count) << BigInt(-exponent)))
  }

  /** Returns the exact sum of the finite addends as a rational number. */
  scaled(): Scaled {
    const integers = this.#big + BigInt(this.#small)
    const terms = this.#partials.map(scaledFloat)
    const exponent = terms.reduce((least, term) => Math.min(least, term.exponent), 0)
    const mantissa = terms.reduce(
      (sum, term) => sum + (term.mantissa << BigInt(term.exponent - exponent)),
      integers << BigInt(-exponent),
    )
    return { mantissa, exponent }
  }

  get hasInfinities(): boolean {
    return this.#infinities !== 0
  }

  /** Returns the estimated bytes of the state. */
  bytes(): number {
    return 64 + this.#partials.length * 8
  }

  export(): ExactSumState {
    return {
      integers: String(this.#big + BigInt(this.#small)),
      partials: [...this.#partials],
      hasFloats: this.#hasFloats,
      infinities: this.#infinities,
    }
  }

  static import(state: ExactSumState): ExactSum {
    const sum = new ExactSum()
    sum.#big = BigInt(state.integers)
    sum.#partials = [...state.partials]
    sum.#hasFloats = state.hasFloats
    sum.#infinities = state.infinities
    return sum
  }
}
