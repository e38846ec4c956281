import { invariant, present } from '../../base/index.ts'
import { fold, recordHash, toText, type StoredRow, type Value } from '../../data/index.ts'
import type { SqlValue, SqliteConnection, SqliteStatement } from './connection.ts'
import { FieldTracker, MAX_SUMMED_ROWS, hasManyByNature, type Lesson } from './knowledge.ts'
import { own, type TableLayout } from './layout.ts'
import { writeRest } from './rest.ts'
import { quoted } from './schema.ts'
import { decodeValue, encodeValue } from './value-encoding.ts'
import { indexDocument } from './words.ts'

/** Maximum distance of a time from 1970 for which arithmetic stays within 64 bits, nanoseconds. */
const EXTREME_NS = 2n ** 62n

/**
 * Returns the smallest power of two that is at least `ns`, limited to the range from 2^20 (about a millisecond) to
 * 2^62.
 */
function atLeast(ns: bigint): bigint {
  let bound = 2n ** 20n
  while (bound < ns) bound *= 2n
  return bound > 2n ** 62n ? 2n ** 62n : bound
}

/** Writes the rows of one table, and the facts learned about its columns. The caller must have begun a transaction. */
export class TableWriter {
  readonly layout: TableLayout
  readonly #connection: SqliteConnection
  readonly #insertRow: SqliteStatement
  readonly #insertWords: SqliteStatement
  readonly #insertVariant: SqliteStatement
  readonly #trackers: readonly FieldTracker[]
  readonly #values: SqlValue[]
  readonly #isDeclared: (name: string) => boolean
  #lastId: bigint
  #lastSequence: number
  #maxTimeNs: bigint
  #latenessNs: bigint
  #hasExtremeTimes: boolean

