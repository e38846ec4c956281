import {
  columnOfValues,
  compareGroupKeys,
  isEmptyValue,
  valueAt,
  type Column,
  type Value,
} from '../../../data/index.ts'
import type { BitBuckets, GroupMemory, GroupedValues } from '../kernels/group-memory.ts'
import { sortNumbers } from '../keys/sort-numbers.ts'
import { grown, type GroupedRows, type Kernel, type KernelPartials } from './kernel.ts'

/**
 * Maximum number of histogram buckets over all groups: 512 KiB of counts fit in the processor cache. Set by `npm run
 * bench -- --only Q23`.
 */
const MAX_BUCKETS = 2 ** 17

/** Returns the index of the quantile `phi` in `count` sorted values. */
function rankOf(phi: number, count: number): number {
  if (!(phi > 0)) return 0
  return phi >= 1 ? count - 1 : Math.min(Math.floor(phi * count), count - 1)
}

const word = new Float64Array(1)
const halves = new Int32Array(word.buffer)

/** The exponent bits of infinities and NaN, in the upper half of a double. */
const SPECIAL = 0x7ff00000

/** Returns the 32-bit halves of doubles as integers; the upper halves have odd indexes. */
function highsOf(values: Float64Array): Int32Array {
  return new Int32Array(values.buffer, values.byteOffset, values.length * 2)
}

/** Returns the values of grouped rows as the argument of a kernel. */
function valuesOf(values: Float64Array, { rows, first, length }: GroupedRows): GroupedValues {
  if (first === undefined) return { values, rows, length }
  return { values: values.subarray(first, first + length), rows: undefined, length }
}

/** Returns the upper half of a double as an integer with the same order as the numbers. */
function orderedHigh(value: number): number {
  word[0] = value
  const high = halves[1]
  return high < 0 ? high ^ 0x7fffffff : high
}

/** The result of one pass over the rows as plain data, for another thread. */
export interface PartialQuantiles {
  /** The number of values of each group in each bucket. All threads number the groups alike. */
  readonly histogram: Uint32Array | undefined
  /** The number of groups for which the histogram has buckets. */
  readonly bound: number
  readonly keptGroups: Uint32Array
  readonly kept: Float64Array
  /** After the second pass: the gathered values, ordered by slot. `ends` has the exclusive end of each slot. */
  readonly gathered: { readonly ends: Uint32Array; readonly values: Float64Array } | undefined
}

/**
 * Says which values the second pass gathers. `slots` has the slot of each bucket, 0 if the bucket's values are not
 * needed; `starts` has the first position of each slot.
 */
export interface Gathering extends BitBuckets {
  readonly slots: Uint32Array
  readonly starts: readonly number[]
  readonly total: number
}

/**
 * Exact quantiles of one numeric field by group. The first pass counts the values of each group in buckets by their
 * leading bits. The second pass gathers and sorts only the values of buckets that contain a wanted position. If the
 * field has other values than plain numbers, all values are held instead.
 */
export class QuantileStore {
  readonly name: string
  readonly #phis: number[] = []
  #bound = 1
  #counts: Float64Array = new Float64Array(1)
  #histogram: Uint32Array | undefined
  #buckets = 0
  #shift = 0
  #base = 0
  readonly #min: number
  readonly #max: number
  #isPlain: boolean
  /** True if the result can be passed to another thread, because all values are plain numbers. */
  readonly isShareable: boolean
  /** All values of each group. Used if there are too many groups for buckets, or if the field has mixed types. */
  readonly #kept: (Value[] | undefined)[] = []
  #keptBytes = 0

  readonly #memory: GroupMemory

  /** `bounds` are the smallest and largest value of the field; given only if all values are plain numbers. */
  constructor(name: string, bounds: { readonly min: number; readonly max: number } | undefined, memory: GroupMemory) {
    this.name = name
    this.#memory = memory
    this.#isPlain = bounds !== undefined
    this.isShareable = this.#isPlain
    this.#min = bounds?.min ?? 0
    this.#max = bounds?.max ?? 0
  }

  want(phi: number): void {
    this.#phis.push(phi)
  }

  reserve(bound: number): void {
    this.#bound = Math.max(this.#bound, bound)
    this.#counts = grown(this.#counts, bound)
  }

