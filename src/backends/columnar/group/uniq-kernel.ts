import { ITEMS_PER_CHECKPOINT, work } from '../../../base/index.ts'
import { countRange, gather, setBit, type Codes, type Column, type Dictionary } from '../../../data/index.ts'
import { KeyEncoder, type PartialKeys } from '../keys/group-keys.ts'
import { PairNumbers, type Pairs } from '../keys/pair-numbers.ts'
import { grown, type GroupedRows, type Kernel, type KernelPartials } from './kernel.ts'
import { pick } from './numbering.ts'

/**
 * The distinct values so far as plain data: either dictionary codes as bits, or keys with pairs of group and key
 * number.
 */
interface Distinct {
  /** Number of bits for each group: one bit for each dictionary code. */
  readonly size: number
  readonly bits: Uint32Array
  readonly keys: PartialKeys | undefined
  /** The pairs of group and key number; `undefined` when all keys belong to group 0. */
  readonly pairs: Pairs | undefined
}

/** Sets the bit of each row's code, for rows that all belong to group 0. */
function markCodes(bits: Uint32Array, { rows, first, length }: GroupedRows, codes: Codes): void {
  if (first !== undefined) {
    const end = first + length
    for (let row = first; row < end; row++) bits[codes[row] >>> 5] |= 1 << codes[row]
    return
  }
  for (let i = 0; i < length; i++) {
    const code = codes[rows[i]]
    bits[code >>> 5] |= 1 << code
  }
}

/** Sets the bit of each row's group and code; each group has `size` bits. */
function markPairs(bits: Uint32Array, size: number, { rows, groups, length }: GroupedRows, codes: Codes): void {
  for (let i = 0; i < length; i++) {
    const index = groups[i] * size + codes[rows[i]]
    bits[index >>> 5] |= 1 << index
  }
}

/** Returns the pairs of group and code whose bits are set. */
function pairsOfBits(bits: Uint32Array, size: number): Pairs {
  const count = countRange(bits, 0, bits.length * 32)
  const left = new Uint32Array(count)
  const right = new Uint32Array(count)
  let length = 0
  for (let word = 0; word < bits.length; word++) {
    if (word % ITEMS_PER_CHECKPOINT === 0) work(ITEMS_PER_CHECKPOINT >>> 5)
    for (let rest = bits[word]; rest !== 0; rest &= rest - 1) {
      const index = word * 32 + 31 - Math.clz32(rest & -rest)
      left[length] = Math.floor(index / size)
      right[length++] = index % size
    }
  }
  return { left, right }
}

const MAX_BITS = 2 ** 29
const NO_BITS = new Uint32Array(0)

/**
 * Counts the distinct values of one field in each group. Dictionary codes are recorded in a bitmap of groups × codes.
 * If the bitmap would be too large, or values outside the dictionary occur, all values are numbered as keys instead.
 */
export class UniqKernel implements Kernel {
  readonly #name: string
  readonly #limit: number
  /** Returns the single dictionary of the field in all segments; `undefined` when there are several or none. */
  readonly #onlyDictionary: () => Dictionary | undefined
  #counts: Float64Array = new Float64Array(1)
  #dictionary: Dictionary | undefined
  #size = 0
  #emptyCode = -1
  #bits = NO_BITS
  /** All distinct pairs of group and key number. */
  #pairs: PairNumbers | undefined
  /**
   * Numbers all values as keys, once some are outside the dictionary. While there is only one group, the count is the
   * number of keys and no pairs are recorded.
   */
  #keys: KeyEncoder | undefined
  /** True if `#counts` is up to date with `#bits`. */
  #areCounted = true

  constructor(name: string, limit: number | undefined, onlyDictionary: () => Dictionary | undefined) {
    this.#name = name
    this.#limit = limit ?? Infinity
    this.#onlyDictionary = onlyDictionary
  }

  reserve(bound: number): void {
    this.#counts = grown(this.#counts, bound)
  }

