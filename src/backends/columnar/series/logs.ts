import { clampNs, type Interval, invariant, MS_NS, nowhere, sortedIndexes } from '../../../base/index.ts'
import {
  Instant,
  Labels,
  TimeReader,
  constantColumn,
  toText,
  valueAt,
  type Column,
  type RecordBatch,
  type Value,
} from '../../../data/index.ts'
import {
  ColumnArena,
  FLOAT,
  vector,
  type MatrixValue,
  type SeriesValue,
  type Steps,
  type WindowSeries,
} from '../../../functions/series/index.ts'
import { ENTRY_LABELS, ENTRY_VALUE } from '../../../functions/logql/index.ts'
import {
  column,
  countRows,
  fieldPattern,
  mapExprChildren,
  visitExpr,
  type Expr,
  type LogicalPlan,
  type NamedAggregate,
} from '../../../plan/index.ts'
import type { SeriesLogs } from '../../../plan/series/index.ts'
import { positiveMs } from './durations.ts'
import type { SeriesEnvironment } from './environment.ts'
import { fillWindows } from './range.ts'

/** Estimated bytes of a series and its map entry, without labels. */
const SERIES_BYTES = 200
/** Bytes charged for a sample (a time and a value) while samples are collected. */
const SAMPLE_BYTES = 32

interface Windows {
  readonly rangeMs: number
  readonly endsMs: Float64Array
  /** Milliseconds between the ends of successive windows; 0 if there is only one window. */
  readonly stepMs: number
}

function toNs(ms: number): bigint {
  return clampNs(BigInt(Math.round(ms)) * MS_NS)
}

/** Returns the interval of times that are in at least one window. A window excludes its start and includes its end. */
function rangeOf({ endsMs, rangeMs }: Windows): Interval {
  const last = endsMs[endsMs.length - 1]
  return { startNs: toNs(endsMs[0] - rangeMs) + 1n, endNs: toNs(last) + 1n }
}

/**
 * Returns an expression that rounds a time down to a multiple of the step. Multiples count from 1 ns after `originMs`.
 */
function stepAfter(time: string, stepMs: number, originMs: number): Expr {
  const widthNs = toNs(stepMs)
  const offsetNs = -(toNs(originMs) + 1n)
  const bucket = {
    kind: 'time',
    widthNs,
    offsetNs: ((offsetNs % widthNs) + widthNs) % widthNs,
    zone: undefined,
  } as const
  return { kind: 'bucket', arg: column(time), bucket, origin: nowhere }
}

class SeriesRows {
  readonly #node: SeriesLogs
  readonly #environment: SeriesEnvironment
  readonly #indexOf = new Map<string, number>()
  readonly labels: Labels[] = []
  /** The columns with the series' labels, whose values `indexOf` reads. */
  readonly columns: readonly string[]

  constructor(node: SeriesLogs, environment: SeriesEnvironment) {
    this.#node = node
    this.#environment = environment
    this.columns = node.labels?.map(({ name }) => labelColumn(name)) ?? [ENTRY_LABELS]
  }

  /** Returns the index of a row's series; a new series is added. `values` must end with the values of `columns`. */
  indexOf(values: readonly Value[]): number {
    const { labels } = this.#node
    let key = ''
    for (let i = values.length - this.columns.length; i < values.length; i++) {
      const text = toText(values[i])
      key += `${text.length}:${text}`
    }
    const known = this.#indexOf.get(key)
    if (known !== undefined) return known
    this.#environment.budget.charge(SERIES_BYTES + key.length * 4)
    const texts = values.slice(values.length - this.columns.length).map(toText)
    const pairs =
      labels === undefined
        ? Object.entries(JSON.parse(texts[0] ?? '{}') as Record<string, string>)
        : labels.map(({ name }, i) => [name, texts[i] ?? ''] as const)
    const index = this.labels.push(Labels.from(pairs)) - 1
    this.#indexOf.set(key, index)
    return index
  }
}

/** Runs a plan over the rows whose times are in the windows. */
function batchesOf(plan: LogicalPlan, windows: Windows, { logs }: SeriesEnvironment): AsyncIterable<RecordBatch> {
  invariant(logs !== undefined, 'a query over logs has rows of logs')
  return logs.read(plan, rangeOf(windows))
}

function columnOf({ schema, columns, rowCount }: RecordBatch, name: string): Column {
  const found = columns[schema.fields.findIndex((field) => field.name === name)]
  return found ?? constantColumn(null, rowCount)
}

/** Returns a function that reads some columns of a row. The next call overwrites the returned array. */
function valuesReader(batch: RecordBatch, names: readonly string[]): (row: number) => readonly Value[] {
  const columns = names.map((name) => columnOf(batch, name))
  const values: Value[] = names.map(() => null)
  return (row) => {
    for (const [i, column] of columns.entries()) values[i] = valueAt(column, row)
    return values
  }
}

