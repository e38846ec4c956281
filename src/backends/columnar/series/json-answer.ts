import { allBuckets, isCustom, type Histogram, type Labels } from '../../../data/index.ts'
import { pointText } from '../kernels/point-text.ts'
import type { AnswerSeries, SeriesAnswer } from './answer.ts'
import { floatText, secondsText } from './number-text.ts'

const CHUNK_BYTES = 65_536
/** No single write of ASCII is longer than this; longer texts are encoded on their own. */
const SMALL = 1024

/** Collects text as bytes and hands on full chunks. */
class ByteWriter {
  #buffer = new Uint8Array(CHUNK_BYTES + SMALL)
  #size = 0
  readonly #encoder = new TextEncoder()

  /** ASCII only. */
  ascii(text: string): void {
    if (text.length > SMALL) {
      this.text(text)
      return
    }
    if (this.#size + text.length > this.#buffer.length) this.#grow(text.length)
    const buffer = this.#buffer
    let size = this.#size
    for (let i = 0; i < text.length; i++) buffer[size++] = text.charCodeAt(i)
    this.#size = size
  }

  text(text: string): void {
    this.bytes(this.#encoder.encode(text))
  }

  bytes(bytes: Uint8Array): void {
    if (this.#size + bytes.length > this.#buffer.length) this.#grow(bytes.length)
    this.#buffer.set(bytes, this.#size)
    this.#size += bytes.length
  }

  get isFull(): boolean {
    return this.#size >= CHUNK_BYTES
  }

  take(): Uint8Array {
    const chunk = this.#buffer.slice(0, this.#size)
    this.#size = 0
    return chunk
  }

  #grow(more: number): void {
    const grown = new Uint8Array((this.#buffer.length + more) * 2)
    grown.set(this.#buffer.subarray(0, this.#size))
    this.#buffer = grown
  }
}

function labelsJson(labels: Labels): string {
  return JSON.stringify(labels.toRecord())
}

/** 0 is `(lower, upper]`, 1 `[lower, upper)`, 2 open, 3 closed. */
function boundaryRule(histogram: Histogram, lower: number, upper: number): 0 | 1 | 2 | 3 {
  const hasLower = isCustom(histogram) ? lower === -Infinity : lower < 0
  const hasUpper = isCustom(histogram) || upper > 0
  return hasLower ? (hasUpper ? 3 : 1) : hasUpper ? 0 : 2
}

/** `{"count":"…","sum":"…","buckets":[[rule,"lower","upper","count"],…]}`; `buckets` only when there are any. */
export function histogramJson(histogram: Histogram): string {
  const buckets = allBuckets(histogram).map(({ lower, upper, count }) => {
    const rule = boundaryRule(histogram, lower, upper)
    return `[${rule},"${floatText(lower)}","${floatText(upper)}","${floatText(count)}"]`
  })
  const list = buckets.length === 0 ? '' : `,"buckets":[${buckets.join(',')}]`
  return `{"count":"${floatText(histogram.count)}","sum":"${floatText(histogram.sum)}"${list}}`
}

const LIST_OPENS = 91

/** Points as `,"values":[[…],[…]]`. */
function* writePoints(writer: ByteWriter, { timesMs, values }: AnswerSeries): Generator<Uint8Array> {
  writer.ascii(',"values":')
  for (let at = 0; at < values.length;) {
    const { count, text } = pointText(timesMs, values, at)
    if (count > 0) {
      if (at === 0) text[0] = LIST_OPENS
      writer.bytes(text)
      at += count
    } else {
      // Numbers without digits come in runs.
      do {
        writer.ascii(`${at === 0 ? '[' : ','}[${secondsText(timesMs[at])},"${floatText(values[at])}"]`)
        at++
      } while (at < values.length && !Number.isFinite(values[at]))
    }
    if (writer.isFull) yield writer.take()
  }
  writer.ascii(']')
}

function* writeHistograms(
  writer: ByteWriter,
  { timesMs }: AnswerSeries,
  histograms: readonly (Histogram | undefined)[],
): Generator<Uint8Array> {
  let isOpen = false
  for (const [i, histogram] of histograms.entries()) {
    if (histogram === undefined) continue
    writer.ascii(isOpen ? ',[' : ',"histograms":[[')
    isOpen = true
    writer.ascii(`${secondsText(timesMs[i])},`)
    writer.ascii(histogramJson(histogram))
    writer.ascii(']')
    if (writer.isFull) yield writer.take()
  }
  if (isOpen) writer.ascii(']')
}

/** The same series without samples that are histograms. */
function floatsOf(series: AnswerSeries): AnswerSeries {
  const { histograms } = series
  if (histograms === undefined) return series
  const isFloat = (_: unknown, i: number): boolean => histograms[i] === undefined
  return { ...series, timesMs: series.timesMs.filter(isFloat), values: series.values.filter(isFloat) }
}

function* writeMatrix(writer: ByteWriter, all: readonly AnswerSeries[]): Generator<Uint8Array> {
  let isFirst = true
  for (const series of all) {
    writer.ascii(isFirst ? '{"metric":' : ',{"metric":')
    writer.text(labelsJson(series.labels))
    isFirst = false
    const floats = floatsOf(series)
    if (floats.values.length > 0) yield* writePoints(writer, floats)
    if (series.histograms !== undefined) yield* writeHistograms(writer, series, series.histograms)
    writer.ascii('}')
  }
}

function* writeResult(writer: ByteWriter, answer: SeriesAnswer): Generator<Uint8Array> {
  switch (answer.type) {
    case 'scalar':
      writer.ascii(`[${secondsText(answer.timeMs)},"${floatText(answer.value)}"]`)
      return
    case 'string':
      writer.text(`[${secondsText(answer.timeMs)},${JSON.stringify(answer.value)}]`)
      return
    case 'matrix':
      writer.ascii('[')
      yield* writeMatrix(writer, answer.series)
      writer.ascii(']')
      return
    case 'vector': {
      const time = secondsText(answer.timeMs)
      writer.ascii('[')
      let separator = ''
      for (const { labels, value, histogram } of answer.samples) {
        writer.text(`${separator}{"metric":${labelsJson(labels)},`)
        separator = ','
        if (histogram === undefined) writer.ascii(`"value":[${time},"${floatText(value)}"]}`)
        else writer.ascii(`"histogram":[${time},${histogramJson(histogram)}]}`)
        if (writer.isFull) yield writer.take()
      }
      writer.ascii(']')
    }
  }
}

/** What stands beside an answer. */
export interface AnswerNotes {
  /** Ready to be shown. */
  readonly warnings: readonly string[]
  readonly infos: readonly string[]
  /** What the query has cost, as JSON. */
  readonly stats?: object | undefined
}

/** The answer in the envelope that metric tools expect, as UTF-8 in chunks of about 64 KiB. */
export function* answerJson(answer: SeriesAnswer, notes: AnswerNotes): Generator<Uint8Array> {
  const writer = new ByteWriter()
  writer.ascii(`{"status":"success","data":{"resultType":"${answer.type}","result":`)
  yield* writeResult(writer, answer)
  if (notes.stats !== undefined) writer.text(`,"stats":${JSON.stringify(notes.stats)}`)
  writer.ascii('}')
  if (notes.warnings.length > 0) writer.text(`,"warnings":${JSON.stringify(notes.warnings)}`)
  if (notes.infos.length > 0) writer.text(`,"infos":${JSON.stringify(notes.infos)}`)
  writer.ascii('}')
  yield writer.take()
}
