import { clampNs, invariant, nowhere, type Interval } from '../../../base/index.ts'
import { Instant, Labels, rowsOf, toText, type Row } from '../../../data/index.ts'
import {
  ColumnArena,
  FLOAT,
  vector,
  type MatrixValue,
  type SeriesValue,
  type Steps,
  type WindowSeries,
} from '../../../functions/series/index.ts'
import { ENTRY_LABELS, ENTRY_VALUE, labelColumn } from '../../../functions/logql/index.ts'
import { column, countRows, type Expr, type LogicalPlan, type NamedAggregate } from '../../../plan/index.ts'
import type { SeriesLogs } from '../../../plan/series/index.ts'
import { positiveMs } from './durations.ts'
import type { SeriesEnvironment } from './environment.ts'
import { fillWindows } from './range.ts'

const MS_NS = 1_000_000n
/** Estimated bytes of a series and of its map entry, beside its labels. */
const SERIES_BYTES = 200
/** Bytes of a sample while samples are collected: a time and a value. */
const SAMPLE_BYTES = 32

interface Windows {
  readonly rangeMs: number
  readonly endsMs: Float64Array
  /** Distance of two windows, ms; 0 for one window. */
  readonly stepMs: number
}

function toNs(ms: number): bigint {
  return clampNs(BigInt(Math.round(ms)) * MS_NS)
}

/** The times of rows that are in some window: each window begins after its first and ends with its last ns. */
function rangeOf({ endsMs, rangeMs }: Windows): Interval {
  const last = endsMs[endsMs.length - 1]
  return { startNs: toNs(endsMs[0] - rangeMs) + 1n, endNs: toNs(last) + 1n }
}

/** Time rounded down to steps that begin one ns after `originMs`. */
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

  constructor(node: SeriesLogs, environment: SeriesEnvironment) {
    this.#node = node
    this.#environment = environment
  }

  /** The number of the series of a row. */
  indexOf(row: Row): number {
    const { labels } = this.#node
    const texts = labels?.map((name) => toText(row.get(labelColumn(name)) ?? null))
    const key = texts === undefined ? toText(row.get(ENTRY_LABELS) ?? null) : JSON.stringify(texts)
    const known = this.#indexOf.get(key)
    if (known !== undefined) return known
    this.#environment.budget.charge(SERIES_BYTES + key.length * 4)
    const pairs =
      labels === undefined
        ? Object.entries(JSON.parse(key) as Record<string, string>)
        : labels.map((name, i) => [name, texts?.[i] ?? ''] as const)
    const index = this.labels.push(Labels.from(pairs)) - 1
    this.#indexOf.set(key, index)
    return index
  }
}

async function* rowsIn(plan: LogicalPlan, windows: Windows, environment: SeriesEnvironment): AsyncIterable<Row> {
  const { logs, budget } = environment
  invariant(logs !== undefined, 'a query over logs has rows of logs')
  for await (const batch of logs.read(plan, rangeOf(windows))) {
    for (const row of rowsOf(batch)) {
      budget.checkpoint()
      yield row
    }
  }
}

const AT = '__at__'
const ALSO_AT = '__also_at__'
const COUNT = '__count__'
const BYTES = '__bytes__'

/**
 * Counts rows between the ends and beginnings of windows, in one pass: no window begins or ends inside such a part. A
 * part belongs to a run of windows, which is added up as differences, so the work does not grow with the range.
 */
