import type { Codes, Column, Dictionary, DictionaryColumn } from '../../../data/index.ts'
import type { Segment } from '../../../store/index.ts'
import type { SegmentRange } from '../segments/segment-range.ts'
import type { Slice } from '../segments/source.ts'
import { dictionaryRanks } from '../keys/key-order.ts'
import type { NumberedKey } from './numbered-key.ts'

/**
 * Returns the only dictionary of a field in these ranges; ranges without a dictionary are ignored. `undefined` if there
 * are several dictionaries or none.
 */
export function onlyDictionary(name: string, ranges: readonly SegmentRange[]): Dictionary | undefined {
  let found: Dictionary | undefined
  for (const { segment } of ranges) {
    const column = segment.columns.get(name)?.column
    if (column?.kind !== 'dictionary') continue
    if (found !== undefined && found !== column.dictionary) return undefined
    found = column.dictionary
  }
  return found
}

/**
 * A group key over a field that uses the same dictionary in every segment. The dictionary codes serve as key numbers.
 */
export class DictionaryKey implements NumberedKey {
  readonly name: string
  readonly dictionary: Dictionary
  readonly size: number
  readonly isFixed = true
  /** The code of `''`, which is the same key as a missing value; -1 when there is none. */
  readonly emptyCode: number

  constructor(name: string, dictionary: Dictionary) {
    this.name = name
    this.dictionary = dictionary
    this.size = dictionary.size
    this.emptyCode = dictionary.findFolded('')[0] ?? -1
  }

  /**
   * Makes the key of a field. Returns `undefined` unless the field has exactly one dictionary, and if a segment stores
   * the field without the dictionary.
   */
  static of(name: string, ranges: readonly SegmentRange[]): DictionaryKey | undefined {
    let dictionary: Dictionary | undefined
    for (const { segment } of ranges) {
      const column = segment.columns.get(name)?.column
      if (column === undefined) continue
      if (column.kind !== 'dictionary' || (dictionary !== undefined && column.dictionary !== dictionary))
        return undefined
      dictionary = column.dictionary
    }
    return dictionary === undefined ? undefined : new DictionaryKey(name, dictionary)
  }

  column(slice: Slice): DictionaryColumn | undefined {
    const column = slice.segment.columns.get(this.name)?.column
    return column?.kind === 'dictionary' ? column : undefined
  }

  /**
   * Returns the number of rows for each code of a whole segment. `undefined` if the counts are unknown, or if the
   * dictionary contains `''`.
   */
  counts(segment: Segment): Uint32Array | undefined {
    const stored = segment.columns.get(this.name)
    if (stored === undefined) return Uint32Array.of(segment.rowCount)
    return this.emptyCode === -1 ? stored.counts : undefined
  }

  codesOf(slice: Slice): Codes | undefined {
    return this.emptyCode === -1 ? this.column(slice)?.codes.subarray(slice.from, slice.to) : undefined
  }

  fill(slice: Slice, into: Uint32Array): void {
    const column = this.column(slice)
    const { from, rows, length } = slice
    if (column === undefined) {
      into.fill(0, 0, length)
      return
    }
    const { codes } = column
    if (rows === undefined) into.set(codes.subarray(from, from + length))
    else for (let i = 0; i < length; i++) into[i] = codes[rows[i]]
    const { emptyCode } = this
    if (emptyCode !== -1) for (let i = 0; i < length; i++) if (into[i] === emptyCode) into[i] = 0
  }

  values(ids: Uint32Array): Column {
    return { kind: 'dictionary', length: ids.length, codes: ids, dictionary: this.dictionary }
  }

  ranks(ids: Uint32Array): Uint32Array {
    return dictionaryRanks(this.dictionary, ids)
  }
}
