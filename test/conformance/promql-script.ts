import { present } from '../../src/base/index.ts'
import { denseBuckets, CUSTOM_SCHEMA, EMPTY_HISTOGRAM, Labels, METRIC_NAME } from '../../src/data/index.ts'
import type { Histogram } from '../../src/data/index.ts'
import {
  hasStartMark,
  parseSeriesNotation,
  parseStartTimes,
  type SeriesDescription,
  type SeriesPoint,
} from './series/notation.ts'
import { SampleStore } from '../../src/store/samples/index.ts'

/** What an `eval` block expects. */
export interface Expectation {
  readonly isFailing: boolean
  readonly failure: TextTest | undefined
  readonly warnings: readonly TextTest[]
  readonly infos: readonly TextTest[]
  readonly noWarnings: boolean
  readonly noInfos: boolean
  readonly isOrdered: boolean
  readonly text: string | undefined
  readonly rangeVector: { readonly startMs: number; readonly endMs: number; readonly stepMs: number } | undefined
  readonly scalar: number | undefined
  readonly series: readonly SeriesDescription[]
}

export interface TextTest {
  readonly kind: 'any' | 'exact' | 'regex'
  readonly text: string
}

export interface EvalBlock {
  readonly line: number
  readonly query: string
  readonly isInstant: boolean
  readonly startMs: number
  readonly endMs: number
  readonly stepMs: number
  readonly expectation: Expectation
}

export interface ScriptVisitor {
  /** Called for each eval block with the store as it stands there. */
  evaluate(block: EvalBlock, store: SampleStore): Promise<void>
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
}

export function parseDurationMs(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1
  const body = text.replace(/^[+-]/, '')
  if (/^\d+(\.\d+)?$/.test(body)) return sign * Number(body) * 1000
  let total = 0
  for (const [, count, unit] of body.matchAll(/(\d+)(ms|[smhdwy])/g))
    total += Number(count) * present(UNITS[present(unit)])
  return sign * total
}

function readSeries(line: string): SeriesDescription {
  const { series, diagnostics } = parseSeriesNotation(line)
  if (series === undefined) throw new Error(`${diagnostics[0]?.message ?? 'bad series'}: ${line}`)
  return series
}

function appendPoint(
  store: SampleStore,
  labels: Labels,
  timeMs: number,
  point: SeriesPoint,
  startTimeMs: number,
): void {
  if (point.kind === 'omitted') return
  if (point.kind === 'float') store.append(labels, { timeMs, value: point.value, startTimeMs })
  else if (point.kind === 'stale') store.append(labels, { timeMs, value: NaN, isStale: true })
  else store.append(labels, { timeMs, value: 0, histogram: point.histogram, startTimeMs })
}

/** Start times of a series line, one a point; 0 where none is given. */
function readStarts(line: string, intervalMs: number): readonly number[] {
  const { series, diagnostics } = parseStartTimes(line)
  if (series === undefined) throw new Error(`${diagnostics[0]?.message ?? 'bad start times'}: ${line}`)
  return series.points.map((point, k) => (point.kind === 'float' ? Math.round(k * intervalMs + point.value * 1000) : 0))
}

function loadBlock(lines: readonly string[], intervalMs: number, store: SampleStore): readonly SeriesDescription[] {
  const byKey = new Map<string, { series: SeriesDescription; starts: readonly number[] | undefined }>()
  let starts: readonly number[] | undefined
  for (const line of lines) {
    if (hasStartMark(line)) {
      starts = readStarts(line, intervalMs)
      continue
    }
    const series = readSeries(line)
    byKey.set(series.labels.key, { series, starts })
    starts = undefined
  }
  for (const { series, starts } of byKey.values()) {
    series.points.forEach((point, k) => appendPoint(store, series.labels, k * intervalMs, point, starts?.[k] ?? 0))
  }
  return [...byKey.values()].map(({ series }) => series)
}

interface ClassicGroup {
  readonly labels: Labels
  readonly buckets: { readonly bound: number; readonly points: readonly SeriesPoint[] }[]
  count: readonly SeriesPoint[] | undefined
  sum: readonly SeriesPoint[] | undefined
}

