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

/** Plain objects, one a row. */
export type Objects = Iterable<object> | AsyncIterable<object>

/** Objects, or a promise of them. */
type Given<T> = T | PromiseLike<T>

export interface TableSpec {
  /** What queries call it. */
  readonly name: string
  /** What its rows are, in one sentence, for explanations and editors. */
  readonly summary?: string
  /** Fields that are known, in the order in which whole rows show them; rows may have others. */
  readonly fields?: readonly string[]
  /**
   * The field with the time of a row: a `Date`, RFC 3339 text, or Unix time in s, ms, µs or ns as a number or bigint,
   * told apart by size. Without one, rows keep the order in which they are given and ranges of times do not apply.
   */
  readonly timeField?: string
  /** The field that bare words search; without one they search every field. */
  readonly textField?: string
  /** Other names of fields that queries may use, with the name that they stand for. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Fields that make up `_stream`. */
  readonly streamFields?: readonly string[]
  /** The kind of data that a data scope speaks of; `logs` unless given. */
  readonly domain?: PolicyDomain
  /**
   * What `scan` will really do with a condition; `none` for all unless given. What is graded `exact` is not tested again:
   * `scan` must leave out every row that does not meet it.
   */
  readonly grade?: (filter: Expr) => FilterGrade
  /**
   * Gives the rows, as objects, anew each time (an array that is given again is read faster); with `applied` when it does more of the request than conditions graded
   * `exact`. Nested objects are flattened to dotted names, arrays are JSON text.
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
 * Makes batches of objects; the first ones are small, so that a query for few rows reads few. Rows are charged as they
 * are gathered, until a batch is taken: that is charged by whoever reads it.
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

  /** True when it is time to take the batch. Throws `budget/memory`. */
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

  /** Lets go of the rows that are not taken. */
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

/** A source that is no array may go on without end, and must not hold the process of its caller meanwhile. */
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
  // Texts say `_time` for the time of a row, whatever it is called.
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

/** What is graded otherwise than by these words would be taken for tested, and rows would pass that do not meet it. */
function gradeOf({ name, grade }: TableSpec): (filter: Expr) => FilterGrade {
  if (grade === undefined) return () => 'none'
  return (filter) => {
    const given: unknown = grade(filter)
    if (isGrade(given)) return given
    throw new SluiceError([tableDiagnostic('bad-grade', { table: name, found: String(given) }, nowhere)])
  }
}

/**
 * A table over rows that are plain objects. Reading throws SluiceError `table/…` for what is not a row.
 *
 * ```ts
 * const orders = defineTable({ name: 'orders', timeField: 'at', scan: () => readOrders() })
 * ```
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
      // A scan whose rows nobody takes, as behind `limit 0`, fails for nobody.
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
