import { present } from '../../src/base/index.ts'
import { denseBuckets, CUSTOM_SCHEMA, EMPTY_HISTOGRAM, Labels, METRIC_NAME } from '../../src/data/index.ts'
import type { Histogram } from '../../src/data/index.ts'
import {
  hasStartMark,
  parseSeriesNotation,
  parseStartTimes,
  type SeriesDescription,
  type SeriesPoint,
} from '../../src/alerting/testing/promtool/series/notation.ts'
import { scanString } from '../../src/lang/promql/text/string-text.ts'
import { SampleStore } from '../../src/store/samples/index.ts'

/** Expected result of an `eval` block. */
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
  /** Error in the block itself that makes it impossible to check. */
  readonly fault: string | undefined
}

export interface ScriptVisitor {
  /** Called for each eval block, with the samples loaded up to this point of the script. */
  evaluate(block: EvalBlock, store: SampleStore): Promise<void>
  /** Called for each invalid line outside eval blocks; the script continues after it. */
  fault(line: number, text: string): void
}

/** A line has no valid form. */
class BadLine extends Error {}

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
}

/** Parses a duration to milliseconds; a bare number counts seconds. Throws BadLine. */
function durationMs(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1
  const body = text.replace(/^[+-]/, '')
  if (/^\d+(\.\d+)?$/.test(body)) return sign * Number(body) * 1000
  if (!/^(\d+(ms|[smhdwy]))+$/.test(body)) throw new BadLine(`not a duration: ${text}`)
  let total = 0
  for (const [, count, unit] of body.matchAll(/(\d+)(ms|[smhdwy])/g))
    total += Number(count) * present(UNITS[present(unit)])
  return sign * total
}

function readSeries(line: string): SeriesDescription {
  const { series, diagnostics } = parseSeriesNotation(line)
  if (series === undefined) throw new BadLine(`${diagnostics[0]?.message ?? 'bad series'}: ${line}`)
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
  if (point.kind === 'float') store.writer.append(labels, { timeMs, value: point.value, startTimeMs })
  else if (point.kind === 'stale') store.writer.append(labels, { timeMs, value: NaN, isStale: true })
  else store.writer.append(labels, { timeMs, value: 0, histogram: point.histogram, startTimeMs })
}

/** Parses a line of start times. Returns one per point in milliseconds; 0 where none is given. */
function readStarts(line: string, intervalMs: number): readonly number[] {
  const { series, diagnostics } = parseStartTimes(line)
  if (series === undefined) throw new BadLine(`${diagnostics[0]?.message ?? 'bad start times'}: ${line}`)
  return series.points.map((point, k) => (point.kind === 'float' ? Math.round(k * intervalMs + point.value * 1000) : 0))
}

/**
 * Loads the valid lines of a load block into the store and returns their series. Calls `fault` for each invalid line,
 * with its index.
 */
function loadBlock(
  lines: readonly string[],
  intervalMs: number,
  store: SampleStore,
  fault: (index: number, text: string) => void,
): readonly SeriesDescription[] {
  const byKey = new Map<string, { series: SeriesDescription; starts: readonly number[] | undefined }>()
  let starts: readonly number[] | undefined
  for (const [i, line] of lines.entries()) {
    try {
      if (hasStartMark(line)) {
        starts = readStarts(line, intervalMs)
        continue
      }
      const series = readSeries(line)
      byKey.set(series.labels.key, { series, starts })
    } catch (error) {
      if (!(error instanceof BadLine)) throw error
      fault(i, error.message)
    }
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
      if (histogram !== undefined) store.writer.append(group.labels, { timeMs: k * intervalMs, value: 0, histogram })
    }
  }
}

function textTest(rest: string): TextTest {
  const trimmed = rest.trim()
  if (trimmed.startsWith('msg:')) return { kind: 'exact', text: trimmed.slice(4).trim() }
  if (trimmed.startsWith('regex:')) return { kind: 'regex', text: trimmed.slice(6).trim() }
  return { kind: 'any', text: '' }
}

const NUMBER =
  /^[+-]?(0x[0-9a-f_]+|0b[01_]+|0o[0-7_]+|\d[\d_]*|\d+(\.\d*)?(e[+-]?\d+)?|\.\d+(e[+-]?\d+)?|inf|infinity|nan)$/i

/** Parses a number as the reference implementation does: an integer with a leading zero is octal. */
function readNumber(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1
  const body = text.replace(/^[+-]/, '').toLowerCase()
  if (body.startsWith('inf')) return sign * Infinity
  if (body === 'nan') return NaN
  const plain = body.replaceAll('_', '')
  return sign * Number(/^0[0-7]+$/.test(plain) ? `0o${plain}` : plain)
}

