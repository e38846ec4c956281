import { InvariantError, runToEnd, invariant, present } from '../../../base/index.ts'
import type { Codes, Column, DictionaryColumn, SparseColumn } from '../../../data/index.ts'
import type { DictionaryState } from '../dictionary/dictionary-entries.ts'
import { GrowingDictionary } from '../dictionary/dictionary.ts'
import type { Segment, StoredColumn } from '../segment.ts'
import { bytesOf } from '../shared.ts'
import { withWords } from '../seal.ts'
import type { WordIndexBuilder } from '../words/word-index-builder.ts'
import { WordsInMemory, type WordArrays, type WordIndex } from '../words/word-index.ts'

/** A column of codes; `dictionary` is the number of its dictionary. */
interface NumberedColumn {
  readonly kind: 'dictionary'
  readonly length: number
  readonly codes: Codes
  readonly dictionary: number
}

/** A column in a message to another thread. */
export type EncodedColumn =
  | Exclude<Column, DictionaryColumn | SparseColumn<Column>>
  | NumberedColumn
  | SparseColumn<EncodedColumn>

/** A segment without columns. These are sent separately, since a segment may have thousands. */
export type EncodedSegment = Omit<Segment, 'columns' | 'words'> & { readonly words: WordArrays | undefined }

export type EncodedStoredColumn = Omit<StoredColumn, 'column'> & { readonly column: EncodedColumn }

/** A complete segment for a thread that does not know its table. It consists of names, numbers and shared buffers. */
export interface LoneSegment {
  readonly segment: EncodedSegment
  readonly columns: readonly (readonly [name: string, column: EncodedStoredColumn])[]
  /** The states of the dictionaries; the index is the number that columns use. */
  readonly dictionaries: readonly DictionaryState[]
}

export function encodeSegment({ columns: _, words, ...encoded }: Segment): EncodedSegment {
  invariant(words === undefined || words instanceof WordsInMemory, 'the words of a segment in memory')
  return { ...encoded, words: words?.arrays }
}

/** Returns the segment of a received message. The caller may add to `columns` later. */
export function decodeSegment(encoded: EncodedSegment, columns: ReadonlyMap<string, StoredColumn>): Segment {
  const words = encoded.words && decodeWordIndex(encoded.words)
  return { ...encoded, columns, words }
}

export function encodeColumn(
  stored: StoredColumn,
  numberOf: (dictionary: GrowingDictionary) => number,
): EncodedStoredColumn {
  const encoded = (column: Column): EncodedColumn => {
    if (column.kind === 'sparse') return { ...column, present: encoded(column.present) }
    if (column.kind !== 'dictionary') return column
    const { dictionary } = column
    invariant(dictionary instanceof GrowingDictionary, 'segments have the dictionaries of their table')
    return { ...column, dictionary: numberOf(dictionary) }
  }
  return { ...stored, column: encoded(stored.column) }
}

export function decodeColumn(
  stored: EncodedStoredColumn,
  dictionaryOf: (number: number) => GrowingDictionary,
): StoredColumn {
  const decoded = (column: EncodedColumn): Column => {
    switch (column.kind) {
      case 'sparse':
        return { ...column, present: decoded(column.present) }
      case 'dictionary':
        return { ...column, dictionary: dictionaryOf(column.dictionary) }
      case 'text':
      case 'mixed':
        return { ...column, bytes: bytesOf(column.bytes) }
      case 'float64':
      case 'int64':
      case 'time':
      case 'constant':
        return column
      default:
        throw new InvariantError(`a stored column is not ${column.kind}`)
    }
  }
  return { ...stored, column: decoded(stored.column) }
}

/** Returns a segment in memory as a message to another thread. */
export function encodeAlone(segment: Segment): LoneSegment {
  const numbers = new Map<GrowingDictionary, number>()
  const numberOf = (dictionary: GrowingDictionary): number => {
    const number = numbers.get(dictionary) ?? numbers.size
    numbers.set(dictionary, number)
    return number
  }
  const columns = Array.from(segment.columns, ([name, stored]) => [name, encodeColumn(stored, numberOf)] as const)
  return {
    segment: encodeSegment(segment),
    columns,
    dictionaries: Array.from(numbers.keys(), (each) => each.entries.state()),
  }
}

/** Returns only the text column of a segment, for the thread that builds the word index. */
export function encodeTextField(segment: Segment): LoneSegment {
  const { columns, textField } = segment
  return encodeAlone({ ...segment, columns: new Map([...columns].filter(([name]) => name === textField)) })
}

/** Returns the word index of a received text column; `undefined` if there is no text. */
export function wordsOfEncoded(encoded: LoneSegment, builder: WordIndexBuilder): WordArrays | undefined {
  return encodeSegment(runToEnd(withWords(decodeAlone(encoded), builder))).words
}

export function decodeWordIndex(words: WordArrays): WordIndex {
  return new WordsInMemory({ ...words, bytes: bytesOf(words.bytes) })
}

export function decodeAlone({ segment, columns, dictionaries }: LoneSegment): Segment {
  const known = dictionaries.map((state) => {
    const dictionary = new GrowingDictionary()
    dictionary.adopt(state)
    return dictionary
  })
  const decoded = columns.map(
    ([name, stored]) => [name, decodeColumn(stored, (number) => present(known[number], 'a dictionary'))] as const,
  )
  return decodeSegment(segment, new Map(decoded))
}