  add(grouped: GroupedRows): void {
    const column = grouped.segment.columns.get(this.#name)?.column
    if (column === undefined) return
    if (column.kind === 'dictionary' && this.#keys === undefined) {
      if (this.#dictionary === undefined) this.#start(column.dictionary)
      if (this.#dictionary === column.dictionary && this.#addCodes(grouped, column.codes)) return
    }
    const { rows, groups, length } = grouped
    this.#addKeys(groups, (keys) => keys.encode(gather(column, rows.subarray(0, length))))
  }

  #start(dictionary: Dictionary): void {
    this.#dictionary = dictionary
    this.#size = dictionary.size
    this.#emptyCode = dictionary.findFolded('')[0] ?? -1
  }

  /** Returns the bitmap of groups × codes, enlarged as needed; `undefined` when it would be too large. */
  #bitsOfCodes(): Uint32Array | undefined {
    const count = this.#counts.length * this.#size
    if (count > MAX_BITS) return undefined
    const needed = Math.ceil(count / 32)
    if (this.#bits.length < needed) {
      const wider = new Uint32Array(needed)
      wider.set(this.#bits)
      this.#bits = wider
    }
    return this.#bits
  }

  /** Records the codes of rows in the bitmap; returns false if the bitmap would be too large. */
  #addCodes(grouped: GroupedRows, codes: Codes): boolean {
    const bits = this.#bitsOfCodes()
    if (bits === undefined) return false
    this.#areCounted = false
    if (this.#counts.length === 1) markCodes(bits, grouped, codes)
    else markPairs(bits, this.#size, grouped, codes)
    return true
  }

  /** Updates `#counts` from the bitmap if necessary. The codes of missing and empty values do not count. */
  #count(): void {
    if (this.#areCounted) return
    this.#areCounted = true
    const bits = this.#bits
    const size = this.#size
    for (let group = 0; group < this.#counts.length; group++) {
      work(size >>> 9)
      const from = group * size
      bits[from >>> 5] &= ~(1 << from)
      const empty = from + this.#emptyCode
      if (this.#emptyCode !== -1) bits[empty >>> 5] &= ~(1 << empty)
      this.#counts[group] = countRange(bits, from, from + size)
    }
  }

  /** Records values as keys. `encode` returns the key number of each value; `groups` has the group of each value. */
  #addKeys(groups: Uint32Array, encode: (keys: KeyEncoder) => Uint32Array): void {
    const keys = this.#keys ?? this.#keysOfCodes()
    const known = keys.size
    const numbers = encode(keys)
    const { empty } = keys
    const counts = this.#counts
    if (this.#pairs === undefined && counts.length === 1) {
      counts[0] = keys.size - (empty === -1 ? 0 : 1)
      return
    }
    if (this.#pairs === undefined) {
      this.#pairs = new PairNumbers()
      for (let number = 0; number < known; number++) if (number !== empty) this.#pairs.add(0, number)
    }
    const pairs = this.#pairs
    for (let i = 0; i < numbers.length; i++) {
      if (numbers[i] === empty) continue
      work(1)
      if (pairs.add(groups[i], numbers[i])) counts[groups[i]]++
    }
  }

  /** Converts the recorded codes to keys. From then on, all values are numbered as keys. */
  #keysOfCodes(): KeyEncoder {
    this.#count()
    const { left, right } = pairsOfBits(this.#bits, this.#size)
    const keys = new KeyEncoder()
    this.#keys = keys
    this.#bits = NO_BITS
    this.#counts.fill(0)
    this.#addKeysOfCodes(left, right)
    return keys
  }

  #addKeysOfCodes(groups: Uint32Array, codes: Uint32Array): void {
    const dictionary = this.#dictionary
    if (dictionary === undefined || codes.length === 0) return
    this.#addKeys(groups, (keys) => keys.encode({ kind: 'dictionary', length: codes.length, codes, dictionary }))
  }

  readonly partials: KernelPartials<Distinct> = {
    exportPartial: () => {
      this.#count()
      const keys = this.#keys?.exportKeys()
      if (this.#keys !== undefined && keys === undefined) return undefined
      const given = { size: this.#size, bits: this.#bits, keys, pairs: this.#pairs?.all() }
      this.#bits = NO_BITS
      this.#pairs = undefined
      this.#keys = undefined
      this.#counts.fill(0)
      return given
    },
    fits: ({ bits, keys }) =>
      keys !== undefined || bits.length === 0 || (this.#dictionary ?? this.#onlyDictionary()) !== undefined,
    mergePartial: ({ size, bits, keys, pairs }, groups) => {
      if (keys !== undefined) {
        const of = pairs === undefined ? undefined : pick(groups, pairs.left)
        this.#addKeys(of ?? new Uint32Array(keys.ends.length).fill(groups[0]), (own) => {
          const numbers = own.mergePartial(keys)
          return pairs === undefined ? numbers : pick(numbers, pairs.right)
        })
        return
      }
      if (bits.length === 0) return
      this.#count()
      const dictionary = this.#dictionary ?? this.#onlyDictionary()
      if (this.#dictionary === undefined && dictionary !== undefined) this.#start(dictionary)
      if (this.#takeBits(bits, size, groups)) return
      const { left, right } = pairsOfBits(bits, size)
      const own = pick(groups, left)
      const ownBits = this.#keys === undefined ? this.#bitsOfCodes() : undefined
      if (ownBits === undefined) {
        this.#addKeysOfCodes(own, right)
        return
      }
      this.#areCounted = false
      for (let i = 0; i < own.length; i++) setBit(ownBits, own[i] * this.#size + right[i])
    },
  }

  /** Merges another bitmap bit by bit if it has the same groups and codes; returns false otherwise. */
  #takeBits(bits: Uint32Array, size: number, groups: Uint32Array): boolean {
    if (bits.length === 0 || this.#keys !== undefined || size !== this.#size) return false
    const own = this.#bitsOfCodes()
    if (own === undefined || own.length < bits.length || groups.some((group, i) => group !== i)) return false
    work(bits.length >>> 5)
    this.#areCounted = false
    for (let word = 0; word < bits.length; word++) own[word] |= bits[word]
    return true
  }

  finish(groups: Uint32Array): Column {
    this.#count()
    const values = new Float64Array(groups.length)
    for (let i = 0; i < groups.length; i++) values[i] = Math.min(this.#counts[groups[i]], this.#limit)
    return { kind: 'float64', length: values.length, values, validity: undefined }
  }

  bytes(): number {
    const ofValues = (this.#pairs?.memoryBytes ?? 0) + (this.#keys?.memoryBytes ?? 0)
    return this.#counts.byteLength + this.#bits.byteLength + ofValues
  }
}