/**
 * Name of the column with a label of a series. Columns of fields from which labels are computed have another prefix, so
 * that names never collide.
 */
const labelColumn = (name: string): string => `label ${name}`
const fieldColumn = (name: string): string => `field ${name}`

/** Adds the labels of series to rows as columns. `nameOf` maps a field from which labels are computed to its column. */
function withLabels(
  rows: LogicalPlan,
  { labels = [], origin }: SeriesLogs,
  nameOf = (name: string) => name,
): LogicalPlan {
  if (labels.length === 0) return rows
  const read = (expr: Expr): Expr =>
    expr.kind === 'column' ? column(nameOf(expr.name), expr.origin) : mapExprChildren(expr, read)
  const assignments = labels.map(({ name, value }) => ({
    name: labelColumn(name),
    expr: read(value),
    type: 'string' as const,
  }))
  return { kind: 'extend', input: rows, assignments, origin }
}

/** Returns the fields from which the labels of series are computed, or the one column that contains all labels. */
function fieldsOf({ labels }: SeriesLogs): readonly string[] {
  if (labels === undefined) return [ENTRY_LABELS]
  const names = new Set<string>()
  for (const { value } of labels)
    visitExpr(value, (expr) => {
      if (expr.kind === 'column') names.add(expr.name)
    })
  return [...names]
}

const AT = '__at__'
const ALSO_AT = '__also_at__'
const COUNT = '__count__'
const BYTES = '__bytes__'

/**
 * Counts rows by interval. Intervals end where a window starts or ends, so each interval lies in a run of successive
 * windows. Its count is added as a difference at both ends of that run, so the work does not grow with the range.
 */
async function sums(node: SeriesLogs, windows: Windows, environment: SeriesEnvironment): Promise<SeriesValue> {
  const { rangeMs, endsMs, stepMs } = windows
  const { length } = endsMs
  const first = endsMs[0]
  const isWhole = stepMs === 0 || rangeMs % stepMs === 0
  const parts = stepMs === 0 ? [] : [{ name: AT, expr: stepAfter(node.time, stepMs, first) }]
  if (!isWhole) parts.push({ name: ALSO_AT, expr: stepAfter(node.time, stepMs, first - rangeMs) })
  const { origin } = node
  // Labels are computed once for each group of equal fields instead of for each row.
  const nameOf = node.labels === undefined ? undefined : fieldColumn
  const groups: LogicalPlan = {
    kind: 'aggregate',
    input: node.rows,
    keys: [
      ...parts.map((part) => ({ ...part, type: 'time' as const })),
      ...fieldsOf(node).map((name) => ({
        name: nameOf?.(name) ?? name,
        expr: column(name, origin),
        type: 'any' as const,
      })),
    ],
    aggregates: sumsOf(node),
    origin,
  }
  const plan = withLabels(groups, node, nameOf)
  const series = new SeriesRows(node, environment)
  const found: Changes[] = []
  const { budget } = environment
  for await (const batch of batchesOf(plan, windows, environment)) {
    const read = valuesReader(batch, [COUNT, BYTES, AT, ALSO_AT, ...series.columns])
    budget.checkpoint()
    for (let row = 0; row < batch.rowCount; row++) {
      const values = read(row)
      const [count = null, bytes = null, at = null, also = null] = values
      const index = series.indexOf(values)
      let changes = found[index]
      if (changes === undefined) {
        budget.charge((length + 1) * 16)
        changes = { rows: new Float64Array(length + 1), bytes: new Float64Array(length + 1) }
        found[index] = changes
      }
      const [from, to] = windowsOf(at, also, windows)
      if (from > to) continue
      change(changes.rows, from, to, Number(count ?? 0))
      change(changes.bytes, from, to, Number(bytes ?? 0))
    }
  }
  return columnsOf(found, series.labels, node, length, environment)
}

/** For each window, the difference in rows and bytes from the previous window. */
interface Changes {
  readonly rows: Float64Array
  readonly bytes: Float64Array
}

function change(of: Float64Array, from: number, to: number, by: number): void {
  of[from] += by
  of[to + 1] -= by
}

function sumsOf({ bytes, origin }: SeriesLogs): readonly NamedAggregate[] {
  const count: NamedAggregate = { name: COUNT, type: 'integer', call: countRows(origin) }
  return bytes === undefined ? [count] : [count, { name: BYTES, type: 'number', call: bytes }]
}

/** Returns the first and last window that contain an interval. */
function windowsOf(
  at: Value,
  also: Value,
  { endsMs, rangeMs, stepMs }: Windows,
): readonly [first: number, last: number] {
  if (!(at instanceof Instant)) return [0, endsMs.length - 1]
  const first = endsMs[0]
  const startOf = (instant: Instant): number => Number((instant.ns - 1n) / MS_NS)
  const starts = [startOf(at), ...(also instanceof Instant ? [startOf(also)] : [])]
  const [start, end] = [Math.max(...starts), Math.min(...starts) + stepMs]
  const from = Math.ceil((end - first) / stepMs)
  const to = Math.floor((start + rangeMs - first) / stepMs)
  return [Math.max(0, from), Math.min(endsMs.length - 1, to)]
}