  /** Chooses the width of the buckets and allocates the histogram. Returns false if there are too many groups. */
  #start(): boolean {
    const low = orderedHigh(this.#min)
    const high = orderedHigh(this.#max)
    for (let shift = 8; shift < 32; shift++) {
      const buckets = (high >> shift) - (low >> shift) + 1
      if (buckets * this.#bound > MAX_BUCKETS && shift < 31) continue
      this.#shift = shift
      this.#base = low >> shift
      this.#buckets = buckets
      const slots = buckets * this.#bound
      const room = this.#memory.room(slots * 4)
      this.#histogram = new Uint32Array(room?.buffer ?? new ArrayBuffer(slots * 4), room?.at ?? 0, slots)
      return true
    }
    return false
  }

  add(pass: number, grouped: GroupedRows): void {
    const { segment, rows, groups, length } = grouped
    const column = segment.columns.get(this.name)?.column
    if (column === undefined) return
    if (!this.#isPlain || column.kind !== 'float64') {
      if (pass !== 0) return
      for (let i = 0; i < length; i++) this.#keep(groups[i], valueAt(column, rows[i]))
      return
    }
    if (pass === 0) this.#countValues(column.values, grouped)
    else this.#gatherValues(column.values, grouped)
  }

  get #bits(): BitBuckets {
    return { buckets: this.#buckets, shift: this.#shift, base: this.#base }
  }

  #countValues(values: Float64Array, grouped: GroupedRows): void {
    const { rows, groups, length } = grouped
    if (this.#histogram === undefined && !this.#start()) {
      this.#isPlain = false
      for (let i = 0; i < length; i++) {
        const value = values[rows[i]]
        if (value === value) this.#keep(groups[i], value)
      }
      return
    }
    const histogram = this.#histogram ?? new Uint32Array(0)
    if (this.#memory.canUse(groups, histogram)) {
      this.#memory.countByBits(valuesOf(values, grouped), this.#bits, histogram.byteOffset)
      return
    }
    const highs = highsOf(values)
    const shift = this.#shift
    const base = this.#base
    const buckets = this.#buckets
    for (let i = 0; i < length; i++) {
      const row = rows[i]
      const high = highs[2 * row + 1]
      if ((high & SPECIAL) === SPECIAL && values[row] !== values[row]) continue
      histogram[groups[i] * buckets + ((high < 0 ? high ^ 0x7fffffff : high) >> shift) - base]++
    }
  }

  #gatherValues(values: Float64Array, { rows, groups, length }: GroupedRows): void {
    const wanted = this.#slots
    const shift = this.#shift
    const base = this.#base
    const buckets = this.#buckets
    const gathered = this.#gathered
    const ends = this.#gatherEnds
    const highs = highsOf(values)
    for (let i = 0; i < length; i++) {
      const row = rows[i]
      const high = highs[2 * row + 1]
      if ((high & SPECIAL) === SPECIAL && values[row] !== values[row]) continue
      const slot = wanted[groups[i] * buckets + ((high < 0 ? high ^ 0x7fffffff : high) >> shift) - base]
      if (slot !== 0) gathered[ends[slot]++] = values[row]
    }
  }

  #slots: Uint32Array = new Uint32Array(0)
  #gatherStarts: number[] = []
  #gatherEnds = new Uint32Array(0)
  #gathered = new Float64Array(0)

