import { SAFE_INTEGERS } from '../../../base/index.ts'
import { ExactSum, float } from '../../../data/index.ts'
import { quickMean } from '../group/quick-mean.ts'

/** Sums from here on are kept by `ExactSum`, far from overflow. */
const HUGE = 2 ** 900
/** A group got a number that is not an integer within ±2^53: its sum is a float. */
const FLOAT = 1
/** A group's sum is an `ExactSum`. */
const EXACT = 2

/**
 * Sums of floats by group that can be read after every addition. A sum is kept as two floats that are together exactly
 * the true sum, the greater of them being the float nearest to it; a sum that two floats can't hold goes to an `ExactSum`.
 */
export class RunningSums {
  readonly #high: Float64Array
  readonly #low: Float64Array
  readonly #counts: Float64Array
  readonly #flags: Uint8Array
  readonly #exact = new Map<number, ExactSum>()

  constructor(groupCount: number) {
    this.#high = new Float64Array(groupCount)
    this.#low = new Float64Array(groupCount)
    this.#counts = new Float64Array(groupCount)
    this.#flags = new Uint8Array(groupCount)
  }

  /** `value` is not NaN. */
  add(group: number, value: number): void {
    this.#counts[group]++
    let flags = this.#flags[group]
    if (flags >= EXACT) {
      this.#exact.get(group)?.addNumber(value)
      return
    }
    // Each sum of two floats with the error of its rounding.
    const high = this.#high[group]
    const sum = high + value
    const grown = sum - high
    const error = high - (sum - grown) + (value - grown)
    const low = this.#low[group]
    const rest = low + error
    const restGrown = rest - low
    const lost = low - (rest - restGrown) + (error - restGrown)
    if (flags === 0 && (Math.floor(value) !== value || value > SAFE_INTEGERS || value < -SAFE_INTEGERS)) {
      flags = FLOAT
      this.#flags[group] = FLOAT
    }
    const size = Math.abs(sum)
    // Not a number either when an infinity came in.
    if (lost !== 0 || !(size < (flags === 0 ? SAFE_INTEGERS : HUGE))) {
      this.#keepExactly(group, value)
      return
    }
    const total = sum + rest
    const totalGrown = total - sum
    this.#high[group] = total
    this.#low[group] = sum - (total - totalGrown) + (rest - totalGrown)
  }

  #keepExactly(group: number, value: number): void {
    const sum = this.#exactSum(group)
    sum.addNumber(value)
    this.#exact.set(group, sum)
    this.#flags[group] |= EXACT
  }

  #exactSum(group: number): ExactSum {
    const high = this.#high[group]
    const hasFloats = this.#flags[group] === FLOAT
    return ExactSum.import({
      integers: hasFloats ? '0' : String(high),
      partials: hasFloats ? [this.#low[group], high].filter((part) => part !== 0) : [],
      hasFloats,
      infinities: 0,
    })
  }

  /** As `sum`: exact for integers, else the float nearest to the true sum; NaN without values. */
  sum(group: number): number | bigint {
    if (this.#flags[group] >= EXACT) return this.#exact.get(group)?.value() ?? NaN
    return this.#counts[group] === 0 ? NaN : float(this.#high[group])
  }

  /** As `avg`: the float nearest to the true mean; NaN without values. */
  mean(group: number): number {
    const count = this.#counts[group]
    if (count === 0) return NaN
    const exact = this.#exact.get(group)
    if (exact === undefined) {
      const high = this.#high[group]
      const low = this.#low[group]
      const quick = low === 0 ? high / count : quickMean(high, low, count)
      if (quick !== undefined) return float(quick)
    }
    return (exact ?? this.#exactSum(group)).mean(count)
  }
}