async function sums(node: SeriesLogs, windows: Windows, environment: SeriesEnvironment): Promise<SeriesValue> {
  const { rangeMs, endsMs, stepMs } = windows
  const { length } = endsMs
  const first = endsMs[0]
  const isWhole = stepMs === 0 || rangeMs % stepMs === 0
  const parts = stepMs === 0 ? [] : [{ name: AT, expr: stepAfter(node.time, stepMs, first) }]
  if (!isWhole) parts.push({ name: ALSO_AT, expr: stepAfter(node.time, stepMs, first - rangeMs) })
  const keys = node.labels?.map(labelColumn) ?? [ENTRY_LABELS]
  const { origin } = node
  const plan: LogicalPlan = {
    kind: 'aggregate',
    input: node.rows,
    keys: [
      ...parts.map((part) => ({ ...part, type: 'time' as const })),
      ...keys.map((name) => ({ name, expr: column(name, origin), type: 'string' as const })),
    ],
    aggregates: sumsOf(node),
    origin,
  }
  const series = new SeriesRows(node, environment)
  const found: Changes[] = []
  for await (const row of rowsIn(plan, windows, environment)) {
    const index = series.indexOf(row)
    let changes = found[index]
    if (changes === undefined) {
      environment.budget.charge((length + 1) * 16)
      changes = { rows: new Float64Array(length + 1), bytes: new Float64Array(length + 1) }
      found[index] = changes
    }
    const [from, to] = windowsOf(row, windows)
    if (from > to) continue
    change(changes.rows, from, to, Number(row.get(COUNT) ?? 0))
    change(changes.bytes, from, to, Number(row.get(BYTES) ?? 0))
  }
  return columnsOf(found, series.labels, node, length, environment)
}

/** How many more rows and bytes a window has than the one before. */
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

/** The first and the last window that hold a part of time. */
function windowsOf(row: Row, { endsMs, rangeMs, stepMs }: Windows): readonly [first: number, last: number] {
  const at = row.get(AT)
  if (!(at instanceof Instant)) return [0, endsMs.length - 1]
  const first = endsMs[0]
  const startOf = (instant: Instant): number => Number((instant.ns - 1n) / MS_NS)
  const also = row.get(ALSO_AT)
  const starts = [startOf(at), ...(also instanceof Instant ? [startOf(also)] : [])]
  const [start, end] = [Math.max(...starts), Math.min(...starts) + stepMs]
  const from = Math.ceil((end - first) / stepMs)
  const to = Math.floor((start + rangeMs - first) / stepMs)
  return [Math.max(0, from), Math.min(endsMs.length - 1, to)]
}

/** Turns changes from window to window into values. A window without rows has none. */
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

/** All samples of each series, in order of time, with the windows that hold them. */
async function samples(node: SeriesLogs, windows: Windows, environment: SeriesEnvironment): Promise<MatrixValue> {
  const { time, origin } = node
  const plan: LogicalPlan = {
    kind: 'sort',
    input: node.rows,
    keys: [{ expr: column(time, origin), direction: 'asc' }],
    offset: 0,
    limit: undefined,
    partitionBy: [],
    rankName: undefined,
    origin,
  }
  const series = new SeriesRows(node, environment)
  const found: { readonly ns: bigint[]; readonly values: number[] }[] = []
  for await (const row of rowsIn(plan, windows, environment)) {
    const at = row.get(time)
    if (!(at instanceof Instant)) continue
    environment.budget.charge(SAMPLE_BYTES)
    const index = series.indexOf(row)
    const list = (found[index] ??= { ns: [], values: [] })
    list.ns.push(at.ns)
    list.values.push(Number(row.get(ENTRY_VALUE) ?? NaN))
  }
  const { endsMs, rangeMs } = windows
  const matrix = found.map(({ ns, values }, i): WindowSeries => {
    // A window ends with a whole ms, so a time between two counts as the later one there.
    const countedMs = Float64Array.from(ns, (each) => Number((each + MS_NS - 1n) / MS_NS))
    const [from, to] = [new Int32Array(endsMs.length), new Int32Array(endsMs.length)]
    fillWindows(countedMs, endsMs, rangeMs, from, to)
    return {
      labels: series.labels[i],
      isNameDropped: true,
      timesMs: Float64Array.from(ns, (each) => Number(each) / 1e6),
      values: Float64Array.from(values),
      histograms: undefined,
      startTimesMs: undefined,
      from,
      to,
    }
  })
  return { kind: 'matrix', series: matrix, rangeMs, endsMs, extension: 'none', lookbackMs: environment.lookbackMs }
}

/** Evaluates rows of logs in the windows of all steps. */
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
