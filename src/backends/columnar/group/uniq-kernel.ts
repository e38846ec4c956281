import { groupKeyText, isEmptyValue, valueAt, type Column, type Dictionary } from '../../../data/index.ts'
import { grown, type GroupedRows, type Kernel } from './kernel.ts'

const MAX_BITS = 2 ** 29
const LANE = 2 ** 32

/**
 * Counts the distinct values of one field per group. Values of a dictionary are told apart by code: in a bitmap of
 * groups × codes while that is small, else in a set of pairs.
 */
export class UniqKernel implements Kernel {
  readonly #name: string
  readonly #limit: number
  #counts: Float64Array = new Float64Array(1)
  #dictionary: Dictionary | undefined
  #size = 0
  #emptyCode = -1
  #bits = new Uint32Array(0)
  #pairs: Set<number> | undefined
  /** Values outside the dictionary, as group and text; texts of the dictionary's codes too once there is one. */
  #texts: Set<string> | undefined
  #heldBytes = 0

  constructor(name: string, limit: number | undefined) {
    this.#name = name
    this.#limit = limit ?? Infinity
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

  #addCodes({ rows, groups, length }: GroupedRows, codes: ArrayLike<number>): void {
    const size = this.#size
    const counts = this.#counts
    const emptyCode = this.#emptyCode
    if (this.#pairs === undefined && this.#counts.length * size <= MAX_BITS) {
      const needed = Math.ceil((this.#counts.length * size) / 32)
      if (this.#bits.length < needed) {
        const wider = new Uint32Array(needed)
        wider.set(this.#bits)
        this.#bits = wider
      }
      const bits = this.#bits
      for (let i = 0; i < length; i++) {
        const code = codes[rows[i]]
        if (code === 0 || code === emptyCode) continue
        const index = groups[i] * size + code
        const word = index >>> 5
        const bit = 1 << (index & 31)
        if ((bits[word] & bit) !== 0) continue
        bits[word] |= bit
        counts[groups[i]]++
      }
      return
    }
    const pairs = (this.#pairs ??= this.#pairsOfBits())
    for (let i = 0; i < length; i++) {
      const code = codes[rows[i]]
      if (code === 0 || code === emptyCode) continue
      const pair = groups[i] * LANE + code
      if (pairs.has(pair)) continue
      pairs.add(pair)
      counts[groups[i]]++
    }
  }

  #pairsOfBits(): Set<number> {
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

  finish(groups: Uint32Array): Column {
    const values = new Float64Array(groups.length)
    for (let i = 0; i < groups.length; i++) values[i] = Math.min(this.#counts[groups[i]], this.#limit)
    return { kind: 'float64', length: values.length, values, validity: undefined }
  }

  bytes(): number {
    return this.#counts.byteLength + this.#bits.byteLength + (this.#pairs?.size ?? 0) * 40 + this.#heldBytes
  }
}
