import { work } from '../../../base/index.ts'
import {
  countRange,
  groupKeyText,
  isEmptyValue,
  valueAt,
  type Codes,
  type Column,
  type Dictionary,
} from '../../../data/index.ts'
import { grown, type GroupedRows, type Kernel, type KernelParts } from './kernel.ts'

/** What was seen: of a dictionary either bits or pairs of group and code, of other values texts behind their groups. */
interface Distinct {
  /** Codes of a group in `bits`. */
  readonly size: number
  readonly bits: Uint32Array
  readonly pairs: Float64Array
  readonly texts: readonly string[] | undefined
}

/** Sets the bit of each row's code; all rows are of group 0. */
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

/** Sets the bit of each row's group and code, of which there are `size`. */
function markPairs(bits: Uint32Array, size: number, { rows, groups, length }: GroupedRows, codes: Codes): void {
  for (let i = 0; i < length; i++) {
    const index = groups[i] * size + codes[rows[i]]
    bits[index >>> 5] |= 1 << index
  }
}

const MAX_BITS = 2 ** 29
const LANE = 2 ** 32
const WORDS_PER_LOOK = 4096

/**
 * Counts the distinct values of one field per group. Values of a dictionary are told apart by code: in a bitmap of
 * groups × codes while that is small, else in a set of pairs.
 */
export class UniqKernel implements Kernel {
  readonly #name: string
  readonly #limit: number
  /** The one dictionary of the field in all segments; `undefined` when there are several, or none. */
  readonly #onlyDictionary: () => Dictionary | undefined
  #counts: Float64Array = new Float64Array(1)
  #dictionary: Dictionary | undefined
  #size = 0
  #emptyCode = -1
  #bits = new Uint32Array(0)
  #pairs: Set<number> | undefined
  /** Values outside the dictionary, as group and text; texts of the dictionary's codes too once there is one. */
  #texts: Set<string> | undefined
  #heldBytes = 0
  /** Whether `#counts` has what is set in `#bits`. */
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
    if (column.kind === 'dictionary' && this.#texts === undefined) {
      if (this.#dictionary === undefined) this.#start(column.dictionary)
      if (this.#dictionary === column.dictionary) {
        this.#addCodes(grouped, column.codes)
        return
      }
    }
    this.#addTexts(grouped, column)
  }