/** Returns the value of each window: the sum of all changes up to it. A window without rows has no value. */
function columnsOf(
  found: readonly Changes[],
  labels: readonly Labels[],
  { gives }: SeriesLogs,
  length: number,
  { budget }: SeriesEnvironment,
): SeriesValue {
  const arena = new ColumnArena(length, budget)
  return vector(
    found.map(({ rows, bytes }, i) => {
      budget.checkpoint()
      const out = arena.column(labels[i], true)
      let [count, size] = [0, 0]
      for (let step = 0; step < length; step++) {
        count += rows[step]
        size += bytes[step]
        if (count === 0) continue
        out.values[step] = gives === 'count' ? count : size
        out.kinds[step] = FLOAT
      }
      return out
    }),
  )
}

/** The samples of one series, in the order of their rows. */
class SampleList {
  readonly #ms: number[] = []
  readonly #restNs: number[] = []
  readonly #values: number[] = []
  #isInOrder = true

  /** Adds a value at a time given as whole milliseconds plus nanoseconds. */
  add(ms: number, restNs: number, value: number): void {
    const last = this.#ms.length - 1
    if (last >= 0 && (ms - this.#ms[last] || restNs - this.#restNs[last]) < 0) this.#isInOrder = false
    this.#ms.push(ms)
    this.#restNs.push(restNs)
    this.#values.push(value)
  }

  /** Returns the samples of each window, sorted by time; samples with equal times keep the order of their rows. */
  windows(labels: Labels, { endsMs, rangeMs }: Windows): WindowSeries {
    const [ms, restNs, values] = [this.#ms, this.#restNs, this.#values]
    const { length } = ms
    const order = this.#isInOrder ? undefined : sortedIndexes(length, (a, b) => ms[a] - ms[b] || restNs[a] - restNs[b])
    const timesMs = new Float64Array(length)
    const countedMs = new Float64Array(length)
    const ordered = new Float64Array(length)
    for (let i = 0; i < length; i++) {
      const at = order?.[i] ?? i
      timesMs[i] = ms[at] + restNs[at] / 1e6
      // Windows end at whole milliseconds, so a time between two milliseconds counts as the later one.
      countedMs[i] = ms[at] + (restNs[at] > 0 ? 1 : 0)
      ordered[i] = values[at]
    }
    const [from, to] = [new Int32Array(endsMs.length), new Int32Array(endsMs.length)]
    fillWindows(countedMs, endsMs, rangeMs, from, to)
    const none = { histograms: undefined, startTimesMs: undefined }
    return { labels, isNameDropped: true, timesMs, values: ordered, ...none, from, to }
  }
}

/** Returns all samples of each series, ordered by time, with the sample range of each window. */
async function samples(node: SeriesLogs, windows: Windows, environment: SeriesEnvironment): Promise<MatrixValue> {
  const { origin } = node
  const series = new SeriesRows(node, environment)
  const names = [ENTRY_VALUE, ...series.columns]
  const plan: LogicalPlan = {
    kind: 'project',
    input: withLabels(node.rows, node),
    fields: [node.time, ...names].map((name) => fieldPattern(name)),
    origin,
  }
  const found: SampleList[] = []
  const { budget } = environment
  for await (const batch of batchesOf(plan, windows, environment)) {
    const read = valuesReader(batch, names)
    const time = new TimeReader(columnOf(batch, node.time))
    budget.checkpoint()
    budget.charge(SAMPLE_BYTES * batch.rowCount)
    for (let row = 0; row < batch.rowCount; row++) {
      if (!time.read(row)) continue
      const values = read(row)
      const list = (found[series.indexOf(values)] ??= new SampleList())
      list.add(time.ms, time.restNs, Number(values[0] ?? NaN))
    }
  }
  const matrix = found.map((list, i) => list.windows(series.labels[i], windows))
  const { endsMs, rangeMs } = windows
  return { kind: 'matrix', series: matrix, rangeMs, endsMs, extension: 'none', lookbackMs: environment.lookbackMs }
}

/** Evaluates a log aggregation in the windows of all steps. */
export async function evaluateLogs(
  node: SeriesLogs,
  steps: Steps,
  environment: SeriesEnvironment,
): Promise<SeriesValue> {
  const rangeMs = node.range.kind === 'fixed' ? node.range.ms : positiveMs(node.range, environment.query)
  const endsMs = steps.timesMs.map((timeMs) => timeMs - node.offsetMs)
  const stepMs = endsMs.length === 1 ? 0 : endsMs[1] - endsMs[0]
  const windows = { rangeMs, endsMs, stepMs }
  return node.gives === 'samples' ? samples(node, windows, environment) : sums(node, windows, environment)
}