function floatOf(points: readonly SeriesPoint[] | undefined, k: number): number | undefined {
  const point = points?.[k]
  return point?.kind === 'float' ? point.value : undefined
}

function customHistogram(group: ClassicGroup, k: number): Histogram | undefined {
  const cumulative = new Map<number, number>()
  for (const { bound, points } of group.buckets) {
    const value = floatOf(points, k)
    if (value !== undefined && !cumulative.has(bound)) cumulative.set(bound, value)
  }
  const sum = floatOf(group.sum, k)
  const total = floatOf(group.count, k)
  if (cumulative.size === 0 && sum === undefined && total === undefined) return undefined
  const sorted = [...cumulative].sort((a, b) => a[0] - b[0])
  const last = sorted.at(-1)
  const count = total ?? (last?.[0] === Infinity ? last[1] : (last?.[1] ?? 0))
  if (last === undefined || last[0] !== Infinity) sorted.push([Infinity, count])
  let below = 0
  const counts = sorted.map(([, value]) => {
    const own = value - below
    below = value
    return own
  })
  return {
    ...EMPTY_HISTOGRAM,
    schema: CUSTOM_SCHEMA,
    count,
    sum: sum ?? 0,
    bounds: sorted.slice(0, -1).map(([bound]) => bound),
    positive: denseBuckets(0, counts),
  }
}

function addCustomHistograms(loaded: readonly SeriesDescription[], intervalMs: number, store: SampleStore): void {
  const groups = new Map<string, ClassicGroup>()
  for (const { labels, points } of loaded) {
    const match = /^(.*)_(bucket|count|sum)$/.exec(labels.metricName)
    if (match === null) continue
    const base = labels.without(['le']).with(METRIC_NAME, present(match[1]))
    let group = groups.get(base.key)
    if (group === undefined) {
      group = { labels: base, buckets: [], count: undefined, sum: undefined }
      groups.set(base.key, group)
    }
    if (match[2] === 'count') group.count = points
    else if (match[2] === 'sum') group.sum = points
    else {
      const le = labels.get('le')
      const bound = /^\+?inf$/i.test(le) ? Infinity : Number(le)
      if (le !== '' && !Number.isNaN(bound)) group.buckets.push({ bound, points })
    }
  }
  for (const group of groups.values()) {
    const lists = [...group.buckets.map(({ points }) => points), group.count ?? [], group.sum ?? []]
    const length = Math.max(...lists.map((points) => points.length))
    for (let k = 0; k < length; k++) {
      const histogram = customHistogram(group, k)
      if (histogram !== undefined) store.append(group.labels, { timeMs: k * intervalMs, value: 0, histogram })
    }
  }
}

function textTest(rest: string): TextTest {
  const trimmed = rest.trim()
  if (trimmed.startsWith('msg:')) return { kind: 'exact', text: trimmed.slice(4).trim() }
  if (trimmed.startsWith('regex:')) return { kind: 'regex', text: trimmed.slice(6).trim() }
  return { kind: 'any', text: '' }
}

const NUMBER = /^[+-]?(0x[0-9a-f]+|\d+(\.\d*)?(e[+-]?\d+)?|\.\d+(e[+-]?\d+)?|inf|nan)$/i

