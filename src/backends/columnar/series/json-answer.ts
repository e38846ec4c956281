import { allBuckets, isCustom, type Histogram, type Labels } from '../../../data/index.ts'
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
    const encoded = this.#encoder.encode(text)
    if (this.#size + encoded.length > this.#buffer.length) this.#grow(encoded.length)
    this.#buffer.set(encoded, this.#size)
    this.#size += encoded.length
  }

  /** A whole number below 2^31. */
  smallInteger(value: number): void {
    if (this.#size + 12 > this.#buffer.length) this.#grow(12)
    let rest = value
    if (rest < 0) {
      this.#buffer[this.#size++] = 45
      rest = -rest
    }
    let digits = 1
    for (let power = 10; power <= rest; power *= 10) digits++
    let at = this.#size + digits
    this.#size = at
    do {
      const next = (rest / 10) | 0
      this.#buffer[--at] = 48 + rest - next * 10
      rest = next
    } while (rest > 0)
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

function writeFloat(writer: ByteWriter, value: number): void {
  if ((value | 0) === value && value !== -2147483648 && (value !== 0 || !Object.is(value, -0))) {
    writer.smallInteger(value)
  } else {
    writer.ascii(floatText(value))
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

function* writeMatrix(writer: ByteWriter, series: readonly AnswerSeries[]): Generator<Uint8Array> {
  // Most series share their times; the texts of the last ones are kept.
  let knownTimes: Float64Array | undefined
  let timeTexts: string[] = []
  let isFirst = true
  for (const { labels, timesMs, values, histograms } of series) {
    if (timesMs !== knownTimes) {
      knownTimes = timesMs
      timeTexts = Array.from(timesMs, (timeMs) => `[${secondsText(timeMs)},"`)
    }
    writer.ascii(isFirst ? '{"metric":' : ',{"metric":')
    writer.text(labelsJson(labels))
    isFirst = false
    let isOpen = false
    for (let i = 0; i < values.length; i++) {
      if (histograms?.[i] !== undefined) continue
      writer.ascii(isOpen ? ',' : ',"values":[')
      isOpen = true
      writer.ascii(timeTexts[i])
      writeFloat(writer, values[i])
      writer.ascii('"]')
      if (writer.isFull) yield writer.take()
    }
    if (isOpen) writer.ascii(']')
    isOpen = false
    const last = histograms === undefined ? 0 : values.length
    for (let i = 0; i < last; i++) {
      const histogram = histograms?.[i]
      if (histogram === undefined) continue
      writer.ascii(isOpen ? ',[' : ',"histograms":[[')
      isOpen = true
      writer.ascii(`${secondsText(timesMs[i])},`)
      writer.ascii(histogramJson(histogram))
      writer.ascii(']')
      if (writer.isFull) yield writer.take()
    }
    writer.ascii(isOpen ? ']}' : '}')
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
