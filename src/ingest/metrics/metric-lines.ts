import { Options, checkArgument, ITEMS_PER_CHECKPOINT, runToEnd, type StepwiseTask } from '../../base/index.ts'
import { Labels } from '../../data/index.ts'
import type { NewSample } from '../../store/samples/index.ts'
import { readFloat, LineFault } from './exposition-scanner.ts'
import { histogramOf, isObject, type HistogramValueJson } from './histogram-json.ts'
import { BatchBuilder, type DecodedMetrics, type MetricBatch, type MetricExemplar } from './metric-sample.ts'

function labelsOf(value: HistogramValueJson | undefined, member: string): Labels {
  if (!isObject(value)) throw new LineFault(`\`${member}\` must be an object of labels`)
  const pairs = Object.entries(value).map(([name, text]): [string, string] => {
    if (typeof text !== 'string') throw new LineFault(`the label ${name} must be text`)
    return [name, text]
  })
  return Labels.from(pairs)
}

/** Returns a number, given as a number or as a string such as `"1.5"`, `"NaN"` or `"+Inf"`. */
function numberOf(value: HistogramValueJson | undefined): number {
  if (typeof value === 'number') return value
  if (typeof value === 'string') return readFloat(value)
  if (value === null) return NaN
  throw new LineFault('a value must be a number or its text')
}

function timeOf(value: HistogramValueJson | undefined, unitMs: number): number {
  const timeMs = typeof value === 'number' ? Math.round(value * unitMs) : NaN
  if (!Number.isSafeInteger(timeMs)) throw new LineFault('a time must be a number in range')
  return timeMs
}

function readPair(pair: HistogramValueJson | undefined): NewSample {
  if (!Array.isArray(pair) || pair.length !== 2) throw new LineFault('a sample must be `[seconds, value]`')
  return { timeMs: timeOf(pair[0], 1000), value: numberOf(pair[1]) }
}

type Members = { readonly [name: string]: HistogramValueJson }

/** Returns a list with one element per sample; `undefined` if the document has no such list. */
function listOf(document: Members, name: string, length: number): readonly HistogramValueJson[] | undefined {
  const list = document[name]
  if (list === undefined) return undefined
  if (!Array.isArray(list) || list.length !== length) throw new LineFault(`\`${name}\` must be as long as \`values\``)
  return list as readonly HistogramValueJson[]
}

/** Reads samples as lists of times, values and optional properties. */
function readLists(document: Members, values: readonly HistogramValueJson[]): readonly NewSample[] {
  const timestamps = listOf(document, 'timestamps', values.length) ?? []
  const startTimestamps = listOf(document, 'startTimestamps', values.length)
  const histograms = listOf(document, 'histograms', values.length)
  const { stale = [] } = document
  if (!Array.isArray(stale)) throw new LineFault('`stale` must be a list of places')
  const staleIndexes = new Set(stale)
  return values.map((value, i) => {
    const histogram = histograms?.[i] ?? null
    return {
      timeMs: timeOf(timestamps[i], 1),
      value: numberOf(value),
      isStale: staleIndexes.has(i),
      startTimeMs: startTimestamps === undefined ? 0 : timeOf(startTimestamps[i], 1),
      ...(histogram === null ? undefined : { histogram: histogramOf(histogram, numberOf) }),
    }
  })
}

function readExemplar(series: Labels, value: HistogramValueJson): MetricExemplar {
  if (!isObject(value)) throw new LineFault('an exemplar must be an object')
  const labels = labelsOf(value['labels'], 'labels')
  return { series, labels, value: numberOf(value['value']), timeMs: timeOf(value['timestamp'], 1) }
}

function readSamples(document: Members, defaultTimeMs: number): readonly NewSample[] {
  const { value, values, timestamps, exemplars } = document
  if (Array.isArray(values))
    return timestamps === undefined
      ? values.map((pair) => readPair(pair as HistogramValueJson))
      : readLists(document, values)
  if (Array.isArray(value)) return [readPair(value as HistogramValueJson)]
  if (value !== undefined) return [{ timeMs: defaultTimeMs, value: numberOf(value) }]
  if (exemplars !== undefined) return []
  throw new LineFault('there is neither `value` nor `values`')
}

function readDescription(value: HistogramValueJson, whole: BatchBuilder): void {
  const { name, type = '', help = '', unit = '' } = isObject(value) ? value : {}
  const texts = [name, type, help, unit]
  if (!texts.every((text) => typeof text === 'string') || name === '')
    throw new LineFault('`metadata` must have a name, and texts')
  whole.metadata.push({ name, type, help, unit } as BatchBuilder['metadata'][number])
}

/** Reads one line. Adds all of its samples, or none of them if the line has a fault. */
function readLine(line: string, defaultTimeMs: number, whole: BatchBuilder): void {
  let document: HistogramValueJson
  try {
    document = JSON.parse(line) as HistogramValueJson
  } catch {
    throw new LineFault('the line is not JSON')
  }
  if (!isObject(document)) throw new LineFault('the line is not an object')
  const { metric, metadata, exemplars = [] } = document
  if (metric === undefined && metadata !== undefined) return readDescription(metadata, whole)
  const labels = labelsOf(metric, 'metric')
  const samples = readSamples(document, defaultTimeMs)
  if (!Array.isArray(exemplars)) throw new LineFault('`exemplars` must be a list')
  const read = exemplars.map((each) => readExemplar(labels, each as HistogramValueJson))
  const reason = whole.add(labels, samples)
  if (reason !== undefined) throw new LineFault(reason)
  for (const each of read) whole.exemplars.push(each)
}

export interface MetricLinesOptions {
  /** The time of samples without a time, in milliseconds since 1970. */
  readonly defaultTimeMs: number
}

const metricLinesOptions = new Options<MetricLinesOptions>({ defaultTimeMs: 'number' })

/** Does the same as `parseMetricLines`, but yields between lines. */
export function* readMetricLines(text: string, options: MetricLinesOptions): StepwiseTask<DecodedMetrics> {
  const builder = new BatchBuilder()
  let lineNumber = 0
  let since = 0
  for (let start = 0, end = 0; end < text.length; start = end + 1) {
    end = text.indexOf('\n', start)
    if (end === -1) end = text.length
    lineNumber++
    const line = text.slice(start, end).trim()
    if (line === '') continue
    const before = builder.columns.length
    try {
      readLine(line, options.defaultTimeMs, builder)
    } catch (error) {
      if (!(error instanceof LineFault)) throw error
      builder.reject(lineNumber, error.message)
    }
    since += builder.columns.length - before + 10
    if (since < ITEMS_PER_CHECKPOINT) continue
    since = 0
    yield
  }
  return builder
}

/**
 * Parses samples as JSON with one series per line. Accepted forms are `{"metric":{…},"value":[seconds,"1"]}` and
 * `"values":[[seconds,"1"],…]` as in answers of queries. Exports have `"values":[1],"timestamps":[ms]` (`metricLines`),
 * and a bare `"value":1` is accepted too. Faulty lines are left out and reported.
 */
export function parseMetricLines(text: string, options: Partial<MetricLinesOptions> = {}): MetricBatch {
  checkArgument(typeof text === 'string', text, 'JSON lines of metrics', 'parseMetricLines(text)')
  metricLinesOptions.check(options, '`parseMetricLines`')
  const { defaultTimeMs = Date.now() } = options
  return runToEnd(readMetricLines(text, { defaultTimeMs }))
}
