import { Labels, compareLabels, type Histogram, type LabelPair } from '../../data/index.ts'
import type { NewSample } from '../samples/new-sample.ts'
import { hintedHistogram } from '../samples/sample-columns.ts'
import type { MetadataRequest, SampleRequest, SampleSource, SeriesSamples } from '../samples/source.ts'
import { inTransaction, type SqlValue, type SqliteConnection, type SqliteStatement } from './connection.ts'
import { histogramFromBytes, histogramToBytes } from './histogram-bytes.ts'
import { anyMatchersCondition, both, guardCondition, matchersCondition } from './sample-conditions.ts'
import { decodeValue, encodeValue } from './value-encoding.ts'

/**
 * Tables: series by label set, label pairs with their series, and samples by series and time. A sample has a kind
 * besides its value, because SQLite turns NaN into NULL and −0 into 0.
 */
const LAYOUT = `
  CREATE TABLE IF NOT EXISTS metric_series (id INTEGER PRIMARY KEY, labels TEXT NOT NULL UNIQUE);
  CREATE TABLE IF NOT EXISTS metric_pairs (id INTEGER PRIMARY KEY, name NOT NULL, value NOT NULL, UNIQUE (name, value));
  CREATE TABLE IF NOT EXISTS metric_postings (pair_id INTEGER NOT NULL, series_id INTEGER NOT NULL,
    PRIMARY KEY (pair_id, series_id)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS metric_samples (series_id INTEGER NOT NULL, time_ms INTEGER NOT NULL,
    kind INTEGER NOT NULL, value, start_ms INTEGER, PRIMARY KEY (series_id, time_ms)) WITHOUT ROWID;
`

/** The kind of a sample, which tells how to read its value. SQLite has no NaN and no −0. */
const sampleKind = {
  number: 0,
  nan: 1,
  negativeZero: 2,
  stale: 3,
  histogram: 4,
} as const

type SampleRow = readonly [timeMs: number, kind: number, value: number | Uint8Array | null, startMs: number | null]

function kindOf({ value, isStale, histogram }: NewSample): number {
  if (histogram !== undefined) return sampleKind.histogram
  if (isStale === true) return sampleKind.stale
  if (value !== value) return sampleKind.nan
  return Object.is(value, -0) ? sampleKind.negativeZero : sampleKind.number
}

function valueOf(row: SampleRow): number {
  switch (row[1]) {
    case sampleKind.number:
      return row[2] as number
    case sampleKind.negativeZero:
      return -0
    case sampleKind.histogram:
      return 0
    default:
      return NaN
  }
}

/** Metric samples in SQLite. Answers equal those of the store in memory, sample by sample. */
export class SqliteSamples implements SampleSource {
  readonly #connection: SqliteConnection
  readonly #ids = new Map<string, number>()
  readonly #insert: SqliteStatement
  readonly #previous: SqliteStatement
  readonly #range: SqliteStatement
  readonly #presence: SqliteStatement

