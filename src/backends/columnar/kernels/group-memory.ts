import { BUFFER_BYTES, present } from '../../../base/index.ts'
import { KernelMemory } from '../../../kernels/index.ts'
import { segmentRows } from '../../../store/index.ts'

/** Number of rows that a kernel processes in one call; few enough to stay in the processor cache. */
const rowsAtOnce = 8192

const GROUPS_AT = 64
const VALUES_AT = GROUPS_AT + segmentRows * 4
const RIGHTS_AT = VALUES_AT + rowsAtOnce * 8
const FOUND_AT = RIGHTS_AT + rowsAtOnce * 4
const ROOM_AT = FOUND_AT + rowsAtOnce * 4

const MEMORY_BYTES = 32 * 1024 * 1024

/** A WebAssembly memory, with views of its ranges that have a fixed position. */
class KernelViews {
  readonly memory = new KernelMemory(MEMORY_BYTES)
  readonly bytes = new Uint8Array(this.memory.buffer)
  readonly groups = new Uint32Array(this.memory.buffer, GROUPS_AT, segmentRows)
  readonly values = new Float64Array(this.memory.buffer, VALUES_AT, rowsAtOnce)
  readonly rights = new Uint32Array(this.memory.buffer, RIGHTS_AT, rowsAtOnce)
  readonly found = new Uint32Array(this.memory.buffer, FOUND_AT, rowsAtOnce)
  readonly kernels = this.memory.kernels
  /** End of the used range of bytes; all bytes after it are zero. */
  usedEnd = ROOM_AT
}

let free: KernelViews | undefined

/** A range of bytes in a kernel memory, initially zero. */
export interface Room {
  readonly at: number
  readonly buffer: ArrayBufferLike
}

/** The mapping of values to buckets by their leading bits. */
export interface BitBuckets {
  readonly buckets: number
  readonly shift: number
  readonly base: number
}

/** The values of some rows: value `i` is `values[rows[i]]`. */
export interface GroupedValues {
  readonly values: Float64Array
  /** The row numbers; if `undefined`, value `i` belongs to row `i`. */
  readonly rows: Uint32Array | undefined
  readonly length: number
}

/**
 * The kernel memory of one aggregate. `groups` holds the group of each row of a slice; rooms (ranges of the memory)
 * hold states by group. The memory is allocated on first use and has a fixed size. States that do not fit are computed
 * without kernels.
 */
export class GroupMemory {
  #views: KernelViews | undefined
  #end = ROOM_AT
  #isClosed = false

  readonly #newViews: () => KernelViews
  /** Replaces `groups` if the runtime provides no kernel memory. */
  #ownGroups: Uint32Array | undefined

  constructor(newViews = (): KernelViews => new KernelViews()) {
    this.#newViews = newViews
  }

