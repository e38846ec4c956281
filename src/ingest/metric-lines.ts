import { Labels } from '../data/index.ts'
import type { NewSample } from '../store/samples/index.ts'
import { readFloat, LineFault } from './exposition-scanner.ts'
import { BatchBuilder, type MetricBatch } from './metric-sample.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

function isObject(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function labelsOf(value: Json | undefined): Labels {
  if (!isObject(value)) throw new LineFault('`metric` must be an object of labels')
  const pairs = Object.entries(value).map(([name, text]): [string, string] => {
    if (typeof text !== 'string') throw new LineFault(`the label ${name} must be text`)
    return [name, text]
  })
  return Labels.from(pairs)
}

/** A number, or a text such as `"1.5"`, `"NaN"`, `"+Inf"`. */
function numberOf(value: Json | undefined): number {
  if (typeof value === 'number') return value
  if (typeof value === 'string') return readFloat(value)
  if (value === null) return NaN
  throw new LineFault('a value must be a number or its text')
}

function timeOf(value: Json | undefined, unitMs: number): number {
  const timeMs = typeof value === 'number' ? Math.round(value * unitMs) : NaN
  if (!Number.isSafeInteger(timeMs)) throw new LineFault('a time must be a number in range')
  return timeMs
}

function readPair(pair: Json | undefined): NewSample {
  if (!Array.isArray(pair) || pair.length !== 2) throw new LineFault('a sample must be `[seconds, value]`')
  return { timeMs: timeOf(pair[0], 1000), value: numberOf(pair[1]) }
}

/** One line; nothing of it is taken unless all of it can be read. */
function readLine(line: string, defaultTimeMs: number, whole: BatchBuilder): void {
  let document: Json
  try {
    document = JSON.parse(line) as Json
  } catch {
    throw new LineFault('the line is not JSON')
  }
  if (!isObject(document)) throw new LineFault('the line is not an object')
  const samples: NewSample[] = []
  const labels = labelsOf(document['metric'])
  const { value, values, timestamps } = document
  if (Array.isArray(values) && timestamps !== undefined) {
    if (!Array.isArray(timestamps) || timestamps.length !== values.length)
      throw new LineFault('`timestamps` must be as long as `values`')
    values.forEach((one, i) => {
      samples.push({ timeMs: timeOf(timestamps[i] as Json, 1), value: numberOf(one as Json) })
    })
  } else if (Array.isArray(values)) {
    for (const pair of values) samples.push(readPair(pair as Json))
  } else if (Array.isArray(value)) samples.push(readPair(value))
  else if (value !== undefined) samples.push({ timeMs: defaultTimeMs, value: numberOf(value) })
  else throw new LineFault('there is neither `value` nor `values`')
  const reason = whole.add(labels, samples)
  if (reason !== undefined) throw new LineFault(reason)
}

/**
 * Samples as JSON, a series a line: `{"metric":{…},"value":[seconds,"1"]}` and `"values":[[seconds,"1"],…]` as answers
 * have them, `"values":[1],"timestamps":[ms]` as exports have them, or a bare `"value":1`. Lines that are wrong are left
 * out and reported.
 */
export function parseMetricLines(text: string, options: { readonly defaultTimeMs: number }): MetricBatch {
  const builder = new BatchBuilder()
  text.split('\n').forEach((raw, index) => {
    const line = raw.trim()
    if (line === '') return
    try {
      readLine(line, options.defaultTimeMs, builder)
    } catch (error) {
      if (!(error instanceof LineFault)) throw error
      builder.reject(index + 1, error.message)
    }
  })
  return builder
}