  /** Creates missing tables. The caller must close the connection. */
  constructor(connection: SqliteConnection) {
    this.#connection = connection
    connection.exec(LAYOUT)
    this.#insert = connection.prepare(
      'INSERT OR REPLACE INTO metric_samples (series_id, time_ms, kind, value, start_ms) VALUES (?, ?, ?, ?, ?)',
    )
    this.#previous = connection
      .prepare(
        'SELECT kind, value FROM metric_samples WHERE series_id = ? AND time_ms < ? ORDER BY time_ms DESC LIMIT 1',
      )
      .raw(true)
    const within = 'FROM metric_samples WHERE series_id = ? AND time_ms > ? AND time_ms <= ? ORDER BY time_ms'
    this.#range = connection.prepare(`SELECT time_ms, kind, value, start_ms ${within}`).raw(true)
    // Only staleness markers matter for presence, so every other sample is read as a number.
    this.#presence = connection
      .prepare(
        `SELECT time_ms, iif(kind = ${sampleKind.stale}, ${sampleKind.stale}, ${sampleKind.number}), 0, start_ms ${within}`,
      )
      .raw(true)
  }

  /** Stores samples in one transaction: all or none. A second sample at the same time replaces the first. */
  append(samples: Iterable<NewSample & { readonly labels: Labels }>): void {
    try {
      inTransaction(this.#connection, () => {
        for (const sample of samples) this.#write(this.#idOf(sample.labels), sample)
      })
    } catch (error) {
      // The ids that were assigned in the transaction are no longer valid after its rollback.
      this.#ids.clear()
      throw error
    }
  }

  #idOf(labels: Labels): number {
    const known = this.#ids.get(labels.key)
    if (known !== undefined) return known
    const text = JSON.stringify(labels.toPairs())
    const connection = this.#connection
    let id = connection.prepare('SELECT id FROM metric_series WHERE labels = ?').pluck(true).get(text) as
      | number
      | undefined
    if (id === undefined) {
      id = Number(connection.prepare('INSERT INTO metric_series (labels) VALUES (?)').run(text).lastInsertRowid)
      for (const [name, value] of labels.toPairs()) {
        const pair = [encodeValue(name), encodeValue(value)]
        connection.prepare('INSERT OR IGNORE INTO metric_pairs (name, value) VALUES (?, ?)').run(...pair)
        connection
          .prepare('INSERT INTO metric_postings SELECT id, ? FROM metric_pairs WHERE name = ? AND value = ?')
          .run(BigInt(id), ...pair)
      }
    }
    this.#ids.set(labels.key, id)
    return id
  }

  #write(id: number, sample: NewSample): void {
    const kind = kindOf(sample)
    const series = BigInt(id)
    const timeMs = BigInt(sample.timeMs)
    const value =
      sample.histogram !== undefined
        ? histogramToBytes(this.#hinted(series, timeMs, sample.histogram))
        : kind === sampleKind.number
          ? sample.value
          : null
    const startMs = sample.startTimeMs ?? 0
    this.#insert.run(series, timeMs, BigInt(kind), value, startMs === 0 ? null : BigInt(startMs))
  }

  #hinted(series: bigint, timeMs: bigint, histogram: Histogram): Histogram {
    const before = this.#previous.get(series, timeMs) as readonly [number, Uint8Array] | undefined
    return hintedHistogram(histogram, before?.[0] === sampleKind.histogram ? histogramFromBytes(before[1]) : undefined)
  }

  readonly #pairsOf = (label: string): readonly { readonly id: number; readonly value: string }[] => {
    const rows = this.#connection
      .prepare('SELECT id, value FROM metric_pairs WHERE name = ?')
      .raw(true)
      .all(encodeValue(label)) as [number, string | Uint8Array][]
    return rows.map(([id, value]) => ({ id, value: decodeValue(value) as string }))
  }

  select(request: SampleRequest): readonly SeriesSamples[] {
    const guard = guardCondition(request.guard, this.#pairsOf)
    const condition = both(guard, matchersCondition(request.matchers, this.#pairsOf))
    const found: SeriesSamples[] = []
    for (const { id, labels } of this.#matching(condition.sql, condition.values)) {
      const statement = request.isPresenceOnly === true ? this.#presence : this.#range
      const rows = statement.all(BigInt(id), request.startMs, request.endMs) as SampleRow[]
      if (rows.length > 0) found.push(toSamples(labels, rows))
    }
    return found
  }

  series(request: MetadataRequest): readonly Labels[] {
    const guard = guardCondition(request.guard, this.#pairsOf)
    const condition = both(guard, anyMatchersCondition(request.filters, this.#pairsOf))
    const inTime =
      'EXISTS (SELECT 1 FROM metric_samples WHERE series_id = metric_series.id AND time_ms > ? AND time_ms <= ?)'
    const sql = `${condition.sql} AND ${inTime}`
    return this.#matching(sql, [...condition.values, request.startMs, request.endMs]).map(({ labels }) => labels)
  }

  /** Returns the matching series, ordered by label set. */
  #matching(sql: string, values: readonly SqlValue[]): readonly { readonly id: number; readonly labels: Labels }[] {
    const rows = this.#connection
      .prepare(`SELECT id, labels FROM metric_series WHERE ${sql}`)
      .raw(true)
      .all(...values) as [number, string][]
    return rows
      .map(([id, labels]) => ({ id, labels: Labels.from(JSON.parse(labels) as LabelPair[]) }))
      .sort((a, b) => compareLabels(a.labels, b.labels))
  }
}

function toSamples(labels: Labels, rows: readonly SampleRow[]): SeriesSamples {
  const timesMs = new Float64Array(rows.length)
  const values = new Float64Array(rows.length)
  let staleness: Uint8Array | undefined
  let histograms: (Histogram | undefined)[] | undefined
  let startTimesMs: Float64Array | undefined
  rows.forEach((row, i) => {
    timesMs[i] = row[0]
    values[i] = valueOf(row)
    if (row[1] === sampleKind.stale) (staleness ??= new Uint8Array(rows.length))[i] = 1
    if (row[1] === sampleKind.histogram) {
      histograms ??= Array.from<undefined>({ length: rows.length }).fill(undefined)
      histograms[i] = histogramFromBytes(row[2] as Uint8Array)
    }
    if (row[3] !== null) (startTimesMs ??= new Float64Array(rows.length))[i] = row[3]
  })
  return { labels, timesMs, values, staleness, histograms, startTimesMs }
}
