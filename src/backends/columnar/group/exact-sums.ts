import { ExactSum, float, type ExactSumState } from '../../../data/index.ts'
import type { GroupMemory } from '../kernels/group-memory.ts'

/** Number of bits in each of the two parts of a value: few enough that 2^18 parts add up without rounding. */
const PART_BITS = 35
/**
 * When a group has received more than this many values since its two partial sums were last emptied, the sums are moved
 * to its `ExactSum`. A check at least every `2 * FULL_VALUES` rows ensures that no partial sum has more than 2^18
 * values. A single call may add at most `2 * FULL_VALUES` rows.
 */
export const FULL_VALUES = 2 ** 16
/** Values with larger exponents are not split into two parts, since sums of their parts could overflow. */
const GREATEST_EXPONENT = 900
export const GREATEST_LIMIT = 2 ** GREATEST_EXPONENT
/** The number of array entries for each group; a power of two, so that no group crosses a cache line. */
const STRIDE = 4

/** The sums of all groups as plain data, for another thread. */
export interface PartialSums {
  readonly limit: number
  readonly slots: Float64Array
  readonly sums: readonly (readonly [group: number, sum: ExactSumState])[]
  readonly isFractional: Uint8Array
}

/** Exact sums of numbers by group; the result does not depend on the order of addition. */
export class ExactSums {
  /**
   * Four entries for each group: sum of high parts, sum of low parts, number of values, and number of values when the
   * sums were last emptied. The array is in kernel (WebAssembly) memory while it fits there.
   */
  #slots: Float64Array
  readonly #memory: GroupMemory | undefined
  #rowsSinceCheckpoint = 0
  readonly #sums = new Map<number, ExactSum>()
  /** Adding and then subtracting this number rounds a value to the unit of the high part. */
  #cutHigh = 0
  #cutLow = 0
  #limit = 0
  /** For each group, 1 if it has received a value that is not an integer within ±2^53. */
  #isFractional = new Uint8Array(0)
  #fractionalGroups = 0

  /**
   * `magnitude` is an absolute value that most values do not exceed; larger values take a slower path. With `memory`,
   * WebAssembly kernels do the additions.
   */
  constructor(magnitude: number, memory?: GroupMemory) {
    this.#memory = memory
    this.#slots = new Float64Array(memory === undefined ? STRIDE : 0)
    this.#setMagnitude(magnitude)
  }

  /** Changes `magnitude`. Partial sums are moved to the `ExactSum` of their group first. */
  widen(magnitude: number): void {
    for (let slot = 0; slot < this.#slots.length; slot += STRIDE) {
      if (this.#slots[slot] !== 0 || this.#slots[slot + 1] !== 0) this.#move(slot / STRIDE)
    }
    this.#setMagnitude(magnitude)
  }

  #setMagnitude(magnitude: number): void {
    const size = magnitude > 2 ** -700 ? magnitude : 2 ** -700
    const exponent = Math.min(GREATEST_EXPONENT, Math.ceil(Math.log2(size)) + 1)
    this.#limit = 2 ** exponent
    this.#cutHigh = 1.5 * 2 ** (exponent - PART_BITS + 52)
    this.#cutLow = 1.5 * 2 ** (exponent - 2 * PART_BITS - 1 + 52)
  }

  reserve(bound: number): void {
    const needed = bound * STRIDE
    if (this.#slots.length >= needed) return
    this.#place(Math.max(needed, this.#slots.length * 2))
  }

  #place(length: number): void {
    const before = this.#slots
    const room = this.#memory?.room(length * 8)
    this.#slots = new Float64Array(room?.buffer ?? new ArrayBuffer(length * 8), room?.at ?? 0, length)
    this.#slots.set(before)
  }

  /** Largest absolute value that can be split into two parts. Larger values take the slow path. */
  get limit(): number {
    return this.#limit
  }

  /**
   * Adds values to groups: `values[rows[i]]`, or `values[i]` without `rows`, to group `groups[i]`. NaN is ignored.
   * Returns the number of values that took the slow path because they exceed `limit`.
   */
  addAll(values: Float64Array, rows: Uint32Array | undefined, groups: Uint32Array, length: number): number {
    if (this.#rowsSinceCheckpoint + length > 2 * FULL_VALUES) this.#moveFull()
    this.#rowsSinceCheckpoint += length
    if (this.#memory?.canUse(groups, this.#slots) === true) {
      const cuts = { high: this.#cutHigh, low: this.#cutLow, limit: this.#limit }
      let slow = 0
      this.#memory.sum({ values, rows, length }, this.#slots.byteOffset, cuts, (i, value) => {
        if (value !== value) return
        this.add(groups[i], value)
        slow++
      })
      return slow
    }
    return this.#addRows(values, rows, groups, length)
  }