  #start(dictionary: Dictionary): void {
    this.#dictionary = dictionary
    this.#size = dictionary.size
    this.#emptyCode = dictionary.findFolded('')[0] ?? -1
  }

  /** The bits, enough of them; `undefined` when there would be too many. */
  #bitsOfCodes(): Uint32Array | undefined {
    const count = this.#counts.length * this.#size
    if (this.#pairs !== undefined || count > MAX_BITS) return undefined
    const needed = Math.ceil(count / 32)
    if (this.#bits.length < needed) {
      const wider = new Uint32Array(needed)
      wider.set(this.#bits)
      this.#bits = wider
    }
    return this.#bits
  }

  #addCodes(grouped: GroupedRows, codes: Codes): void {
    const bits = this.#bitsOfCodes()
    if (bits !== undefined) {
      this.#areCounted = false
      if (this.#counts.length === 1) markCodes(bits, grouped, codes)
      else markPairs(bits, this.#size, grouped, codes)
      return
    }
    const { rows, groups, length } = grouped
    const emptyCode = this.#emptyCode
    const pairs = (this.#pairs ??= this.#pairsOfBits())
    for (let i = 0; i < length; i++) {
      const code = codes[rows[i]]
      if (code === 0 || code === emptyCode) continue
      const pair = groups[i] * LANE + code
      if (pairs.has(pair)) continue
      pairs.add(pair)
      this.#counts[groups[i]]++
    }
  }

  /** Counts the bits of each group where that has not been done; the codes of missing and empty values are no values. */
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

  #pairsOfBits(): Set<number> {
    this.#count()
    const pairs = new Set<number>()
    for (let word = 0; word < this.#bits.length; word++) {
      for (let bits = this.#bits[word]; bits !== 0; bits &= bits - 1) {
        const index = word * 32 + 31 - Math.clz32(bits & -bits)
        pairs.add(Math.floor(index / this.#size) * LANE + (index % this.#size))
      }
    }
    this.#bits = new Uint32Array(0)
    return pairs
  }

  #addTexts({ rows, groups, length }: GroupedRows, column: Column): void {
    const texts = (this.#texts ??= this.#textsOfCodes())
    for (let i = 0; i < length; i++) {
      const value = valueAt(column, rows[i])
      if (!isEmptyValue(value)) this.#seeText(texts, groups[i], groupKeyText(value))
    }
  }

  #seeText(texts: Set<string>, group: number, text: string): void {
    const key = `${group} ${text}`
    if (texts.has(key)) return
    texts.add(key)
    this.#heldBytes += 56 + 2 * key.length
    this.#counts[group]++
  }

  #textsOfCodes(): Set<string> {
    const texts = new Set<string>()
    this.#counts.fill(0)
    for (const pair of this.#pairs ?? this.#pairsOfBits()) {
      const value = this.#dictionary?.valueAt(pair % LANE) ?? null
      this.#seeText(texts, Math.floor(pair / LANE), groupKeyText(value))
    }
    this.#pairs = undefined
    return texts
  }

  readonly parts: KernelParts<Distinct> = {
    give: () => {
      this.#count()
      const given: Distinct = {
        size: this.#size,
        bits: this.#bits,
        pairs: Float64Array.from(this.#pairs ?? []),
        texts: this.#texts && [...this.#texts],
      }
      this.#bits = new Uint32Array(0)
      this.#pairs = undefined
      this.#texts = undefined
      this.#counts.fill(0)
      return given
    },
    fits: ({ bits, pairs }) =>
      (bits.length === 0 && pairs.length === 0) || (this.#dictionary ?? this.#onlyDictionary()) !== undefined,
    take: ({ size, bits, pairs, texts }, groups) => {
      if (texts !== undefined) {
        const own = (this.#texts ??= this.#textsOfCodes())
        for (const text of texts) {
          work(1)
          const end = text.indexOf(' ')
          this.#seeText(own, groups[Number(text.slice(0, end))], text.slice(end + 1))
        }
        return
      }
      if (bits.length === 0 && pairs.length === 0) return
      this.#count()
      const dictionary = this.#dictionary ?? this.#onlyDictionary()
      if (this.#dictionary === undefined && dictionary !== undefined) this.#start(dictionary)
      for (let i = 0; i < pairs.length; i++) {
        this.#addCode(groups[Math.floor(pairs[i] / LANE)], pairs[i] % LANE)
      }
      this.#takeBits(bits, size, groups)
    },
  }

  #takeBits(bits: Uint32Array, size: number, groups: Uint32Array): void {
    const own = this.#texts === undefined ? this.#bitsOfCodes() : undefined
    const isSame = size === this.#size && groups.every((group, i) => group === i)
    if (isSame && own !== undefined && own.length >= bits.length) {
      work(bits.length >>> 5)
      this.#areCounted = false
      for (let word = 0; word < bits.length; word++) own[word] |= bits[word]
      return
    }
    for (let word = 0; word < bits.length; word++) {
      if (word % WORDS_PER_LOOK === 0) work(WORDS_PER_LOOK >>> 5)
      for (let left = bits[word]; left !== 0; left &= left - 1) {
        const index = word * 32 + 31 - Math.clz32(left & -left)
        this.#addCode(groups[Math.floor(index / size)], index % size)
      }
    }
  }

  #addCode(group: number, code: number): void {
    if (this.#texts !== undefined) {
      const value = this.#dictionary?.valueAt(code) ?? null
      if (!isEmptyValue(value)) this.#seeText(this.#texts, group, groupKeyText(value))
      return
    }
    const bits = this.#bitsOfCodes()
    if (bits !== undefined) {
      const index = group * this.#size + code
      const bit = 1 << (index & 31)
      if ((bits[index >>> 5] & bit) !== 0) return
      bits[index >>> 5] |= bit
    } else {
      const pairs = (this.#pairs ??= this.#pairsOfBits())
      const pair = group * LANE + code
      if (pairs.has(pair)) return
      pairs.add(pair)
    }
    this.#counts[group]++
  }

  finish(groups: Uint32Array): Column {
    this.#count()
    const values = new Float64Array(groups.length)
    for (let i = 0; i < groups.length; i++) values[i] = Math.min(this.#counts[groups[i]], this.#limit)
    return { kind: 'float64', length: values.length, values, validity: undefined }
  }

  bytes(): number {
    return this.#counts.byteLength + this.#bits.byteLength + (this.#pairs?.size ?? 0) * 40 + this.#heldBytes
  }
}
