import { SluiceError, present, type Diagnostic, type Interval } from '../../../base/index.ts'
import type {
  Estimate,
  FilterGrade,
  KnownFields,
  RecordTableDefinition,
  ScanResult,
  TableStatistics,
} from '../../../plan/index.ts'
import { GrowingDictionary } from '../dictionary/dictionary.ts'
import { receiveDictionary } from '../dictionary/dictionary-news.ts'
import { rowsInRange, soonKnownFields } from '../known-fields.ts'
import { batchesNewestFirst } from '../scan-segments.ts'
import { firstNsOf, lastNsOf, type Segment, type StoredColumn } from '../segment.ts'
import type { SegmentTable } from '../segment-table.ts'
import type { TableDelta } from './table-news.ts'
import { rememberFile, type OpenStored } from './encoded-files.ts'
import { decodeColumn, decodeSegment } from './encoded-segment.ts'

/** A read-only copy of a memory table in another thread, as of the last applied message. */
export class TableReplica implements SegmentTable {
  readonly definition: RecordTableDefinition
  readonly #dictionaries = new Map<number, GrowingDictionary>()
  #byNumber = new Map<number, Segment>()
  /** Columns of segments that are still being received, by segment number. */
  readonly #columns = new Map<number, Map<string, StoredColumn>>()
  #segments: readonly Segment[] = []

  readonly #open: OpenStored | undefined
  /** Dictionary numbers by field. */
  readonly #fields = new Map<string, number>()

  readonly #damaged = new Map<string, readonly Diagnostic[]>()

  /** `open` is required for tables with segments in files. */
  constructor(definition: RecordTableDefinition, open?: OpenStored) {
    this.definition = definition
    this.#open = open
  }

  /** Applies a message. Messages must be applied in the order in which they were sent. */
  apply(news: TableDelta): void {
    for (const [number, changes] of news.dictionaries)
      receiveDictionary(this.#dictionary(number), changes, (encoded) =>
        present(this.#open, 'a reader of files').dictionary(encoded, () => this.#segments),
      )
    for (const [number, encoded] of news.segments) {
      const columns = new Map<string, StoredColumn>()
      this.#columns.set(number, columns)
      this.#byNumber.set(number, decodeSegment(encoded, columns))
    }
    for (const [number, name, stored] of news.columns) {
      const columns = present(this.#columns.get(number), 'the segment of a column')
      columns.set(
        name,
        decodeColumn(stored, (numbered) => present(this.#dictionaries.get(numbered), 'the dictionary of a column')),
      )
    }
    for (const [field, number] of news.fields ?? []) this.#fields.set(field, number)
    for (const [field, reasons] of news.damaged ?? []) this.#damaged.set(field, reasons)
    for (const [number, file] of news.stored ?? []) {
      const open = present(this.#open, 'a reader of files')
      const dictionaryOf = (field: string): GrowingDictionary => {
        const reasons = this.#damaged.get(field)
        if (reasons !== undefined) throw new SluiceError(reasons)
        return this.#dictionary(present(this.#fields.get(field), 'the dictionary of a field'))
      }
      const segment = open.segment(file, this.definition, dictionaryOf)
      rememberFile(segment, { file, definition: this.definition, dictionaries: () => this.#dictionariesOfFields() })
      this.#byNumber.set(number, segment)
    }
    if (news.order === undefined) return
    const kept = news.order.map((number) => [number, present(this.#byNumber.get(number), 'a segment')] as const)
    this.#byNumber = new Map(kept)
    this.#segments = kept.map(([, segment]) => segment)
    this.#columns.clear()
  }

  segments(): readonly Segment[] {
    return this.#segments
  }

  grade(): FilterGrade {
    return 'none'
  }

  scan(): ScanResult {
    return { applied: { order: true }, batches: batchesNewestFirst(this.#segments) }
  }

  rowsIn(range: Interval): number {
    return rowsInRange(this.#segments, range)
  }

  knownFields(): KnownFields {
    return soonKnownFields(this.#segments, this.definition)
  }

  stats(): TableStatistics {
    const exact = <T>(value: T): Estimate<T> => ({ value, source: 'exact' })
    const rows = exact(this.#segments.reduce((sum, { rowCount }) => sum + rowCount, 0))
    const first = this.#segments.map(firstNsOf)
    const last = this.#segments.map(lastNsOf)
    if (first.length === 0) return { rows }
    return {
      rows,
      minTimeNs: exact(first.reduce((a, b) => (b < a ? b : a))),
      maxTimeNs: exact(last.reduce((a, b) => (b > a ? b : a))),
    }
  }

  *#dictionariesOfFields(): Iterable<readonly [field: string, dictionary: GrowingDictionary]> {
    for (const [field, number] of this.#fields) yield [field, this.#dictionary(number)]
  }

  #dictionary(number: number): GrowingDictionary {
    let dictionary = this.#dictionaries.get(number)
    if (dictionary === undefined) this.#dictionaries.set(number, (dictionary = new GrowingDictionary()))
    return dictionary
  }
}
