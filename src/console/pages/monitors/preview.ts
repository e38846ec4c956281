import { DAY_MS, MINUTE_MS } from '../../../base/index.ts'
import { failureOf } from '../../ask/ask-error.ts'
import type { Ask } from '../../ask/client.ts'
import type { PlainJson } from '../../../data/index.ts'
import { durationMs } from '../../forms/durations.ts'
import { isObject, isObjectList, stringOf, valueAt, type JsonObject } from '../../forms/model.ts'
import type { ChartSeries } from '../../widgets/time-chart.tsx'

/** Values of a monitor's first query over the last day. */
export interface Preview {
  readonly timesMs: readonly number[]
  readonly series: readonly ChartSeries[]
  /** Number of series that are not drawn, because more lines could not be told apart. */
  readonly hidden: number
  /** Window length of each point, ms. */
  readonly windowMs: number
  /** `windows`: only some windows were evaluated, one by one. */
  readonly kind: 'all' | 'windows'
  /** True if older windows are missing, because the query has too many groups. */
  readonly isCut: boolean
}

/** Maximum number of points in a line; more than a chart has pixels. */
const MAX_POINTS = 1440

/** Number of windows that are evaluated if the query cannot be grouped by time: one for each half hour. */
const SAMPLED_WINDOWS = 48

/** Number of windows that are queried concurrently; few, so that other queries are not delayed. */
const AT_ONCE = 4

/** Maximum number of result rows: enough for a day with 14 groups. */
const MAX_ROWS = 20_000

/** Maximum number of lines besides the thresholds. */
const MAX_SERIES = 12

function textAt(value: PlainJson | undefined, path: readonly (string | number)[]): string {
  return stringOf(valueAt(value, path))
}

/** Returns the window of a query: its range, or else one evaluation interval, ms. */
export function windowOf(definition: JsonObject, query: JsonObject): number {
  const interval = durationMs(textAt(definition, ['evaluationInterval', 'interval'])) ?? 0
  const intervalMs = interval >= 1 ? interval : MINUTE_MS
  const ago = (text: string): number | undefined =>
    text === '' ? undefined : text === 'now' ? 0 : durationMs(text.replace(/^now/, '').replace(/^-/, ''))
  const [from, to] = [
    ago(textAt(query, ['relativeTimerange', 'from'])),
    ago(textAt(query, ['relativeTimerange', 'to'])) ?? 0,
  ]
  return from === undefined || from <= to ? intervalMs : from - to
}

const STATS = /\|\s*stats\s+(?:by\s*)?/g