  constructor(connection: SqliteConnection, layout: TableLayout, maxKnownValues: number) {
    this.#connection = connection
    this.layout = layout
    const names = [own.id, own.timeNs, own.hash, ...layout.columns.map((c) => c.column), own.rest]
    const placeholders = names.map(() => '?').join(', ')
    this.#insertRow = connection.prepare(
      `INSERT INTO ${quoted(layout.table)} (${names.map(quoted).join(', ')}) VALUES (${placeholders})`,
    )
    this.#insertWords = connection.prepare(`INSERT INTO ${quoted(layout.wordsTable)} (rowid, words) VALUES (?, ?)`)
    this.#insertVariant = connection.prepare('INSERT OR IGNORE INTO sluice_variant VALUES (?, ?, ?, ?)')
    this.#values = names.map(() => null)
    const { timeField } = layout.definition
    this.#isDeclared = (name) => name === timeField || layout.byField.has(name)
    this.#trackers = this.#readTrackers(maxKnownValues)
    const state = connection
      .prepare(
        'SELECT last_id, last_sequence, max_time_ns, lateness_ns, has_extreme_times FROM sluice_table WHERE name = ?',
      )
      .raw()
      .safeIntegers()
      .get(layout.definition.name) as [bigint, bigint, bigint, bigint, bigint]
    this.#lastId = state[0]
    this.#lastSequence = Number(state[1])
    this.#maxTimeNs = state[2]
    this.#latenessNs = state[3]
    this.#hasExtremeTimes = state[4] === 1n
  }

  #readTrackers(maxKnownValues: number): readonly FieldTracker[] {
    const table = this.layout.definition.name
    const flags = this.#connection.prepare('SELECT flags FROM sluice_field WHERE table_name = ? AND field = ?').pluck()
    const values = this.#connection
      .prepare('SELECT value FROM sluice_value WHERE table_name = ? AND field = ? AND kind = ?')
      .pluck()
    return this.layout.columns.map(({ field, isText }) => {
      const read = (kind: string): Value[] =>
        values.all(table, field.name, kind).map((value) => decodeValue(value as SqlValue))
      return new FieldTracker(
        field.type,
        hasManyByNature(field.type, isText),
        Number(flags.get(table, field.name) ?? 0),
        read('value'),
        read('ranked').map(toText),
        maxKnownValues,
      )
    })
  }

  get rowCount(): number {
    return Number(this.#lastId)
  }

  /** Writes rows and returns their number. Sorts `rows` in place. */
  write(rows: StoredRow[]): number {
    if (rows.length === 0) return 0
    // Sorts the batch by time. Rows with equal times are in the order of their sequence numbers.
    rows.sort((a, b) => (a.timeNs < b.timeNs ? -1 : a.timeNs > b.timeNs ? 1 : a.sequence - b.sequence))
    let lastSequence = this.#lastSequence
    for (const row of rows) {
      invariant(row.sequence > this.#lastSequence, 'sequences grow with ingestion')
      if (row.sequence > lastSequence) lastSequence = row.sequence
      this.#writeRow(row)
    }
    this.#lastSequence = lastSequence
    this.#writeState()
    return rows.length
  }

  #writeRow({ timeNs, row }: StoredRow): void {
    const { columns } = this.layout
    const values = this.#values
    const id = ++this.#lastId
    values[0] = id
    values[1] = timeNs
    values[2] = BigInt(recordHash(row))
    let text: Value = null
    for (const [i, { field, isText }] of columns.entries()) {
      const value = row.get(field.name) ?? null
      this.#trackers[i]?.see(value)
      values[3 + i] = encodeValue(value)
      if (isText) text = value
    }
    values[3 + columns.length] = writeRest(row, this.#isDeclared)
    this.#insertRow.run(...values)
    const document = text === null ? '' : indexDocument(toText(text))
    if (document !== '') this.#insertWords.run(id, document)
    if (timeNs >= this.#maxTimeNs) this.#maxTimeNs = timeNs
    else if (this.#maxTimeNs - timeNs > this.#latenessNs) this.#latenessNs = atLeast(this.#maxTimeNs - timeNs)
    if (timeNs > EXTREME_NS || timeNs < -EXTREME_NS) this.#hasExtremeTimes = true
  }

  #writeState(): void {
    const table = this.layout.definition.name
    const before = this.#connection
      .prepare('SELECT lateness_ns, has_extreme_times, last_id FROM sluice_table WHERE name = ?')
      .raw()
      .safeIntegers()
      .get(table) as [bigint, bigint, bigint]
    let isNewEpoch =
      before[0] !== this.#latenessNs ||
      (before[1] === 1n) !== this.#hasExtremeTimes ||
      before[2] >= MAX_SUMMED_ROWS !== this.#lastId >= MAX_SUMMED_ROWS
    this.#connection
      .prepare(
        'UPDATE sluice_table SET last_id = ?, last_sequence = ?, max_time_ns = ?, lateness_ns = ?, has_extreme_times = ? WHERE name = ?',
      )
      .run(
        this.#lastId,
        BigInt(this.#lastSequence),
        this.#maxTimeNs,
        this.#latenessNs,
        this.#hasExtremeTimes ? 1n : 0n,
        table,
      )
    for (const [i, tracker] of this.#trackers.entries()) {
      const { name } = present(this.layout.columns[i]).field
      for (const spelling of tracker.takeSpellings()) {
        if (!spelling.isWellFormed()) continue
        this.#insertVariant.run(table, name, fold(spelling), spelling)
      }
      const lesson = tracker.takeLesson()
      if (lesson === undefined) continue
      this.#writeLesson(name, lesson)
      isNewEpoch = true
    }
    if (isNewEpoch) this.#connection.exec('UPDATE sluice_state SET epoch = epoch + 1')
  }

  #writeLesson(field: string, lesson: Lesson): void {
    const table = this.layout.definition.name
    this.#connection
      .prepare('INSERT OR REPLACE INTO sluice_field VALUES (?, ?, ?)')
      .run(table, field, BigInt(lesson.flags))
    const insert = this.#connection.prepare('INSERT OR IGNORE INTO sluice_value VALUES (?, ?, ?, ?)')
    if (lesson.isManyNow) {
      this.#connection
        .prepare(`DELETE FROM sluice_value WHERE table_name = ? AND field = ? AND kind = 'value'`)
        .run(table, field)
    }
    for (const value of lesson.newValues) insert.run(table, field, 'value', encodeValue(value))
    for (const value of lesson.newRanked) insert.run(table, field, 'ranked', encodeValue(value))
  }
}
