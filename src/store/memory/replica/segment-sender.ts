import { present } from '../../../base/index.ts'
import { GrowingDictionary } from '../dictionary/dictionary.ts'
import { DictionarySender, receiveDictionary, type DictionaryDelta } from '../dictionary/dictionary-news.ts'
import type { Segment, StoredColumn } from '../segment.ts'
import {
  decodeColumn,
  decodeSegment,
  encodeColumn,
  encodeSegment,
  type EncodedSegment,
  type EncodedStoredColumn,
} from './encoded-segment.ts'
import { encodeFile, type OpenStored, type EncodedFile } from './encoded-files.ts'
import { WordsInMemory } from '../words/word-index.ts'

/** A segment with its columns, which refer to dictionaries by number. */
interface NumberedSegment {
  readonly number: number
  readonly segment: EncodedSegment
  readonly columns: readonly (readonly [name: string, column: EncodedStoredColumn])[]
}

/** A segment in a file, with the numbers of its dictionaries by field. */
interface NumberedFile extends Pick<EncodedFile, 'file' | 'definition'> {
  readonly number: number
  readonly fields: readonly (readonly [field: string, dictionary: number])[]
}

/** Data that a receiver needs before it can find segments by number: names, numbers and shared buffers. */
export interface SegmentDelta {
  readonly dictionaries: readonly (readonly [number: number, news: DictionaryDelta])[]
  readonly segments: readonly NumberedSegment[]
  readonly files: readonly NumberedFile[]
  /** Numbers of segments and dictionaries that were garbage-collected in the sender's thread. */
  readonly dropped: readonly number[]
}

/** Sends segments to one receiver in another thread, each segment once. Holds segments weakly. */
export class SegmentSender {
  readonly #numbers = new WeakMap<object, number>()
  /** Segment numbers of lists that were sent completely. A table returns the same list until rows arrive. */
  readonly #lists = new WeakMap<readonly Segment[], readonly number[]>()
  readonly #sender = new DictionarySender()
  readonly #gone: FinalizationRegistry<number>
  #next = 0
  #dropped: number[] = []

  constructor() {
    this.#gone = new FinalizationRegistry((number) => void this.#dropped.push(number))
  }

  #numberOf(of: object): number {
    let number = this.#numbers.get(of)
    if (number === undefined) {
      number = this.#next++
      this.#numbers.set(of, number)
      this.#gone.register(of, number)
    }
    return number
  }

  /**
   * Returns the numbers of segments, and the data that the receiver must apply first. Returns `undefined` if other
   * threads cannot read some of the segments.
   */
  send(segments: readonly Segment[]): { readonly numbers: readonly number[]; readonly news: SegmentDelta } | undefined {
    const known = this.#lists.get(segments)
    if (known !== undefined) return { numbers: known, news: this.#newsOf([], [], []) }
    // Checked without reading from files.
    const canSend = segments.every(
      (segment) => this.#numbers.has(segment) || encodeFile(segment) !== undefined || isInMemory(segment),
    )
    if (!canSend) return undefined
    const sent: NumberedSegment[] = []
    const files: NumberedFile[] = []
    const dictionaries = new Map<number, DictionaryDelta>()
    const numberOf = (dictionary: GrowingDictionary): number => {
      const number = this.#numberOf(dictionary)
      const changes = this.#sender.news(dictionary)
      if (changes === undefined) return number
      // An earlier segment of this call may have sent changes of the dictionary, which must not be lost.
      const sent = dictionaries.get(number)
      const goesAlong = sent !== undefined && !('stored' in sent)
      dictionaries.set(number, goesAlong ? { ...sent, ...changes } : changes)
      return number
    }
    const numbers = segments.map((segment) => {
      const before = this.#numbers.get(segment)
      if (before !== undefined) return before
      const number = this.#numberOf(segment)
      const known = encodeFile(segment)
      if (known !== undefined) {
        const { file, definition } = known
        const fields = Array.from(known.dictionaries(), ([field, of]) => [field, numberOf(of)] as const)
        files.push({ number, file, definition, fields })
        return number
      }
      const columns = Array.from(segment.columns, ([name, stored]) => [name, encodeColumn(stored, numberOf)] as const)
      sent.push({ number, segment: encodeSegment(segment), columns })
      return number
    })
    this.#lists.set(segments, numbers)
    return { numbers, news: this.#newsOf([...dictionaries], sent, files) }
  }

  #newsOf(
    dictionaries: SegmentDelta['dictionaries'],
    segments: SegmentDelta['segments'],
    files: SegmentDelta['files'],
  ): SegmentDelta {
    const dropped = this.#dropped
    this.#dropped = []
    return { dictionaries, segments, files, dropped }
  }
}

function isInMemory({ words, columns }: Segment): boolean {
  return columns instanceof Map && (words === undefined || words instanceof WordsInMemory)
}

/** Receives segments from a `SegmentSender` in another thread. */
export class SegmentReceiver {
  readonly #open: OpenStored | undefined
  readonly #dictionaries = new Map<number, GrowingDictionary>()
  readonly #segments = new Map<number, Segment>()

  /** `open` is required for segments in files. */
  constructor(open?: OpenStored) {
    this.#open = open
  }

  receive({ dictionaries, segments, files, dropped }: SegmentDelta): void {
    for (const number of dropped) {
      this.#dictionaries.delete(number)
      this.#segments.delete(number)
    }
    for (const [number, news] of dictionaries) {
      const known = this.#dictionaries.get(number) ?? new GrowingDictionary()
      this.#dictionaries.set(number, known)
      receiveDictionary(known, news, (sent) => present(this.#open, 'a reader of files').dictionary(sent))
    }
    const dictionaryOf = (number: number): GrowingDictionary => present(this.#dictionaries.get(number), 'a dictionary')
    for (const { number, segment, columns } of segments) {
      const decoded = new Map<string, StoredColumn>()
      for (const [name, column] of columns) decoded.set(name, decodeColumn(column, dictionaryOf))
      this.#segments.set(number, decodeSegment(segment, decoded))
    }
    for (const { number, file, definition, fields } of files) {
      const numbers = new Map(fields)
      const open = present(this.#open, 'a reader of files')
      const ofField = (field: string): GrowingDictionary => dictionaryOf(present(numbers.get(field), 'a field'))
      this.#segments.set(number, open.segment(file, definition, ofField))
    }
  }

  segments(numbers: readonly number[]): readonly Segment[] {
    return numbers.map((number) => present(this.#segments.get(number), 'a segment that was sent'))
  }

  /** Returns the segments with these numbers and forgets them. For callers that need each segment once. */
  take(numbers: readonly number[]): readonly Segment[] {
    const segments = this.segments(numbers)
    for (const number of numbers) this.#segments.delete(number)
    return segments
  }
}
