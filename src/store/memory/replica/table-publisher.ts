import { ITEMS_PER_CHECKPOINT, SluiceError, type Diagnostic } from '../../../base/index.ts'
import type { GrowingDictionary } from '../dictionary/dictionary.ts'
import { DictionarySender, type DictionaryDelta } from '../dictionary/dictionary-news.ts'
import type { Segment } from '../segment.ts'
import type { MemoryTable } from '../table/memory-table.ts'
import type { StoredFile, TableDelta } from './table-news.ts'
import { encodeColumn, encodeSegment, type EncodedSegment, type EncodedStoredColumn } from './encoded-segment.ts'

/** Sends the changes of a table to one reader in another thread. */
export class TablePublisher {
  readonly #table: MemoryTable
  #version = -1
  #numbers = new Map<Segment, number>()
  readonly #dictionaries = new Map<GrowingDictionary, number>()
  readonly #sender = new DictionarySender()
  #nextNumber = 0

  constructor(table: MemoryTable) {
    this.#table = table
  }

  /**
   * Yields messages with the changes since the last call. The reader must apply all messages of a call before its next
   * read. The generator must be consumed before the next call. Rows that arrive meanwhile may be included or not.
   */
  *news(): Generator<TableDelta> {
    const { version } = this.#table.view
    if (this.#version === version) return
    const table = this.#table.definition.name
    const numbers = new Map<Segment, number>()
    let segments: (readonly [number, EncodedSegment])[] = []
    let columns: (readonly [number, string, EncodedStoredColumn])[] = []
    const stored: (readonly [number, StoredFile & Pick<Segment, 'id'>])[] = []
    const delta = (): TableDelta => {
      const news = { table, dictionaries: this.#dictionaryNews(), segments, columns }
      segments = []
      columns = []
      return news
    }
    for (const segment of this.#table.view.snapshot()) {
      const known = this.#numbers.get(segment)
      const number = known ?? this.#nextNumber++
      numbers.set(segment, number)
      if (known !== undefined) continue
      const file = this.#table.segments.storedAt?.(segment)
      if (file !== undefined) {
        stored.push([number, { ...file, id: segment.id }])
        continue
      }
      segments.push([number, encodeSegment(segment)])
      for (const [name, stored] of segment.columns) {
        columns.push([number, name, encodeColumn(stored, (dictionary) => this.#numberOf(dictionary))])
        if (columns.length === ITEMS_PER_CHECKPOINT) yield delta()
      }
    }
    this.#version = version
    this.#numbers = numbers
    const order = [...numbers.values()]
    if (stored.length === 0) return yield { ...delta(), order }
    // Must run before `delta`, which includes the dictionaries that are numbered here.
    const fieldNews = this.#fieldNews()
    return yield { ...delta(), ...fieldNews, stored, order }
  }

  /**
   * Returns the dictionary number of each field. If a dictionary cannot be read, its error is sent instead, so that
   * other fields stay available.
   */
  #fieldNews(): Required<Pick<TableDelta, 'fields' | 'damaged'>> {
    const fields: (readonly [string, number])[] = []
    const damaged: (readonly [string, readonly Diagnostic[]])[] = []
    for (const field of this.#table.fields.names()) {
      try {
        const dictionary = this.#table.fields.dictionary(field)
        // A dictionary without a location in a file can only be sent from memory.
        if (dictionary.stored?.encoded === undefined) dictionary.load()
        fields.push([field, this.#numberOf(dictionary)])
      } catch (error) {
        if (!(error instanceof SluiceError)) throw error
        damaged.push([field, error.diagnostics])
      }
    }
    return { fields, damaged }
  }

  #numberOf(dictionary: GrowingDictionary): number {
    const number = this.#dictionaries.get(dictionary) ?? this.#dictionaries.size
    this.#dictionaries.set(dictionary, number)
    return number
  }

  #dictionaryNews(): TableDelta['dictionaries'] {
    const news: (readonly [number, DictionaryDelta])[] = []
    for (const [dictionary, number] of this.#dictionaries) {
      const changes = this.#sender.news(dictionary)
      if (changes !== undefined) news.push([number, changes])
    }
    return news
  }
}
