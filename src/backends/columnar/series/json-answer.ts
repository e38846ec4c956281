import { BYTES_PER_CHECKPOINT, OPEN_BRACKET, PAGE_BYTES } from '../../../base/index.ts'
import { allBuckets, isCustom, type Histogram, type Labels } from '../../../data/index.ts'
import { MOST_POINTS, pointText } from '../kernels/point-text.ts'
import type { AnswerSeries, SeriesAnswer } from './answer.ts'
import { floatText, scalarText, secondsText } from './number-text.ts'

/** Collects text as UTF-8 bytes and returns a chunk when one is full. */
class ByteWriter {
  #buffer = new Uint8Array(PAGE_BYTES)
  #size = 0
  /** Text that follows the bytes in the buffer and is not encoded yet. */
  #text = ''
  readonly #encoder = new TextEncoder()

  text(text: string): void {
    this.#text += text
  }

  bytes(bytes: Uint8Array): void {
    this.#encode()
    this.#reserve(bytes.length)
    this.#buffer.set(bytes, this.#size)
    this.#size += bytes.length
  }

  get isFull(): boolean {
    return this.#size + this.#text.length >= BYTES_PER_CHECKPOINT
  }

  take(): Uint8Array {
    this.#encode()
    const chunk = this.#buffer.slice(0, this.#size)
    this.#size = 0
    return chunk
  }

  #encode(): void {
    if (this.#text === '') return
    // One UTF-16 code unit becomes at most three bytes in UTF-8.
    this.#reserve(this.#text.length * 3)
    this.#size += this.#encoder.encodeInto(this.#text, this.#buffer.subarray(this.#size)).written
    this.#text = ''
  }