/** Returns the field names of a `by` list. */
function namesOf(list: string): readonly string[] {
  return list
    .split(',')
    .map((name) =>
      name
        .trim()
        .replace(/:[^:]*$/, '')
        .replaceAll(/^["'`]|["'`]$/g, ''),
    )
    .filter((name) => name !== '')
}

/** A query text grouped by time, which returns one result for each window. */
export interface ByTime {
  readonly text: string
  /** Columns that identify a group. */
  readonly keys: readonly string[]
  /** True if the value is the last number of a row, as after `math`; by default it is the first. */
  readonly isLast: boolean
  /** True if a window without rows has the value zero. */
  readonly isCount: boolean
}

/** Rewrites a query to also group by window; `undefined` if it groups in a way that cannot be extended. */
export function groupedByTime(text: string, windowMs: number): ByTime | undefined {
  const step = `_time:${windowMs}ms`
  const found = [...text.matchAll(STATS)].at(-1)
  if (found === undefined) {
    const query = text.trim() === '' ? '*' : text
    return { text: `${query} | stats by (${step}) count() as rows`, keys: [], isLast: false, isCount: true }
  }
  const end = found.index + found[0].length
  const [head, tail] = [text.slice(0, end), text.slice(end)]
  const isCount = /^[^|]*\b(count|count_uniq|sum)\s*\(/.test(tail)
  const isLast = /\|\s*math\b/.test(tail)
  const list = /^\(([^)]*)\)/.exec(tail)
  if (list === null) {
    if (/\bby\s*$/.test(head) || /\sby\s*\(/.test(tail)) return undefined
    return { text: `${head}by (${step}) ${tail}`, keys: [], isLast, isCount }
  }
  const [whole, names = ''] = list
  if (/(^|,)\s*_time\b/.test(names)) return undefined
  const by = names.trim() === '' ? step : `${step}, ${names}`
  return { text: `${head}(${by})${tail.slice(whole.length)}`, keys: namesOf(names), isLast, isCount }
}

/** A point of a series, with the name of the series. */
interface Point {
  readonly name: string
  readonly ms: number
  readonly value: number
}

function numberOf(value: PlainJson | undefined): number | undefined {
  const number = typeof value === 'bigint' || typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) && value !== '' ? number : undefined
}

function pointOf(row: JsonObject, ms: number, keys: readonly string[] | undefined, isLast: boolean): Point {
  const numbers = Object.entries(row).flatMap(([name, value]) => {
    const isKey = name === '_time' || keys?.includes(name) === true || (keys === undefined && typeof value === 'string')
    const number = isKey ? undefined : numberOf(value)
    return number === undefined ? [] : [[name, number] as const]
  })
  const [column = '', value = 1] = (isLast ? numbers.at(-1) : numbers[0]) ?? []
  const names = keys ?? Object.keys(row).filter((name) => typeof row[name] === 'string' && name !== '_time')
  const name = names.map((key) => stringOf(row[key])).join(' · ')
  return { name: name === '' ? column : name, ms, value }
}

/** Returns lines for the series with the largest values. */
function chartOf(points: readonly Point[], timesMs: readonly number[], empty: number | null) {
  const most = new Map<string, number>()
  for (const { name, value } of points) most.set(name, Math.max(value, most.get(name) ?? -Infinity))
  const largest = [...most].toSorted(([, a], [, b]) => b - a).slice(0, MAX_SERIES)
  const lines = new Map(largest.map(([name]) => [name, timesMs.map((): number | null => empty)]))
  const indexes = new Map(timesMs.map((ms, i) => [ms, i]))
  for (const { name, ms, value } of points) {
    const [values, index] = [lines.get(name), indexes.get(ms)]
    if (values !== undefined && index !== undefined) values[index] = value
  }
  return { series: [...lines].map(([name, values]) => ({ name, values })), hidden: most.size - lines.size }
}

const rowPaths: Readonly<Record<string, string>> = {
  '': '/api/logs/v2/search',
  logs: '/api/logs/v2/search',
  traces: '/api/traces/v2/search',
  apm: '/api/traces/v2/search',
  events: '/api/k8s/v2/events/search',
}

interface Question {
  readonly ask: Ask
  readonly signal: AbortSignal
  readonly nowMs: number
}

async function rowsOf({ ask, signal }: Question, path: string, body: JsonObject): Promise<readonly JsonObject[]> {
  return (await ask('json', { method: 'POST', path, body }, { signal })).body as readonly JsonObject[]
}

const iso = (ms: number): string => new Date(ms).toISOString()

function grid(nowMs: number, stepMs: number): readonly number[] {
  const end = Math.floor(nowMs / stepMs) * stepMs
  const count = Math.min(MAX_POINTS, Math.max(1, Math.floor(DAY_MS / stepMs)))
  return Array.from({ length: count }, (_, i) => end - (count - i) * stepMs)
}

async function byTime(question: Question, path: string, query: JsonObject, windowMs: number): Promise<Preview> {
  const grouped = groupedByTime(textAt(query, ['expression']), windowMs)
  if (grouped === undefined || query['sqlPipeline'] !== undefined) return sampled(question, path, query, windowMs)
  const timesMs = grid(question.nowMs, windowMs)
  const [first = 0] = timesMs
  const body = {
    ...restrictions(query),
    query: `${grouped.text} | sort by (_time desc) | limit ${MAX_ROWS}`,
    start: iso(first),
    end: iso((timesMs.at(-1) ?? 0) + windowMs),
  }
  const rows = await rowsOf(question, path, body)
  const points = rows.map((row) => pointOf(row, Date.parse(stringOf(row['_time'])), grouped.keys, grouped.isLast))
  const isCut = rows.length >= MAX_ROWS
  // If the answer was cut, its oldest window is incomplete and is not shown.
  const oldestMs = points.at(-1)?.ms ?? 0
  const shownMs = isCut ? timesMs.filter((ms) => ms > oldestMs) : timesMs
  return { timesMs: shownMs, ...chartOf(points, shownMs, grouped.isCount ? 0 : null), windowMs, kind: 'all', isCut }
}

/** Members of a query that restrict its rows, as members of a search body. */
function restrictions({ filters, conditions }: JsonObject): JsonObject {
  return {
    ...(filters === undefined ? {} : { filters }),
    ...(conditions === undefined ? {} : { sources: conditions }),
  }
}

/** Evaluates some windows of the last day exactly as the monitor does. */
async function sampled(question: Question, path: string, query: JsonObject, windowMs: number): Promise<Preview> {
  const { expression, sqlPipeline } = query
  const timesMs = Array.from({ length: SAMPLED_WINDOWS }, (_, i) => {
    const before = ((SAMPLED_WINDOWS - 1 - i) * DAY_MS) / SAMPLED_WINDOWS
    return question.nowMs - before
  })
  const points: Point[] = []
  for (let i = 0; i < timesMs.length; i += AT_ONCE)
    await Promise.all(
      timesMs.slice(i, i + AT_ONCE).map(async (ms) => {
        const body = {
          ...restrictions(query),
          ...(expression === undefined ? {} : { query: expression }),
          ...(sqlPipeline === undefined ? {} : { pipeline: sqlPipeline }),
          start: iso(ms - windowMs),
          end: iso(ms),
        }
        points.push(...(await rowsOf(question, path, body)).map((row) => pointOf(row, ms, undefined, false)))
      }),
    )
  return { timesMs, ...chartOf(points, timesMs, null), windowMs, kind: 'windows', isCut: false }
}

interface MatrixBody {
  readonly data: {
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>
      readonly values?: readonly (readonly [number, string])[]
    }[]
  }
}

async function ofMetric(question: Question, query: JsonObject, windowMs: number): Promise<Preview> {
  const { ask, signal, nowMs } = question
  const stepMs = Math.max(windowMs, DAY_MS / MAX_POINTS)
  const timesMs = grid(nowMs, stepMs)
  const { pipeline, conditions, filters } = query
  const rollup = textAt(query, ['rollup', 'function'])
  const over = durationMs(textAt(query, ['rollup', 'time']))
  const text = textAt(query, ['expression'])
  const wrapped = rollup === '' || over === undefined ? text : `${rollup}_over_time((${text})[${over}ms:])`
  const body = {
    ...(pipeline === undefined ? { Promql: wrapped } : { Pipeline: pipeline }),
    ...(conditions === undefined ? {} : { Conditions: conditions }),
    ...(filters === undefined ? {} : { Filters: filters }),
    QueryType: 'range',
    Start: iso(timesMs[0] ?? 0),
    End: iso(timesMs.at(-1) ?? 0),
    Step: `${stepMs}ms`,
  }
  const answer = await ask('json', { method: 'POST', path: '/api/metrics/query', body }, { signal })
  const points = (answer.body as MatrixBody).data.result.flatMap(({ metric, values = [] }) => {
    const labels = Object.entries(metric).map(([name, value]) => `${name}=${value}`)
    const name = labels.length === 0 ? 'value' : labels.join(' ')
    return values.flatMap(([seconds, value]) => {
      const number = numberOf(value)
      return number === undefined ? [] : [{ name, ms: Math.round(seconds * 1000), value: number }]
    })
  })
  return { timesMs, ...chartOf(points, timesMs, null), windowMs: stepMs, kind: 'all', isCut: false }
}

/** Returns the first query of a monitor; `undefined` for a monitor without one. */
export function firstQuery(definition: JsonObject): JsonObject | undefined {
  const queries = valueAt(definition, ['model', 'queries'])
  return isObjectList(queries) ? queries[0] : undefined
}

/**
 * Returns the values of the first query over the last day, one for each window. Resolves to `undefined` if the query
 * cannot be drawn. Rejects with AskError.
 */
export async function previewOf(definition: JsonObject, question: Question): Promise<Preview | undefined> {
  const query = firstQuery(definition)
  if (query === undefined) return undefined
  const kind = textAt(query, ['dataType']).trim().toLowerCase()
  const windowMs = windowOf(definition, query)
  const source = textAt(query, ['datasourceType']).toLowerCase()
  if (kind === 'metrics' || (kind === '' && (query['pipeline'] !== undefined || source === 'prometheus')))
    return ofMetric(question, query, windowMs)
  const path = rowPaths[kind]
  if (path === undefined) return undefined
  try {
    return await byTime(question, path, query, windowMs)
  } catch (error) {
    // The grouped text is invalid, so the query groups in a way that this page does not know. It is evaluated window by
    // window.
    if (failureOf(error).kind !== 'query') throw error
    return sampled(question, path, query, windowMs)
  }
}

const signs: Readonly<Record<string, string>> = { gt: '>', gte: '≥', lt: '<', lte: '≤', eq: '=', neq: '≠' }

/** Returns the thresholds of a monitor as horizontal lines. */
export function thresholdLines(definition: JsonObject, count: number): readonly ChartSeries[] {
  const thresholds = valueAt(definition, ['model', 'thresholds'])
  if (!isObjectList(thresholds)) return []
  const linesOf = (threshold: JsonObject, name: string): readonly ChartSeries[] => {
    const values = threshold['values']
    const operator = textAt(threshold, ['operator'])
    if (!Array.isArray(values)) return []
    return (values as readonly PlainJson[]).flatMap((value) => {
      const number = numberOf(value)
      if (number === undefined) return []
      return [
        {
          name: `${name} ${signs[operator] ?? operator} ${number}`,
          values: Array.from({ length: count }, () => number),
          isLimit: true,
        },
      ]
    })
  }
  return thresholds.flatMap((threshold) => {
    const resolve = threshold['customResolveThreshold']
    const name = textAt(threshold, ['name'])
    return [...linesOf(threshold, name), ...(isObject(resolve) ? linesOf(resolve, `${name} ↓`) : [])]
  })
}