  #addRows(values: Float64Array, rows: Uint32Array | undefined, groups: Uint32Array, length: number): number {
    const slots = this.#slots
    let slow = 0
    const cutHigh = this.#cutHigh
    const cutLow = this.#cutLow
    const limit = this.#limit
    for (let i = 0; i < length; i++) {
      const value = values[rows === undefined ? i : rows[i]]
      const slot = groups[i] << 2
      const high = value + cutHigh - cutHigh
      const rest = value - high
      const low = rest + cutLow - cutLow
      if (rest === low && value <= limit && value >= -limit) {
        slots[slot] += high
        slots[slot + 1] += low
        slots[slot + 2]++
      } else if (value === value) {
        this.add(groups[i], value)
        slow++
      }
    }
    return slow
  }

  add(group: number, value: number | bigint): void {
    this.#sumOf(group).add(value)
    this.#slots[group * STRIDE + 2]++
  }

  /** Empties the partial sums of groups with more than `FULL_VALUES` new values into their `ExactSum`. */
  #moveFull(): void {
    const slots = this.#slots
    for (let slot = 0; slot < slots.length; slot += STRIDE) {
      if (slots[slot + 2] - slots[slot + 3] > FULL_VALUES) this.#move(slot / STRIDE)
    }
    this.#rowsSinceCheckpoint = 0
  }

  #sumOf(group: number): ExactSum {
    let sum = this.#sums.get(group)
    if (sum === undefined) {
      sum = new ExactSum()
      this.#sums.set(group, sum)
    }
    return sum
  }

  #move(group: number): void {
    const sum = this.#sumOf(group)
    const slot = group * STRIDE
    this.#slots[slot + 3] = this.#slots[slot + 2]
    addTerm(sum, this.#slots[slot])
    addTerm(sum, this.#slots[slot + 1])
    this.#slots[slot] = 0
    this.#slots[slot + 1] = 0
  }

  /**
   * Records that a group received a value that is not an integer within ±2^53. The sum of that group is then returned
   * as a float.
   */
  noteFraction(group: number): void {
    if (group >= this.#isFractional.length) {
      const longer = new Uint8Array(this.#slots.length / STRIDE)
      longer.set(this.#isFractional)
      this.#isFractional = longer
    }
    if (this.#isFractional[group] === 1) return
    this.#isFractional[group] = 1
    this.#fractionalGroups++
  }

  /** True if `noteFraction` was called for every group, where `bound` is the number of groups. */
  areFractional(bound: number): boolean {
    return this.#fractionalGroups === bound
  }

  #total(group: number): ExactSum {
    const sum = new ExactSum()
    const before = this.#sums.get(group)
    if (before !== undefined) sum.merge(before)
    addTerm(sum, this.#slots[group * STRIDE])
    addTerm(sum, this.#slots[group * STRIDE + 1])
    return sum
  }

  /**
   * Returns the sum of a group: exact if all values were integers, else the float nearest to the true sum. NaN without
   * values.
   */
  sum(group: number): number | bigint {
    if (this.#slots[group * STRIDE + 2] === 0) return NaN
    // The two partial sums are exact, so adding them rounds only once.
    const quick = this.#slots[group * STRIDE] + this.#slots[group * STRIDE + 1]
    if (!this.#sums.has(group) && Math.abs(quick) < 2 ** 53) return float(quick)
    const value = this.#total(group).value()
    return typeof value === 'bigint' && this.#isFractional[group] === 1 ? Number(value) : value
  }

  /** Returns the float nearest to the true mean of a group; NaN without values. */
  mean(group: number): number {
    const slot = group * STRIDE
    const count = this.#slots[slot + 2]
    if (count === 0) return NaN
    return this.#total(group).mean(count)
  }

  /** Like `exportPartial`, but the receiver of the data may have another `limit`. */
  exportSums(bound: number): PartialSums {
    for (let group = 0; group < bound && group * STRIDE < this.#slots.length; group++) this.#move(group)
    return this.exportPartial(bound)
  }

  /** Returns the sums of the groups below `bound` as plain data and resets them. */
  exportPartial(bound: number): PartialSums {
    const given: PartialSums = {
      limit: this.#limit,
      // Copy: kernel memory belongs to this thread.
      slots:
        this.#memory?.hasRoomOf(this.#slots) === true
          ? this.#slots.slice(0, bound * STRIDE)
          : this.#slots.subarray(0, bound * STRIDE),
      sums: Array.from(this.#sums, ([group, sum]) => [group, sum.export()] as const),
      isFractional: this.#isFractional,
    }
    this.#slots = new Float64Array(this.#memory === undefined ? STRIDE : 0)
    this.#sums.clear()
    this.#isFractional = new Uint8Array(0)
    this.#fractionalGroups = 0
    this.#rowsSinceCheckpoint = 0
    return given
  }

  /**
   * Adds the sums of another `ExactSums`: from `exportPartial` if both have the same `limit`, from `exportSums`
   * otherwise. `groups` maps group numbers of the other object to group numbers of this one.
   */
  mergePartial({ slots, sums, isFractional }: PartialSums, groups: Uint32Array): void {
    const own = this.#slots
    for (let from = 0; from < slots.length; from += STRIDE) {
      const count = slots[from + 2]
      if (count === 0) continue
      const group = groups[from / STRIDE]
      const to = group * STRIDE
      const unmoved = count - slots[from + 3]
      // A partial sum must not exceed 2^18 values after the merge.
      if (own[to + 2] - own[to + 3] + unmoved > 2 * FULL_VALUES) this.#move(group)
      own[to] += slots[from]
      own[to + 1] += slots[from + 1]
      own[to + 2] += count
      own[to + 3] += count - unmoved
    }
    for (const [group, sum] of sums) this.#sumOf(groups[group]).merge(ExactSum.import(sum))
    for (let group = 0; group < isFractional.length; group++) {
      if (isFractional[group] === 1) this.noteFraction(groups[group])
    }
    // Ensures that full groups are emptied before further values are added.
    this.#rowsSinceCheckpoint = 2 * FULL_VALUES
  }

  bytes(): number {
    return this.#slots.byteLength + this.#isFractional.length + this.#sums.size * 120
  }
}

/**
 * Adds a partial sum. Whole numbers are added as integers even beyond 2^53, because only `noteFraction` turns a sum
 * into a float.
 */
function addTerm(sum: ExactSum, term: number): void {
  sum.add(Number.isInteger(term) && !Number.isSafeInteger(term) ? BigInt(term) : term)
}

/** True if a number turns a sum into a float: it is not an integer or lies outside ±2^53. False for NaN. */
export function isFraction(number: number): boolean {
  return number === number && (number !== Math.floor(number) || number > 2 ** 53 || number < -(2 ** 53))
}