  /**
   * Returns the memory, allocated on the first call. `undefined` if the runtime provides none, and all work is then
   * done without kernels.
   */
  #opened(): KernelViews | undefined {
    if (this.#isClosed) throw new Error('the memory of an aggregate is used after its end')
    if (this.#views !== undefined || this.#ownGroups !== undefined) return this.#views
    try {
      this.#views = free ?? this.#newViews()
      free = undefined
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      this.#ownGroups = new Uint32Array(segmentRows)
    }
    return this.#views
  }

  get #open(): KernelViews {
    return present(this.#opened(), 'a memory for kernels')
  }

  /** Array for the group of each row of a slice. */
  get groups(): Uint32Array {
    return this.#opened()?.groups ?? present(this.#ownGroups)
  }

  /** Releases the memory for other queries; this object must not be used afterwards. */
  release(): void {
    const views = this.#views
    this.#views = undefined
    this.#isClosed = true
    if (views === undefined) return
    views.usedEnd = Math.max(views.usedEnd, this.#end)
    if (views.usedEnd <= BUFFER_BYTES) free ??= views
  }

  /** Reserves a range of the memory; returns `undefined` when the remaining memory is too small. */
  room(bytes: number): Room | undefined {
    const views = this.#opened()
    if (views === undefined) return undefined
    const at = this.#end
    const end = at + Math.ceil(bytes / 64) * 64
    if (end > MEMORY_BYTES) return undefined
    this.#end = end
    if (at < views.usedEnd) views.bytes.fill(0, at, Math.min(end, views.usedEnd))
    return { at, buffer: views.memory.buffer }
  }

  /**
   * True if kernels can run on these arrays: `groups` is the array of this memory, and `states` lies in one of its
   * rooms.
   */
  canUse(groups: Uint32Array, states: ArrayBufferView): boolean {
    return groups === this.#views?.groups && this.hasRoomOf(states)
  }

  /** True if an array lies in a room of this memory. */
  hasRoomOf(states: ArrayBufferView): boolean {
    return states.buffer === this.#views?.memory.buffer
  }

  /**
   * Adds values to the sums of their groups, each split into two parts: value `i` belongs to group `groups[i]`. The
   * sums of a group are four doubles in a room. Values that cannot be split, NaN included, are passed to `missed`.
   */
  sum(
    from: GroupedValues,
    slotsAt: number,
    cuts: { readonly high: number; readonly low: number; readonly limit: number },
    missed: (i: number, value: number) => void,
  ): void {
    const { kernels, found, values } = this.#open
    const { high, low, limit } = cuts
    for (let first = 0; first < from.length; first += rowsAtOnce) {
      const valuesEnd = VALUES_AT + this.#give(from, first) * 8
      const groupsAt = GROUPS_AT + first * 4
      const end = kernels.sumExactly(groupsAt, VALUES_AT, valuesEnd, slotsAt, high, low, limit, FOUND_AT)
      for (let k = 0; FOUND_AT + k * 4 < end; k++) {
        const i = (found[k] - VALUES_AT) / 8
        missed(first + i, values[i])
      }
    }
  }

  /** Counts the values of each group by bucket, in the histogram at this address. NaN is not counted. */
  countByBits(from: GroupedValues, { buckets, shift, base }: BitBuckets, histogramAt: number): void {
    const { kernels } = this.#open
    for (let first = 0; first < from.length; first += rowsAtOnce) {
      const valuesEnd = VALUES_AT + this.#give(from, first) * 8
      kernels.countByBits(GROUPS_AT + first * 4, VALUES_AT, valuesEnd, buckets, shift, base, histogramAt)
    }
  }

  /**
   * Combines the key numbers in `groups` with those in `rights`, for rows 0 to `rights.length - 1`. Each entry of
   * `groups` becomes the number of its pair with the entry in `rights`. `table` is a room: entry `left × size + right`
   * is the number of a pair plus one, or 0 for a new pair. `added` receives the indexes of new pairs in the order of
   * their numbers.
   */
  numberPairs(
    rights: Uint32Array,
    table: { readonly at: number; readonly size: number; readonly count: number },
    added: (pairs: Uint32Array) => void,
  ): void {
    const { kernels, found, rights: given } = this.#open
    let { count } = table
    for (let first = 0; first < rights.length; first += rowsAtOnce) {
      const end = Math.min(rights.length, first + rowsAtOnce)
      given.set(rights.subarray(first, end))
      const [leftsAt, leftsEnd] = [GROUPS_AT + first * 4, GROUPS_AT + end * 4]
      const known = kernels.numberPairs(leftsAt, leftsEnd, RIGHTS_AT, table.at, table.size, FOUND_AT, count)
      if (known > count) added(found.subarray(0, known - count))
      count = known
    }
  }

  /** Copies the next values into the kernel memory, from index `first`; returns their number. */
  #give({ values, rows, length }: GroupedValues, first: number): number {
    const into = this.#open.values
    const end = Math.min(length, first + rowsAtOnce)
    if (rows === undefined) into.set(values.subarray(first, end))
    else for (let i = first; i < end; i++) into[i - first] = values[rows[i]]
    return end - first
  }
}