/** Parses a string literal of the query language with any kind of quotes. Throws BadLine. */
function readLiteral(text: string): string {
  const { value, end, error } = scanString(text, 0)
  if (!/^["'`]/.test(text) || error !== undefined || end !== text.length)
    throw new BadLine(`not a text in quotes: ${text}${error === undefined ? '' : `: ${error}`}`)
  return value
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
      into.text = readLiteral(present(detail).trim())
      return
    case 'range': {
      const [, from, to, step] = /^vector\s+from\s+(\S+)\s+to\s+(\S+)\s+step\s+(\S+)$/.exec(present(detail)) ?? []
      if (step === undefined) throw new BadLine(`not an expectation: ${rest}`)
      into.rangeVector = {
        startMs: durationMs(present(from)),
        endMs: durationMs(present(to)),
        stepMs: durationMs(present(step)),
      }
      return
    }
    default:
      throw new BadLine(`not an expectation: ${rest}`)
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
    const startMs = durationMs(instant[2] ?? '0')
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
  if (range === null) throw new BadLine(`not an eval line: ${line}`)
  return {
    word: present(range[1]),
    isInstant: false,
    startMs: durationMs(present(range[2])),
    endMs: durationMs(present(range[3])),
    stepMs: durationMs(present(range[4])),
    query: present(range[5]),
  }
}

/** Parses the lines after the head of an eval block. Throws BadLine. */
function readExpectation(word: string, lines: readonly string[]): OpenExpectation {
  const expectation: OpenExpectation = {
    isFailing: word === 'eval_fail',
    failure: undefined,
    warnings: word === 'eval_warn' ? [textTest('')] : [],
    infos: word === 'eval_info' ? [textTest('')] : [],
    noWarnings: false,
    noInfos: false,
    isOrdered: word === 'eval_ordered',
    text: undefined,
    rangeVector: undefined,
    scalar: undefined,
    series: [],
  }
  for (const line of lines) {
    const failure = /^expected_fail_(message|regexp)\s+(.*)$/.exec(line)
    if (/^expect\s/.test(line)) readExpectLine(line.slice(7).trim(), expectation)
    else if (failure !== null)
      expectation.failure = { kind: failure[1] === 'message' ? 'exact' : 'regex', text: present(failure[2]) }
    else if (NUMBER.test(line)) expectation.scalar = readNumber(line)
    else expectation.series.push(readSeries(line))
  }
  return expectation
}

function readBlock(lines: readonly string[], lineNumber: number): EvalBlock {
  const line = present(lines[0])
  const blank = { isInstant: true, startMs: 0, endMs: 0, stepMs: 0, query: line }
  let head: Omit<EvalHead, 'word'> = blank
  try {
    const { word, ...read } = readEvalHead(line)
    head = read
    const expectation = readExpectation(word.toLowerCase(), lines.slice(1))
    return { line: lineNumber, ...head, expectation, fault: undefined }
  } catch (error) {
    if (!(error instanceof BadLine)) throw error
    return { line: lineNumber, ...head, expectation: readExpectation('', []), fault: error.message }
  }
}

/**
 * Runs a script. `visitor` receives each eval block with the samples loaded so far, and each invalid line outside eval
 * blocks; the script continues after it.
 */
export async function runScript(text: string, visitor: ScriptVisitor): Promise<void> {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .map((line) => (line.startsWith('#') ? '' : line))
  /**
   * Returns the index after the last line of the block that starts at `from`. A blank line ends a block; a bare number
   * also ends an eval block.
   */
  const blockEnd = (from: number, isEval: boolean): number => {
    let end = from + 1
    while (end < lines.length && lines[end] !== '') if (NUMBER.test(present(lines[end++])) && isEval) break
    return end
  }
  let store = new SampleStore()
  let at = 0
  while (at < lines.length) {
    const line = present(lines[at])
    const start = at
    const word = present(line.split(/\s/)[0]).toLowerCase()
    if (line === '' || word === 'clear') {
      if (word === 'clear') store = new SampleStore()
      at++
    } else if (word.startsWith('load')) {
      at = blockEnd(start, false)
      try {
        const intervalMs = durationMs(line.split(/\s+/)[1] ?? '')
        const loaded = loadBlock(lines.slice(start + 1, at), intervalMs, store, (index, fault) =>
          visitor.fault(start + 2 + index, fault),
        )
        if (word === 'load_with_nhcb') addCustomHistograms(loaded, intervalMs, store)
      } catch (error) {
        if (!(error instanceof BadLine)) throw error
        visitor.fault(start + 1, error.message)
      }
    } else if (word.startsWith('eval')) {
      at = blockEnd(start, true)
      await visitor.evaluate(readBlock(lines.slice(start, at), start + 1), store)
    } else {
      visitor.fault(start + 1, `not a command: ${line}`)
      at = blockEnd(start, false)
    }
  }
}
