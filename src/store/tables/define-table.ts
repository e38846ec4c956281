import {
  BUDGET_WATCH_MS,
  BATCH_ROWS,
  Options,
  SluiceError,
  betweenTurns,
  nowhere,
  type Budget,
} from '../../base/index.ts'
import { batchOfRows, field, rowBytes, type MutableRow, type RecordBatch, type Schema } from '../../data/index.ts'
import type {
  Expr,
  FilterGrade,
  PolicyDomain,
  ScanApplied,
  ScanRequest,
  ScanResult,
  Table,
  TableDefinition,
  TableStatistics,
} from '../../plan/index.ts'
import { batchesOfArray } from './array-columns.ts'
import { tableDiagnostic } from './diagnostics.ts'
import { rowOfObject, wantedMembers } from './object-row.ts'

/** Plain objects, one for each row. */
export type Objects = Iterable<object> | AsyncIterable<object>

/** A value, or a promise of one. */
type Given<T> = T | PromiseLike<T>

/** The argument of `defineTable`. */
export interface TableSpec {
  /** The name of the table in queries. */
  readonly name: string
  /** A sentence about the rows, for explanations and editors. */
  readonly summary?: string
  /** Known fields, in the order in which whole rows show them. Rows may have other fields. */
  readonly fields?: readonly string[]
  /**
   * The field with the time of a row: a `Date`, RFC 3339 text, or Unix time in s, ms, µs or ns as a number or bigint.
   * The size of a number determines its unit. If absent, rows keep the order of the source and time ranges do not
   * apply.
   */
  readonly timeField?: string
  /** The field that bare words search; if absent, they search every field. */
  readonly textField?: string
  /** Other names of fields in queries, each with the name of its field. */
  readonly aliases?: Readonly<Record<string, string>>
  /** The fields that form `_stream`. */
  readonly streamFields?: readonly string[]
  /** The kind of data, to which data scopes refer; `logs` by default. */
  readonly domain?: PolicyDomain
  /**
   * Returns how `scan` applies a condition; by default `none` for every condition. Conditions with grade `exact` are
   * not tested again, so `scan` must omit every row that does not match them.
   */
  readonly grade?: (filter: Expr) => FilterGrade
  /**
   * Returns the rows as objects; called for each query. Columns of an array that is returned again are cached. If
   * `scan` does more of the request than the conditions with grade `exact`, it must also return `applied`. Nested
   * objects become dotted names, and arrays become JSON text.
   */
  readonly scan: (
    request: ScanRequest,
  ) => Given<Objects> | { readonly rows: Given<Objects>; readonly applied: ScanApplied }
  readonly stats?: () => TableStatistics
}

const tableOptions = new Options<TableSpec>(
  {
    name: 'string',
    summary: 'string',
    fields: 'list',
    timeField: 'string',
    textField: 'string',
    aliases: 'object',
    streamFields: 'list',
    domain: {
      words: { logs: true, events: true, traces: true, metrics: true, workloads: true, clusters: true },
    },
    grade: 'function',
    scan: 'function',
    stats: 'function',
  },
  ['name', 'scan'],
)

/**
 * Collects objects into batches. The first batches are small, so that a query for few rows reads few. The budget is
 * charged for collected rows until `take`; then the reader of the batch charges it.
 */
class Batcher {
  readonly #definition: TableDefinition
  readonly #schema: Schema
  readonly #isWanted: ((name: string) => boolean) | undefined
  readonly #budget: Budget
  #rows: MutableRow[] = []
  #bytes = 0
  #size = 1
  #index = 0
  #startMs = 0

  constructor(definition: TableDefinition, { columns, budget }: ScanRequest) {
    this.#definition = definition
    this.#budget = budget
    const { fields, isOpen } = definition.schema
    this.#schema = { isOpen, fields: fields.filter(({ name }) => columns?.includes(name) !== false) }
    this.#isWanted = columns === undefined ? undefined : wantedMembers(columns)
  }