function readNumber(text: string): number {
  if (/inf$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  if (/nan$/i.test(text)) return NaN
  return Number(text)
}

interface OpenExpectation {
  isFailing: boolean
  failure: TextTest | undefined
  readonly warnings: TextTest[]
  readonly infos: TextTest[]
  noWarnings: boolean
  noInfos: boolean
  isOrdered: boolean
  text: string | undefined
  rangeVector: Expectation['rangeVector']
  scalar: number | undefined
  readonly series: SeriesDescription[]
}

function readExpectLine(rest: string, into: OpenExpectation): void {
  const [, kind, detail] = /^(\w+)\s*(.*)$/.exec(rest) ?? []
  switch (kind) {
    case 'fail':
      into.isFailing = true
      into.failure = textTest(present(detail))
      return
    case 'warn':
      into.warnings.push(textTest(present(detail)))
      return
    case 'info':
      into.infos.push(textTest(present(detail)))
      return
    case 'no_warn':
      into.noWarnings = true
      return
    case 'no_info':
      into.noInfos = true
      return
    case 'ordered':
      into.isOrdered = true
      return
    case 'string':
      into.text = JSON.parse(present(detail)) as string
      return
    case 'range': {
      const [, from, to, step] = /^vector from (\S+) to (\S+) step (\S+)$/.exec(present(detail)) ?? []
      into.rangeVector = {
        startMs: parseDurationMs(present(from)),
        endMs: parseDurationMs(present(to)),
        stepMs: parseDurationMs(present(step)),
      }
      return
    }
    default:
      throw new Error(`unknown expectation: ${rest}`)
  }
}

interface EvalHead {
  readonly word: string
  readonly isInstant: boolean
  readonly startMs: number
  readonly endMs: number
  readonly stepMs: number
  readonly query: string
}

function readEvalHead(line: string): EvalHead {
  const instant = /^(eval(?:_\w+)?)\s+instant\s+(?:at\s+(\S+)\s+)?(.*)$/i.exec(line)
  if (instant !== null) {
    const startMs = parseDurationMs(instant[2] ?? '0')
    return {
      word: present(instant[1]),
      isInstant: true,
      startMs,
      endMs: startMs,
      stepMs: 0,
      query: present(instant[3]),
    }
  }
  const range = /^(eval(?:_\w+)?)\s+range\s+from\s+(\S+)\s+to\s+(\S+)\s+step\s+(\S+)\s+(.*)$/i.exec(line)
  if (range === null) throw new Error(`bad eval line: ${line}`)
  return {
    word: present(range[1]),
    isInstant: false,
    startMs: parseDurationMs(present(range[2])),
    endMs: parseDurationMs(present(range[3])),
    stepMs: parseDurationMs(present(range[4])),
    query: present(range[5]),
  }
}

/** Runs a script; each block is handed on with the store of its moment. */
export async function runScript(text: string, visitor: ScriptVisitor): Promise<void> {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .map((line) => (line.startsWith('#') ? '' : line))
  let store = new SampleStore()
  let at = 0
  while (at < lines.length) {
    const line = present(lines[at])
    const word = present(line.split(/\s/)[0]).toLowerCase()
    if (line === '') {
      at++
    } else if (word === 'clear') {
      store = new SampleStore()
      at++
    } else if (word.startsWith('load')) {
      const intervalMs = parseDurationMs(present(line.split(/\s+/)[1]))
      const start = ++at
      while (at < lines.length && lines[at] !== '') at++
      const loaded = loadBlock(lines.slice(start, at), intervalMs, store)
      if (word === 'load_with_nhcb') addCustomHistograms(loaded, intervalMs, store)
    } else if (word.startsWith('eval')) {
      const head = readEvalHead(line)
      const expectation: OpenExpectation = {
        isFailing: head.word.toLowerCase() === 'eval_fail',
        failure: undefined,
        warnings: head.word.toLowerCase() === 'eval_warn' ? [textTest('')] : [],
        infos: head.word.toLowerCase() === 'eval_info' ? [textTest('')] : [],
        noWarnings: false,
        noInfos: false,
        isOrdered: head.word.toLowerCase() === 'eval_ordered',
        text: undefined,
        rangeVector: undefined,
        scalar: undefined,
        series: [],
      }
      const lineNumber = at + 1
      at++
      while (at < lines.length && lines[at] !== '') {
        const body = lines[at++]
        if (/^expect\s/.test(present(body))) readExpectLine(present(body).slice(7).trim(), expectation)
        else if (present(body).startsWith('expected_fail_message')) {
          expectation.failure = { kind: 'exact', text: present(body).slice('expected_fail_message'.length).trim() }
        } else if (present(body).startsWith('expected_fail_regexp')) {
          expectation.failure = { kind: 'regex', text: present(body).slice('expected_fail_regexp'.length).trim() }
        } else if (NUMBER.test(present(body))) {
          expectation.scalar = readNumber(present(body))
          break
        } else expectation.series.push(readSeries(present(body)))
      }
      await visitor.evaluate({ line: lineNumber, ...head, expectation }, store)
    } else {
      throw new Error(`unknown command: ${line}`)
    }
  }
}