  #reserve(more: number): void {
    if (this.#size + more <= this.#buffer.length) return
    const grown = new Uint8Array((this.#buffer.length + more) * 2)
    grown.set(this.#buffer.subarray(0, this.#size))
    this.#buffer = grown
  }
}

/** Matches a character that JSON must escape, or an unpaired surrogate. */
const UNSAFE = /["\\\p{Cc}\p{Cs}]/u

function quoted(text: string): string {
  return UNSAFE.test(text) ? JSON.stringify(text) : `"${text}"`
}

/**
 * Caches the JSON text before each label value for the last list of label names, since many series have the same names.
 */
class NameTexts {
  #names: readonly string[] = []
  #texts: readonly string[] = []

  of(names: readonly string[]): readonly string[] {
    const isSame = names.length === this.#names.length && names.every((name, i) => name === this.#names[i])
    if (!isSame) {
      this.#names = names
      this.#texts = names.map((name, i) => `${i === 0 ? '{' : ','}${quoted(name)}:`)
    }
    return this.#texts
  }
}

function labelsJson({ names, values }: Labels, known: NameTexts): string {
  if (names.length === 0) return '{}'
  const texts = known.of(names)
  let json = ''
  for (let i = 0; i < values.length; i++) json += texts[i] + quoted(values[i])
  return `${json}}`
}

/**
 * Returns the Prometheus code for which bounds of a bucket are inclusive: 0 for `(lower, upper]`, 1 for `[lower,
 * upper)`, 2 for neither, 3 for both.
 */
function boundaryRule(histogram: Histogram, lower: number, upper: number): 0 | 1 | 2 | 3 {
  const hasLower = isCustom(histogram) ? lower === -Infinity : lower < 0
  const hasUpper = isCustom(histogram) || upper > 0
  return hasLower ? (hasUpper ? 3 : 1) : hasUpper ? 0 : 2
}

/**
 * Returns a histogram as the JSON text `{"count":"…","sum":"…","buckets":[[rule,"lower","upper","count"],…]}`. The
 * member `buckets` is omitted when there are none.
 */
export function histogramJson(histogram: Histogram): string {
  const buckets = allBuckets(histogram).map(({ lower, upper, count }) => {
    const rule = boundaryRule(histogram, lower, upper)
    return `[${rule},"${floatText(lower)}","${floatText(upper)}","${floatText(count)}"]`
  })
  const list = buckets.length === 0 ? '' : `,"buckets":[${buckets.join(',')}]`
  return `{"count":"${floatText(histogram.count)}","sum":"${floatText(histogram.sum)}"${list}}`
}

/** Writes the samples of a series as `,"values":[[…],[…]]`. */
function* writePoints(writer: ByteWriter, { timesMs, values }: AnswerSeries): Generator<Uint8Array> {
  writer.text(',"values":')
  for (let at = 0; at < values.length;) {
    const { count, text } = pointText(timesMs, values, at)
    if (count > 0) {
      if (at === 0) text[0] = OPEN_BRACKET
      writer.bytes(text)
      at += count
    } else {
      // The kernel stops at values without digits, such as NaN. Such values often follow each other, so all consecutive
      // ones are written here.
      do {
        writer.text(`${at === 0 ? '[' : ','}[${secondsText(timesMs[at])},"${floatText(values[at])}"]`)
        at++
      } while (at < values.length && !Number.isFinite(values[at]))
    }
    if (writer.isFull) yield writer.take()
  }
  writer.text(']')
}

function* writeHistograms(
  writer: ByteWriter,
  { timesMs }: AnswerSeries,
  histograms: readonly (Histogram | undefined)[],
): Generator<Uint8Array> {
  let isOpen = false
  for (const [i, histogram] of histograms.entries()) {
    if (histogram === undefined) continue
    writer.text(isOpen ? ',[' : ',"histograms":[[')
    isOpen = true
    writer.text(`${secondsText(timesMs[i])},`)
    writer.text(histogramJson(histogram))
    writer.text(']')
    if (writer.isFull) yield writer.take()
  }
  if (isOpen) writer.text(']')
}

/** Returns the series without its histogram samples. */
function floatsOf(series: AnswerSeries): AnswerSeries {
  const { histograms } = series
  if (histograms === undefined) return series
  const isFloat = (_: unknown, i: number): boolean => histograms[i] === undefined
  return { ...series, timesMs: series.timesMs.filter(isFloat), values: series.values.filter(isFloat) }
}

function* writeMatrix(writer: ByteWriter, all: readonly AnswerSeries[]): Generator<Uint8Array> {
  const names = new NameTexts()
  let separator = ''
  for (const series of all) {
    writer.text(`${separator}{"metric":${labelsJson(series.labels, names)}`)
    separator = ','
    const floats = floatsOf(series)
    if (floats.values.length > 0) yield* writePoints(writer, floats)
    if (series.histograms !== undefined) yield* writeHistograms(writer, series, series.histograms)
    writer.text('}')
  }
}

/** Returns points such as `1767225600,"0.1"` for values that share one time. */
function pointsAt(timeMs: number, values: Float64Array): readonly string[] {
  const timesMs = new Float64Array(values.length).fill(timeMs)
  const texts: string[] = []
  while (texts.length < values.length) {
    const { count, text } = pointText(timesMs, values, texts.length)
    if (count === 0) texts.push(`${secondsText(timeMs)},"${floatText(values[texts.length])}"`)
    else for (const each of new TextDecoder().decode(text).slice(2, -1).split('],[')) texts.push(each)
  }
  return texts
}

function* writeVector(
  writer: ByteWriter,
  { timeMs, samples }: Extract<SeriesAnswer, { type: 'vector' }>,
): Generator<Uint8Array> {
  const names = new NameTexts()
  writer.text('[')
  for (let from = 0; from < samples.length; from += MOST_POINTS) {
    const some = samples.slice(from, from + MOST_POINTS)
    const values = new Float64Array(some.length)
    for (const [i, { value }] of some.entries()) values[i] = value
    const points = pointsAt(timeMs, values)
    for (const [i, { labels, histogram }] of some.entries()) {
      const metric = `${from + i === 0 ? '' : ','}{"metric":${labelsJson(labels, names)}`
      if (histogram === undefined) writer.text(`${metric},"value":[${points[i]}]}`)
      else writer.text(`${metric},"histogram":[${secondsText(timeMs)},${histogramJson(histogram)}]}`)
      if (writer.isFull) yield writer.take()
    }
  }
  writer.text(']')
}

function* writeResult(writer: ByteWriter, answer: SeriesAnswer): Generator<Uint8Array> {
  switch (answer.type) {
    case 'scalar':
      writer.text(`[${secondsText(answer.timeMs)},"${scalarText(answer.value)}"]`)
      return
    case 'string':
      writer.text(`[${secondsText(answer.timeMs)},${JSON.stringify(answer.value)}]`)
      return
    case 'matrix':
      writer.text('[')
      yield* writeMatrix(writer, answer.series)
      writer.text(']')
      return
    case 'vector':
      yield* writeVector(writer, answer)
  }
}

/** Warnings and statistics that are added to an answer. */
export interface AnswerNotes {
  /** Warnings as complete sentences for the user. */
  readonly warnings: readonly string[]
  readonly infos: readonly string[]
  /** The cost of the query, as an object for JSON. */
  readonly stats?: object | undefined
}

/** Writes an answer in the JSON format of the Prometheus API. Yields UTF-8 chunks of about 64 KiB. */
export function* answerJson(answer: SeriesAnswer, notes: AnswerNotes): Generator<Uint8Array> {
  const writer = new ByteWriter()
  writer.text(`{"status":"success","data":{"resultType":"${answer.type}","result":`)
  yield* writeResult(writer, answer)
  if (notes.stats !== undefined) writer.text(`,"stats":${JSON.stringify(notes.stats)}`)
  writer.text('}')
  if (notes.warnings.length > 0) writer.text(`,"warnings":${JSON.stringify(notes.warnings)}`)
  if (notes.infos.length > 0) writer.text(`,"infos":${JSON.stringify(notes.infos)}`)
  writer.text('}')
  yield writer.take()
}