  /** Adds a row; returns true if the caller should now call `take`. Throws `budget/memory`. */
  add(object: unknown): boolean {
    if (this.#rows.length === 0) this.#startMs = performance.now()
    const { name, timeField } = this.#definition
    const row = rowOfObject(object, { table: name, index: this.#index++ }, timeField, this.#isWanted)
    this.#rows.push(row)
    this.#charge(rowBytes(row))
    return this.#rows.length >= this.#size || performance.now() - this.#startMs > BUDGET_WATCH_MS
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0
  }

  take(): RecordBatch {
    const batch = batchOfRows(this.#schema, this.#rows)
    this.release()
    this.#size = Math.min(BATCH_ROWS, this.#size * 2)
    return batch
  }

  /** Drops the collected rows and releases their charge. */
  release(): void {
    this.#rows = []
    this.#charge(-this.#bytes)
  }

  #charge(bytes: number): void {
    this.#bytes += bytes
    this.#budget.charge(bytes)
  }
}

function* batchesOf(objects: Iterable<object>, batcher: Batcher): Generator<RecordBatch> {
  try {
    for (const object of objects) if (batcher.add(object)) yield batcher.take()
    if (!batcher.isEmpty) yield batcher.take()
  } finally {
    batcher.release()
  }
}

async function* batchesOfAsync(objects: AsyncIterable<object>, batcher: Batcher): AsyncGenerator<RecordBatch> {
  try {
    for await (const object of objects) if (batcher.add(object)) yield batcher.take()
    if (!batcher.isEmpty) yield batcher.take()
  } finally {
    batcher.release()
  }
}

type Batches = Iterable<RecordBatch> | AsyncIterable<RecordBatch>

/**
 * Returns the rows in batches. A source that is not an array may be endless, so its batches let the event loop run in
 * between.
 */
function batchesOfObjects(rows: Objects, definition: TableDefinition, request: ScanRequest): Batches {
  if (Array.isArray(rows)) return batchesOfArray(rows as readonly object[], definition, request)
  const batcher = new Batcher(definition, request)
  return betweenTurns(Symbol.asyncIterator in rows ? batchesOfAsync(rows, batcher) : batchesOf(rows, batcher))
}

async function* batchesOfPromise(
  promise: PromiseLike<Objects>,
  definition: TableDefinition,
  request: ScanRequest,
): AsyncGenerator<RecordBatch> {
  const rows = await promise
  if (!isIterable(rows)) throw notRows(definition.name)
  yield* batchesOfObjects(rows, definition, request)
}

function notRows(table: string): SluiceError {
  return new SluiceError([tableDiagnostic('not-rows', { table }, nowhere)])
}

function isPromise(value: unknown): value is PromiseLike<Objects> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

export function isIterable(value: unknown): value is Objects {
  return typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value)
}

function definitionOf(spec: TableSpec): TableDefinition {
  const { name, summary, timeField, textField, fields = [], streamFields = [], domain = 'logs' } = spec
  const names = [...new Set(timeField === undefined ? fields : [timeField, ...fields])]
  const aliases = new Map(Object.entries(spec.aliases ?? {}))
  // Queries may always write `_time` for the time of a row, whatever its field is called.
  if (timeField !== undefined && !names.includes('_time')) aliases.set('_time', timeField)
  return Object.freeze({
    name,
    ...(summary === undefined ? {} : { summary }),
    schema: {
      isOpen: true,
      fields: names.map((each) => field(each, each === timeField ? 'time' : 'any', 'dynamic')),
    },
    ...(timeField === undefined ? {} : { timeField }),
    ...(textField === undefined ? {} : { textField }),
    aliases,
    streamFields,
    domain,
  })
}

function isGrade(given: unknown): given is FilterGrade {
  return given === 'exact' || given === 'superset' || given === 'none'
}

/**
 * Returns the table's function `grade` with a check of its results. An unknown grade would count as `exact`, and rows
 * that do not match would be in answers.
 */
function gradeOf({ name, grade }: TableSpec): (filter: Expr) => FilterGrade {
  if (grade === undefined) return () => 'none'
  return (filter) => {
    const given: unknown = grade(filter)
    if (isGrade(given)) return given
    throw new SluiceError([tableDiagnostic('bad-grade', { table: name, found: String(given) }, nowhere)])
  }
}

/**
 * Returns a table over rows that are plain objects. Reading throws SluiceError `table/…` for an object that is no row.
 * Example: `defineTable({ name: 'orders', timeField: 'at', scan: () => readOrders() })`.
 */
export function defineTable(spec: TableSpec): Table {
  tableOptions.check(spec, '`defineTable`')
  const definition = definitionOf(spec)
  const grade = gradeOf(spec)
  const scan = (request: ScanRequest): ScanResult => {
    const given = spec.scan(request)
    const { rows, applied } =
      isIterable(given) || isPromise(given) || typeof given !== 'object' || given === null
        ? { rows: given, applied: { predicate: request.predicate.filter((each) => grade(each) === 'exact') } }
        : given
    if (isPromise(rows)) {
      // Avoids an unhandled rejection if the rows are never read, as after `limit 0`.
      rows.then(undefined, () => undefined)
      return { applied, batches: batchesOfPromise(rows, definition, request) }
    }
    if (!isIterable(rows)) throw notRows(definition.name)
    return {
      applied,
      batches: batchesOfObjects(rows, definition, request),
    }
  }
  return Object.freeze({ definition, grade, scan, ...(spec.stats === undefined ? {} : { stats: spec.stats }) })
}
