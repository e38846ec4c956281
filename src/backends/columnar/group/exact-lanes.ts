import { ExactSum, float, type ExactSumState } from '../../../data/index.ts'
import type { GroupMemory } from '../kernels/group-memory.ts'

/** The bits of a part, so that 2^18 values add up without rounding. */
const PART_BITS = 35
/**
 * Groups with more values than this since their parts were last moved are moved to their `ExactSum`, after at most
 * twice as many rows. Together they stay below 2^18 values. No more rows may be added at once.
 */
export const FULL_VALUES = 2 ** 16
/** Larger exponents are never summed in two parts, since adding could overflow. */
const GREATEST_EXPONENT = 900
export const GREATEST_LIMIT = 2 ** GREATEST_EXPONENT
/** The slots of a group; a power of two, so that groups do not cross cache lines. */
const STRIDE = 4

/** Sums by group as plain data. */
export interface ExactLanesPart {
  readonly limit: number
  readonly slots: Float64Array
  readonly sums: readonly (readonly [group: number, sum: ExactSumState])[]
  readonly isFractional: Uint8Array
}

/**
 * Exact sums of doubles by group, in any order. A value is split into two parts, each a multiple of its own unit and
 * small enough that 2^18 of them add up without rounding. Values that do not fit, and parts that have added up, go to
 * an `ExactSum`.
 */
export class ExactLanes {
  /**
   * In the kernel memory while there is room. For each group: high part, low part, number of values, number of values
   * when the parts were last moved.
   */
  #slots: Float64Array
  readonly #memory: GroupMemory | undefined
  #rowsSinceLook = 0
  readonly #sums = new Map<number, ExactSum>()
  /** Adding and subtracting this number cuts a value at the unit of the part. */
  #cutHigh = 0
  #cutLow = 0
  #limit = 0
  /** For each group, 1 when it got a value that is not an integer within ±2^53. */
  #isFractional = new Uint8Array(0)
  #fractionalGroups = 0

  /**
   * `magnitude` is an absolute value that most values do not exceed; larger ones are summed too, but more slowly. With
   * a memory, kernels add.
   */
  constructor(magnitude: number, memory?: GroupMemory) {
    this.#memory = memory
    this.#slots = new Float64Array(memory === undefined ? STRIDE : 0)
    this.#setMagnitude(magnitude)
  }

  /** Sets another `magnitude`. */
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

  /** The largest absolute value that is summed in two parts. */
  get limit(): number {
    return this.#limit
  }

  /**
   * Adds `values[rows[i]]`, or `values[i]` without a list, to group `groups[i]`; NaN does not count. Returns how many
   * values were added slowly because they exceed `limit`.
   */
  addAll(values: Float64Array, rows: Uint32Array | undefined, groups: Uint32Array, length: number): number {
    if (this.#rowsSinceLook + length > 2 * FULL_VALUES) this.#moveFull()
    this.#rowsSinceLook += length
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

  /** Moves the parts of groups with many values. */
  #moveFull(): void {
    const slots = this.#slots
    for (let slot = 0; slot < slots.length; slot += STRIDE) {
      if (slots[slot + 2] - slots[slot + 3] > FULL_VALUES) this.#move(slot / STRIDE)
    }
    this.#rowsSinceLook = 0
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
    addPart(sum, this.#slots[slot])
    addPart(sum, this.#slots[slot + 1])
    this.#slots[slot] = 0
    this.#slots[slot + 1] = 0
  }

  /**
   * Records that the group got a value which is not an integer within ±2^53, so that its sum is a float, however large.
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

  /** Whether `noteFraction` was called for all groups below `bound`, and there are no others. */
  areFractional(bound: number): boolean {
    return this.#fractionalGroups === bound
  }

  #total(group: number): ExactSum {
    const sum = new ExactSum()
    const before = this.#sums.get(group)
    if (before !== undefined) sum.merge(before)
    addPart(sum, this.#slots[group * STRIDE])
    addPart(sum, this.#slots[group * STRIDE + 1])
    return sum
  }

  /** Returns an exact sum for integers, else the float nearest to the true sum; NaN without values. */
  sum(group: number): number | bigint {
    if (this.#slots[group * STRIDE + 2] === 0) return NaN
    // Adding two exact parts rounds once.
    const quick = this.#slots[group * STRIDE] + this.#slots[group * STRIDE + 1]
    if (!this.#sums.has(group) && Math.abs(quick) < 2 ** 53) return float(quick)
    const value = this.#total(group).value()
    return typeof value === 'bigint' && this.#isFractional[group] === 1 ? Number(value) : value
  }

  /** Returns the float nearest to the true mean; NaN without values. */
  mean(group: number): number {
    const slot = group * STRIDE
    const count = this.#slots[slot + 2]
    if (count === 0) return NaN
    return this.#total(group).mean(count)
  }

  /** Like `give`, in a form that lanes with any `limit` accept. */
  giveSums(bound: number): ExactLanesPart {
    for (let group = 0; group < bound && group * STRIDE < this.#slots.length; group++) this.#move(group)
    return this.give(bound)
  }

  /** Returns the state of the groups below `bound` and clears it here. */
  give(bound: number): ExactLanesPart {
    const given: ExactLanesPart = {
      limit: this.#limit,
      // Kernel memory belongs to this thread.
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
    this.#rowsSinceLook = 0
    return given
  }

  /** Adds what lanes with the same `limit` gave, or the `giveSums` of any lanes. */
  take({ slots, sums, isFractional }: ExactLanesPart, groups: Uint32Array): void {
    const own = this.#slots
    for (let from = 0; from < slots.length; from += STRIDE) {
      const count = slots[from + 2]
      if (count === 0) continue
      const group = groups[from / STRIDE]
      const to = group * STRIDE
      const unmoved = count - slots[from + 3]
      // Together they stay below 2^18 values.
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
    // Full groups are moved before more values are added.
    this.#rowsSinceLook = 2 * FULL_VALUES
  }

  bytes(): number {
    return this.#slots.byteLength + this.#isFractional.length + this.#sums.size * 120
  }
}

/** Adds a part. Parts that are whole numbers stay integers beyond 2^53 too; only `noteFraction` makes a sum a float. */
function addPart(sum: ExactSum, part: number): void {
  sum.add(Number.isInteger(part) && !Number.isSafeInteger(part) ? BigInt(part) : part)
}

/** Whether a number is not an integer within ±2^53; beyond it sums of integers stay exact. NaN does not count. */
export function isFraction(number: number): boolean {
  return number === number && (number !== Math.floor(number) || number > 2 ** 53 || number < -(2 ** 53))
}
