import { ExactSum, float, nearestFloat } from '../../../data/index.ts'
import { grown } from './kernel.ts'

/** Bits of each level: so many rows may be added before a level loses a bit. */
const LEVEL_BITS = 28
const MAX_ROWS = 2 ** 24

const scratch = new Float64Array(1)
const scratchWords = new Int32Array(scratch.buffer)

/** Half the distance from a normal float to the next one away from zero. */
function halfUnit(value: number): number {
  scratch[0] = value
  const exponent = scratchWords[1] & 0x7ff00000
  if (exponent < 54 << 20) return 0
  scratchWords[1] = exponent - (53 << 20)
  scratchWords[0] = 0
  return scratch[0]
}

/**
 * Exact sums of doubles by group. A value is cut into three parts, each a multiple of its level's unit and small enough
 * that millions of them add up without rounding; what does not fit is added one by one to an `ExactSum`.
 */
export class ExactLanes {
  #high: Float64Array = new Float64Array(1)
  #middle: Float64Array = new Float64Array(1)
  #low: Float64Array = new Float64Array(1)
  counts: Float64Array = new Float64Array(1)
  readonly #odd = new Map<number, ExactSum>()
  /** Adding and taking away these cuts a value at the level's unit. */
  #cutHigh = 0
  #cutMiddle = 0
  #cutLow = 0
  #limit = 0
  #rows = 0
  #hasFractions = false

  reserve(bound: number): void {
    this.#high = grown(this.#high, bound)
    this.#middle = grown(this.#middle, bound)
    this.#low = grown(this.#low, bound)
    this.counts = grown(this.counts, bound)
  }

  /** To be called before values of that size are added. */
  prepare(magnitude: number, rows: number): void {
    this.#rows += rows
    if (magnitude <= this.#limit && this.#rows <= MAX_ROWS) return
    this.#flush()
    this.#rows = rows
    if (magnitude <= this.#limit) return
    const exponent = Math.min(900, Math.max(-800, Math.ceil(Math.log2(Math.max(magnitude, 2 ** -800))) + 1))
    this.#limit = 2 ** exponent
    const unit = exponent - LEVEL_BITS
    this.#cutHigh = 1.5 * 2 ** (unit + 52)
    this.#cutMiddle = 1.5 * 2 ** (unit - LEVEL_BITS - 1 + 52)
    this.#cutLow = 1.5 * 2 ** (unit - 2 * (LEVEL_BITS + 1) + 52)
  }

  /** The value is a number; sizes beyond the one prepared for are taken too. */
  add(group: number, value: number): void {
    this.counts[group]++
    const high = value + this.#cutHigh - this.#cutHigh
    const restHigh = value - high
    const middle = restHigh + this.#cutMiddle - this.#cutMiddle
    const restMiddle = restHigh - middle
    const low = restMiddle + this.#cutLow - this.#cutLow
    if (restMiddle - low === 0 && value <= this.#limit && value >= -this.#limit) {
      this.#high[group] += high
      this.#middle[group] += middle
      this.#low[group] += low
    } else this.#oddOf(group).addNumber(value)
  }

  addBig(group: number, value: bigint): void {
    this.counts[group]++
    this.#oddOf(group).add(value)
  }

  #oddOf(group: number): ExactSum {
    let sum = this.#odd.get(group)
    if (sum === undefined) {
      sum = new ExactSum()
      this.#odd.set(group, sum)
    }
    return sum
  }

  #flush(): void {
    for (let group = 0; group < this.counts.length; group++) {
      if (this.#high[group] === 0 && this.#middle[group] === 0 && this.#low[group] === 0) continue
      this.#into(this.#oddOf(group), group)
      this.#high[group] = 0
      this.#middle[group] = 0
      this.#low[group] = 0
    }
  }

  #into(sum: ExactSum, group: number): void {
    sum.addNumber(this.#high[group])
    sum.addNumber(this.#middle[group])
    sum.addNumber(this.#low[group])
  }

  /** Says that some value added may have a fraction: then a sum beyond 2^53 is a float, not an integer. */
  noteFractions(): void {
    this.#hasFractions = true
  }

  #total(group: number): ExactSum {
    const sum = new ExactSum()
    const odd = this.#odd.get(group)
    if (odd !== undefined) sum.merge(odd)
    this.#into(sum, group)
    return sum
  }

  /** Exact for integers, else the float nearest to the true sum; NaN without values. */
  sum(group: number): number | bigint {
    if (this.counts[group] === 0) return NaN
    const value = this.#total(group).value()
    return typeof value === 'bigint' && this.#hasFractions ? Number(value) : value
  }

  /** The float nearest to the true mean; NaN without values. */
  mean(group: number): number {
    const count = this.counts[group]
    if (count === 0) return NaN
    if (!this.#odd.has(group)) {
      const quick = this.#quickMean(group, count)
      if (quick !== undefined) return quick
    }
    const sum = this.#total(group)
    const value = sum.value()
    if (typeof value === 'number' && (sum.isInteger || !Number.isFinite(value))) return float(value / count)
    const { mantissa, exponent } = sum.scaled()
    return float(nearestFloat(mantissa, BigInt(count) << BigInt(-exponent)))
  }

  /** The mean when its rounding is beyond doubt. */
  #quickMean(group: number, count: number): number | undefined {
    // The three parts as two floats that do not overlap.
    const a = this.#high[group]
    const b = this.#middle[group]
    const c = this.#low[group]
    if (!(Math.abs(a) > 1024 * (Math.abs(b) + Math.abs(c)))) return undefined
    const ab = a + b
    const abRest = b - (ab - a)
    const sum = ab + (abRest + c)
    const rest = abRest + c - (sum - ab)
    const mean = sum / count
    // mean × count exactly, as two floats.
    const product = mean * count
    const meanSplit = mean * 134217729
    const meanHigh = meanSplit - (meanSplit - mean)
    const meanLow = mean - meanHigh
    const countSplit = count * 134217729
    const countHigh = countSplit - (countSplit - count)
    const countLow = count - countHigh
    const productRest =
      meanLow * countLow - (product - meanHigh * countHigh - meanLow * countHigh - meanHigh * countLow)
    const off = (sum - product - productRest + rest) / count
    // Clearly less than half the distance to the next float: no other float is nearer.
    return Math.abs(off) < halfUnit(mean) * 0.999 ? float(mean) : undefined
  }

  bytes(): number {
    return this.counts.byteLength * 4 + this.#odd.size * 120
  }
}
