import type { JsonValue } from '../../base/index.ts'
import {
  ExactSum,
  lostOfProduct,
  nearestFloat,
  scaledFloat,
  toNumber,
  type ExactSumState,
  type Value,
} from '../../data/index.ts'
import type { Accumulator, MakeAccumulator, StatsFunction } from '../definition.ts'

/** Least exponent that the square of a float can have. */
const SQUARE_EXPONENT = -2150

/** Returns two floats whose exact sum is `value²`. Valid only for magnitudes from 2^-450 to 2^480. */
function squareParts(value: number): readonly [number, number] {
  const high = value * value
  return [high, lostOfProduct(value, value, high)]
}

/** Returns the square root of a quotient. The quotient itself may exceed the range of floats. */
function rootOf(numerator: bigint, denominator: bigint): number {
  const half = Math.trunc((numerator.toString(16).length - denominator.toString(16).length) * 2)
  const scaled =
    half >= 0
      ? nearestFloat(numerator, denominator << BigInt(2 * half))
      : nearestFloat(numerator << BigInt(-2 * half), denominator)
  // Multiplies in two steps, because the power alone may exceed the range of floats.
  const first = Math.trunc(half / 2)
  return Math.sqrt(scaled) * 2 ** first * 2 ** (half - first)
}

/**
 * Stores the count, the sum and the sum of squares, all exactly, so that the result does not depend on the order of
 * rows.
 */
class StddevState implements Accumulator {
  #count = 0
  #sum = new ExactSum()
  #squares = new ExactSum()
  /** Sum of the squares of very small and very large floats, in units of 2^`SQUARE_EXPONENT`. */
  #extremes = 0n

  add(values: readonly Value[]): void {
    for (const value of values) {
      const number = toNumber(value)
      if (number === undefined) continue
      this.#count++
      this.#sum.add(number)
      this.#addSquare(number)
    }
  }

  #addSquare(number: number | bigint): void {
    if (typeof number === 'bigint') {
      this.#squares.add(number ** 2n)
    } else if (Number.isSafeInteger(number)) {
      const square = number * number
      this.#squares.add(Number.isSafeInteger(square) ? square : BigInt(number) ** 2n)
    } else if (Number.isFinite(number)) {
      const size = Math.abs(number)
      if (size > 2 ** -450 && size < 2 ** 480) {
        const [high, low] = squareParts(number)
        this.#squares.addNumber(high)
        this.#squares.addNumber(low)
      } else {
        const { mantissa, exponent } = scaledFloat(number)
        this.#extremes += (mantissa ** 2n) << BigInt(2 * exponent - SQUARE_EXPONENT)
      }
    }
  }

  merge(other: StddevState): void {
    this.#count += other.#count
    this.#sum.merge(other.#sum)
    this.#squares.merge(other.#squares)
    this.#extremes += other.#extremes
  }

  finish(): Value {
    if (this.#count === 0 || this.#sum.hasInfinities) return NaN
    // (n * sum(x²) - sum(x)²) / n², in units of 2^SQUARE_EXPONENT.
    const count = BigInt(this.#count)
    const sum = this.#sum.scaled()
    const squares = this.#squares.scaled()
    const squareSum = (squares.mantissa << BigInt(squares.exponent - SQUARE_EXPONENT)) + this.#extremes
    const sumSquare = (sum.mantissa ** 2n) << BigInt(2 * sum.exponent - SQUARE_EXPONENT)
    return rootOf(count * squareSum - sumSquare, (count ** 2n) << BigInt(-SQUARE_EXPONENT))
  }

  export(): JsonValue {
    return {
      count: this.#count,
      sum: { ...this.#sum.export() },
      squares: { ...this.#squares.export() },
      extremes: String(this.#extremes),
    }
  }

  import(state: JsonValue): void {
    const from = state as unknown as {
      readonly count: number
      readonly sum: ExactSumState
      readonly squares: ExactSumState
      readonly extremes: string
    }
    this.#count = from.count
    this.#sum = ExactSum.import(from.sum)
    this.#squares = ExactSum.import(from.squares)
    this.#extremes = BigInt(from.extremes)
  }
}

export const stddev: StatsFunction = {
  name: 'stddev',
  aliases: [],
  signature: { params: [], minArgs: 1, maxArgs: Infinity },
  returns: () => 'number',
  algebra: 'algebraic',
  isOrderSensitive: false,
  doc: {
    summary: 'The population standard deviation of the numeric values; NaN when there are none.',
    parameters: [{ name: 'field…', text: 'fields whose values count' }],
    examples: [{ query: '* | stats by (workload) stddev(duration_ms) spread_ms' }],
  },
}

export const stddevAccumulator: MakeAccumulator = () => new StddevState()
