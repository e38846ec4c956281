import { ITEMS_PER_CHECKPOINT, invariant, type StepwiseTask } from '../../base/index.ts'
import type { TextColumn } from '../../data/index.ts'
import { WordsInMemory, type Segment } from '../memory/index.ts'
import type { StoredColumnContents } from './layout.ts'
import type { StoredSegment } from './open-segment.ts'
import { eachFoldedEntry, eachFoldedText, type TakeText } from './folded-texts.ts'
import { wordsOfGroup } from './words/stored-words.ts'
import { usedCodes } from './used-codes.ts'
import { hashOfBytes, mixed } from './words/word-filter.ts'

/*
 * Hashes of 32 bits for the words and values of row groups, from which the filter of a part is made. Different values
 * may have the same hash: then a row group may be read needlessly.
 */

export function hashOfWord(word: Uint8Array, start = 0, end = word.length): number {
  return hashOfBytes(word, start, end)
}

/**
 * Numbers that are combined with the hash of a field's name, so that equal strings in two fields have different hashes.
 */
const seed = {
  value: 0x6c8e9cf5,
  /** For the mark that the field has values without hashes. */
  isOther: 0x7f4a7c15,
} as const

/** The hashes of the values of one field. */
export interface FieldHashes {
  /** The hash that stands for all values that have no hash of their own. */
  readonly isOther: number
  /** Returns the hash of a folded string. */
  ofText(folded: Uint8Array, start?: number, end?: number): number
}

export function fieldHashes(field: string): FieldHashes {
  const name = hashOfBytes(Buffer.from(field))
  const valueSeed = mixed(name ^ seed.value)
  return {
    isOther: mixed(name ^ seed.isOther),
    ofText: (folded, start, end) => mixed(hashOfBytes(folded, start, end) ^ valueSeed),
  }
}

/**
 * Maximum size of a text column that is hashed, bytes. A larger one would need too much memory for the pages of the
 * filter.
 */
const MAX_COLUMN_BYTES = 32 * 1024 * 1024

class HashList {
  #hashes = new Uint32Array(16_384)
  #length = 0

  readonly add = (hash: number): void => {
    if (this.#length === this.#hashes.length) {
      const longer = new Uint32Array(this.#length * 2)
      longer.set(this.#hashes)
      this.#hashes = longer
    }
    this.#hashes[this.#length++] = hash
  }

  /** Returns a function that adds the hashes of a field's strings. */
  adder(hashes: FieldHashes): TakeText {
    return (folded, start, end) => this.add(hashes.ofText(folded, start, end))
  }

  /** Returns the hashes in ascending order, with duplicates. */
  sorted(): Uint32Array {
    return this.#hashes.subarray(0, this.#length).sort()
  }
}

/** True if all values of a field are dictionary codes. */
function hasCodes(column: StoredColumnContents): boolean {
  return column.kind === 'dictionary' || (column.kind === 'sparse' && column.present.kind === 'dictionary')
}

/**
 * Returns the hashes of a row group in a file, ascending. Blocks are not cached, since each is needed only once. Throws
 * SluiceError `durable/damaged`.
 */
export function* hashesInFile(segment: StoredSegment): StepwiseTask<Uint32Array> {
  const { file, textField } = segment
  const open = file.open()
  const { columns, words } = open.contents
  const list = new HashList()
  if (words !== undefined)
    for (let group = 0; group < words.groups; group++) {
      const { bytes, offsets, counts } = wordsOfGroup(file, open, words, group)
      for (let word = 0; word < counts.length; word++) list.add(hashOfWord(bytes, offsets[word], offsets[word + 1]))
      yield
    }
  for (const { name, column } of columns) {
    if (name === textField && words !== undefined) continue
    const hashes = fieldHashes(name)
    if (hasCodes(column)) {
      for (const [, entries] of file.entries(open, name))
        if (yield* eachFoldedEntry(entries, undefined, list.adder(hashes))) list.add(hashes.isOther)
    } else if (column.kind === 'text' && column.texts.bytes <= MAX_COLUMN_BYTES)
      yield* eachFoldedText(segment.columns.get(name)?.column as TextColumn, list.adder(hashes))
    else list.add(hashes.isOther)
    yield
  }
  return list.sorted()
}

/** Returns the hashes of a segment in memory, ascending. */
export function* hashesInMemory({ columns, words, textField }: Segment): StepwiseTask<Uint32Array> {
  const list = new HashList()
  if (words !== undefined) {
    invariant(words instanceof WordsInMemory, 'the words of a segment in memory')
    const { bytes, lengths, wordCount } = words.arrays
    for (let word = 0, at = 0; word < wordCount; at += lengths[word++]) {
      if (word % ITEMS_PER_CHECKPOINT === ITEMS_PER_CHECKPOINT - 1) yield
      list.add(hashOfWord(bytes, at, at + lengths[word]))
    }
  }
  for (const [name, { column }] of columns) {
    if (name === textField && words !== undefined) continue
    yield
    const hashes = fieldHashes(name)
    const coded = column.kind === 'sparse' ? column.present : column
    if (coded.kind === 'dictionary') {
      if (yield* eachFoldedEntry(coded.dictionary, usedCodes(coded.codes), list.adder(hashes))) list.add(hashes.isOther)
    } else if (column.kind === 'text' && column.offsets[column.length] <= MAX_COLUMN_BYTES)
      yield* eachFoldedText(column, list.adder(hashes))
    else list.add(hashes.isOther)
  }
  return list.sorted()
}