  /** Ends a pass over the rows. The end of the first pass determines the buckets that contain a wanted position. */
  endPass(pass: number): void {
    const histogram = this.#histogram
    if (histogram === undefined) return
    if (pass === 1) {
      for (let slot = 1; slot < this.#gatherStarts.length; slot++) {
        sortNumbers(this.#gathered.subarray(this.#gatherStarts[slot], this.#gatherEnds[slot]))
      }
      return
    }
    for (let group = 0; group < this.#bound; group++) {
      const end = (group + 1) * this.#buckets
      for (let bucket = group * this.#buckets; bucket < end; bucket++) this.#counts[group] += histogram[bucket]
    }
    this.#slots = new Uint32Array(histogram.length)
    this.#gatherStarts = [0]
    let total = 0
    for (let group = 0; group < this.#bound; group++) {
      if (this.#counts[group] === 0) continue
      for (const phi of this.#phis) {
        const { bucket } = this.#locate(group, rankOf(phi, this.#counts[group]))
        if (this.#slots[bucket] !== 0) continue
        this.#slots[bucket] = this.#gatherStarts.length
        this.#gatherStarts.push(total)
        total += histogram[bucket]
      }
    }
    this.#gatherEnds = Uint32Array.from(this.#gatherStarts)
    this.#gathered = new Float64Array(total)
  }

  /**
   * Returns the bucket that contains the value at sorted position `rank` of a group, and the number of the group's
   * values before that bucket.
   */
  #locate(group: number, rank: number): { readonly bucket: number; readonly before: number } {
    const histogram = this.#histogram ?? new Uint32Array(0)
    const end = (group + 1) * this.#buckets
    let before = 0
    for (let bucket = group * this.#buckets; bucket < end; bucket++) {
      if (before + histogram[bucket] > rank) return { bucket, before }
      before += histogram[bucket]
    }
    return { bucket: end - 1, before }
  }

  #keep(group: number, value: Value): void {
    if (isEmptyValue(value)) return
    ;(this.#kept[group] ??= []).push(value)
    this.#keptBytes += typeof value === 'number' ? 8 : 48
  }

  quantile(group: number, phi: number): Value {
    const kept = this.#kept[group]
    if (this.#histogram === undefined || this.#counts[group] === 0) {
      if (kept === undefined) return null
      kept.sort(compareGroupKeys)
      return kept[rankOf(phi, kept.length)]
    }
    const rank = rankOf(phi, this.#counts[group])
    const { bucket, before } = this.#locate(group, rank)
    return this.#gathered[this.#gatherStarts[this.#slots[bucket]] + rank - before]
  }

  /** Returns the result of this pass as plain data and resets it. */
  exportPartial(pass: number): PartialQuantiles | undefined {
    const none = {
      histogram: undefined,
      bound: this.#bound,
      keptGroups: new Uint32Array(0),
      kept: new Float64Array(0),
      gathered: undefined,
    }
    if (pass === 1) return { ...none, gathered: this.#gatheredBySlot() }
    const groups: number[] = []
    const values: number[] = []
    for (const [group, kept] of this.#kept.entries()) {
      for (const value of kept ?? []) {
        if (typeof value !== 'number') return undefined
        groups.push(group)
        values.push(value)
      }
    }
    this.#kept.length = 0
    this.#keptBytes = 0
    // Copy: kernel memory belongs to this thread.
    const own = this.#histogram
    const histogram = own !== undefined && this.#memory.hasRoomOf(own) ? own.slice() : own
    this.#histogram = undefined
    return {
      ...none,
      histogram,
      keptGroups: Uint32Array.from(groups),
      kept: Float64Array.from(values),
    }
  }

  /** Returns the gathered values in the order of slots, with the end of each slot. */
  #gatheredBySlot(): { readonly ends: Uint32Array; readonly values: Float64Array } {
    const ends = new Uint32Array(this.#gatherStarts.length)
    let total = 0
    for (let slot = 1; slot < ends.length; slot++) {
      total += this.#gatherEnds[slot] - this.#gatherStarts[slot]
      ends[slot] = total
    }
    const values = new Float64Array(total)
    for (let slot = 1; slot < ends.length; slot++) {
      values.set(this.#gathered.subarray(this.#gatherStarts[slot], this.#gatherEnds[slot]), ends[slot - 1])
    }
    return { ends, values }
  }

  fits({ histogram, bound }: PartialQuantiles): boolean {
    return histogram === undefined || bound === this.#bound
  }

  mergePartial({ histogram, keptGroups, kept, gathered }: PartialQuantiles, groups: Uint32Array): void {
    if (gathered !== undefined) {
      for (let slot = 1; slot < gathered.ends.length; slot++) {
        const values = gathered.values.subarray(gathered.ends[slot - 1], gathered.ends[slot])
        this.#gathered.set(values, this.#gatherEnds[slot])
        this.#gatherEnds[slot] += values.length
      }
      return
    }
    for (let i = 0; i < kept.length; i++) this.#keep(groups[keptGroups[i]], kept[i])
    if (kept.length > 0) this.#isPlain = false
    if (histogram === undefined || (this.#histogram === undefined && !this.#start())) return
    const own = this.#histogram ?? histogram
    for (let bucket = 0; bucket < own.length; bucket++) own[bucket] += histogram[bucket]
  }

  /** Returns which values all threads must gather in the second pass. */
  broadcast(): Gathering {
    return { ...this.#bits, slots: this.#slots, starts: this.#gatherStarts, total: this.#gathered.length }
  }

  receive({ slots, starts, total, shift, base, buckets }: Gathering): void {
    this.#shift = shift
    this.#base = base
    this.#buckets = buckets
    this.#slots = slots
    this.#gatherStarts = [...starts]
    this.#gatherEnds = Uint32Array.from(starts)
    this.#gathered = new Float64Array(total)
  }

  bytes(): number {
    return (this.#histogram?.byteLength ?? 0) * 2 + this.#gathered.byteLength + this.#keptBytes
  }
}

/**
 * One quantile of a `QuantileStore`, which several calls may share. Only the first of these kernels adds rows to the
 * store.
 */
export class QuantileKernel implements Kernel {
  readonly passes = 2
  readonly needsBound = true
  readonly #store: QuantileStore
  readonly #phi: number
  readonly #feeds: boolean
  #pass = 0

  constructor(store: QuantileStore, phi: number, feeds: boolean) {
    this.#store = store
    this.#phi = phi
    this.#feeds = feeds
    store.want(phi)
  }

  reserve(bound: number): void {
    if (this.#feeds) this.#store.reserve(bound)
  }

  add(rows: GroupedRows): void {
    if (this.#feeds) this.#store.add(this.#pass, rows)
  }

  endPass(pass: number): void {
    if (this.#feeds) this.#store.endPass(pass)
    this.#pass = pass + 1
  }

  get partials(): KernelPartials<PartialQuantiles | null, Gathering | null> | undefined {
    return this.#store.isShareable ? this.#partials : undefined
  }

  readonly #partials: KernelPartials<PartialQuantiles | null, Gathering | null> = {
    exportPartial: () => (this.#feeds ? this.#store.exportPartial(this.#pass) : null),
    fits: (partial) => partial === null || this.#store.fits(partial),
    mergePartial: (partial, groups) => {
      if (partial !== null) this.#store.mergePartial(partial, groups)
    },
    broadcast: () => (this.#feeds ? this.#store.broadcast() : null),
    receive: (state) => {
      this.#pass = 1
      if (state !== null) this.#store.receive(state)
    },
  }

  finish(groups: Uint32Array): Column {
    return columnOfValues(Array.from(groups, (group) => this.#store.quantile(group, this.#phi)))
  }

  bytes(): number {
    return this.#feeds ? this.#store.bytes() : 0
  }
}
