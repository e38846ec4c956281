import { present } from '../../base/index.ts'
import { GrowingDictionary, type DictionaryState } from './dictionary.ts'
import type { Segment, StoredColumn } from './segment.ts'
import { changesOf, type DictionaryNews } from './table-news.ts'
import {
  heardColumn,
  heardSegment,
  toldColumn,
  toldSegment,
  type ToldSegment,
  type ToldStoredColumn,
} from './told-segment.ts'
import { WordsInMemory } from './word-index.ts'

/** A segment with its columns, whose dictionaries are numbers. */
interface NumberedSegment {
  readonly number: number
  readonly segment: ToldSegment
  readonly columns: readonly (readonly [name: string, column: ToldStoredColumn])[]
}

/** What a listener must know to find some segments by their numbers. Names, numbers and shared buffers. */
export interface SegmentNews {
  readonly dictionaries: readonly (readonly [number: number, news: DictionaryNews])[]
  readonly segments: readonly NumberedSegment[]
  /** Segments and dictionaries that nobody has any more. */
  readonly dropped: readonly number[]
}

/** Tells one listener in another thread of segments in memory, each once. It keeps none of them alive. */
export class SegmentTeller {
  readonly #numbers = new WeakMap<object, number>()
  readonly #told = new WeakMap<GrowingDictionary, DictionaryState>()
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

  /** The numbers of segments, and what the listener must hear first; `undefined` when some of them are not in memory. */
  tell(segments: readonly Segment[]): { readonly numbers: readonly number[]; readonly news: SegmentNews } | undefined {
    const areTold = segments.every((segment) => this.#numbers.has(segment) || isInMemory(segment))
    if (!areTold) return undefined
    const told: NumberedSegment[] = []
    const dictionaries = new Map<number, DictionaryNews>()
    const numberOf = (dictionary: GrowingDictionary): number => {
      const number = this.#numberOf(dictionary)
      const before = this.#told.get(dictionary)
      if (before?.size !== dictionary.size) {
        const state = dictionary.state()
        this.#told.set(dictionary, state)
        // What was told of it for a segment before goes along.
        dictionaries.set(number, {
          ...dictionaries.get(number),
          ...(before === undefined ? state : changesOf(before, state)),
        })
      }
      return number
    }
    const numbers = segments.map((segment) => {
      const known = this.#numbers.get(segment)
      if (known !== undefined) return known
      const number = this.#numberOf(segment)
      const columns = Array.from(segment.columns, ([name, stored]) => [name, toldColumn(stored, numberOf)] as const)
      told.push({ number, segment: toldSegment(segment), columns })
      return number
    })
    const dropped = this.#dropped
    this.#dropped = []
    return { numbers, news: { dictionaries: [...dictionaries], segments: told, dropped } }
  }
}

function isInMemory({ words, columns }: Segment): boolean {
  return columns instanceof Map && (words === undefined || words instanceof WordsInMemory)
}

/** The other end of a teller. */
export class SegmentListener {
  readonly #dictionaries = new Map<number, GrowingDictionary>()
  readonly #segments = new Map<number, Segment>()

  hear({ dictionaries, segments, dropped }: SegmentNews): void {
    for (const number of dropped) {
      this.#dictionaries.delete(number)
      this.#segments.delete(number)
    }
    for (const [number, news] of dictionaries) {
      const known = this.#dictionaries.get(number) ?? new GrowingDictionary()
      this.#dictionaries.set(number, known)
      known.adopt(news)
    }
    const dictionaryOf = (number: number): GrowingDictionary => present(this.#dictionaries.get(number), 'a dictionary')
    for (const { number, segment, columns } of segments) {
      const heard = new Map<string, StoredColumn>()
      for (const [name, column] of columns) heard.set(name, heardColumn(column, dictionaryOf))
      this.#segments.set(number, heardSegment(segment, heard))
    }
  }

  segments(numbers: readonly number[]): readonly Segment[] {
    return numbers.map((number) => present(this.#segments.get(number), 'a segment that was told'))
  }
}
