import protobuf from 'protobufjs'
import { SluiceError, type Bytes, runToEnd, defineDiagnostics, nowhere, type StepwiseTask } from '../../base/index.ts'
import { Labels, labelLimits, type LabelPair } from '../../data/index.ts'
import { MessageReader, exactInteger } from '../otlp/message-reader.ts'
import { PartCount } from '../part-count.ts'
import { SentBytes } from '../sent-bytes.ts'
import { unpackSnappy } from '../snappy.ts'
import { LABELS_PER_PART } from '../tuning.ts'
import { LENGTH_DELIMITED, STALE_HIGH, STALE_LOW } from '../protobuf.ts'
import { KnownLabels, KnownNameLists, KnownTexts, TextTable } from './known-labels.ts'
import { BatchBuilder, labelsFault, type DecodedMetrics, type MetricBatch } from './metric-sample.ts'
import { HISTOGRAM, histogramOf } from './remote-write-histogram.ts'

type Reader = protobuf.Reader

export const remoteWriteDiagnostic = defineDiagnostics('remote-write', {
  'not-snappy': (d: { reason: string }) => ({ message: `The body is not Snappy data: ${d.reason}.` }),
  'too-large': (d: { limitBytes: number }) => ({
    message: `The body unpacks to more than the limit of ${d.limitBytes} bytes.`,
  }),
  'not-a-message': (d: { reason: string }) => ({ message: `The body is not a remote-write message: ${d.reason}.` }),
})

/** The version of remote write. Version 1 repeats the strings of labels, version 2 refers to a table of strings. */
export type RemoteWriteVersion = 1 | 2

const MESSAGES: ReadonlyMap<string, RemoteWriteVersion> = new Map([
  ['prometheus.WriteRequest', 1],
  ['io.prometheus.write.v2.Request', 2],
])

/** Returns the version of a content type; `undefined` for an unknown one. */
export function remoteWriteVersion(contentType: string): RemoteWriteVersion | undefined {
  const [, message] = /;\s*proto\s*=\s*"?([^\s";]*)/i.exec(contentType) ?? []
  return message === undefined ? 1 : MESSAGES.get(message)
}

export interface RemoteWriteOptions {
  readonly version: RemoteWriteVersion
  readonly limitBytes: number
}

const METADATA_TYPES = [
  'unknown',
  'counter',
  'gauge',
  'histogram',
  'gaugehistogram',
  'summary',
  'info',
  'stateset',
] as const

const { root } = protobuf.parse(`
  syntax = "proto3";
  message Label { string name = 1; string value = 2; }
  message Exemplar1 { repeated Label labels = 1; double value = 2; int64 timestamp = 3; }
  message Exemplar2 { repeated uint32 refs = 1; double value = 2; int64 timestamp = 3; }
  message Metadata1 { int32 type = 1; string name = 2; string help = 4; string unit = 5; }
  message Metadata2 { int32 type = 1; uint32 help = 3; uint32 unit = 4; }
`)
root.resolveAll()
const EXEMPLARS = { 1: root.lookupType('Exemplar1'), 2: root.lookupType('Exemplar2') } as const
const METADATA = { 1: root.lookupType('Metadata1'), 2: root.lookupType('Metadata2') } as const

function endOf(reader: Reader): number {
  return reader.uint32() + reader.pos
}

function readLabel(reader: Reader, bytes: Bytes): LabelPair {
  const end = endOf(reader)
  let name = ''
  let value = ''
  while (reader.pos < end) {
    const tag = reader.uint32()
    if (tag >>> 3 === 1) name = knownTexts.read(reader, bytes)
    else if (tag >>> 3 === 2) value = knownTexts.read(reader, bytes)
    else reader.skipType(tag & 7)
  }
  return [name, value]
}

/** The byte range of a series' labels in version 1. Senders write the labels consecutively. */
interface Region {
  readonly start: number
  readonly end: number
}

const LABEL_TAG = (1 << 3) | 2

/**
 * Skips the consecutive labels of a series, at most as many as a series may have. The tag of the first one has been
 * read.
 */
function skipLabels(reader: Reader, seriesEnd: number, parts: PartCount): Region {
  const start = reader.pos - 1
  for (let count = 1; ; count++) {
    reader.skip(reader.uint32())
    const isLast = reader.pos >= seriesEnd || reader.buf[reader.pos] !== LABEL_TAG
    if (isLast || count === labelLimits.count) return { start, end: reader.pos }
    parts.add()
    reader.pos++
  }
}

/** Reads the labels in a byte range. Throws an error if a label extends beyond the range. */
function labelsIn(bytes: Bytes): LabelPair[] {
  const reader = protobuf.Reader.create(bytes)
  const pairs: LabelPair[] = []
  while (reader.pos < reader.len) {
    reader.uint32()
    pairs.push(readLabel(reader, bytes))
  }
  return pairs
}

function readRefs(reader: Reader, wireType: number, refs: number[], parts: PartCount): void {
  const end = wireType === LENGTH_DELIMITED ? endOf(reader) : reader.pos + 1
  while (reader.pos < end) {
    parts.add()
    refs.push(reader.uint32())
  }
}

/** Field numbers of a series message. In version 2, labels are references. */
const FIELDS = {
  1: { samples: 2, histograms: 4, exemplars: 3 },
  2: { samples: 2, histograms: 3, exemplars: 4 },
} as const

/** The labels in their sent form: names and values in version 1, references in version 2. */
interface SentLabels {
  readonly labels?: readonly { readonly name?: string; readonly value?: string }[]
  readonly refs?: readonly number[]
}

interface SentExemplar extends SentLabels {
  readonly value?: number
  readonly timestamp?: number | bigint
}

/** The description of a series' metric in version 2: a type, and the indexes of its texts among the symbols. */
interface SeriesMetadata {
  readonly type?: number
  readonly help?: number
  readonly unit?: number
}

/** Returns the labels whose names and values alternate in these strings. */
function labelsOfTexts(texts: readonly string[]): Labels {
  return Labels.from(Array.from({ length: texts.length / 2 }, (_, i) => [texts[2 * i] ?? '', texts[2 * i + 1] ?? '']))
}

/** Returns the labels of a series, or the reason why they are invalid. */
function ofSeries(labels: Labels): Labels | string {
  return labels.metricName === '' ? 'it has no metric name' : (labelsFault(labels) ?? knownNameLists.shared(labels))
}

/** The cache of this thread. All senders share it, since label sets are immutable. */
const knownLabels = new KnownLabels()
const knownTexts = new KnownTexts()
const knownNameLists = new KnownNameLists()

function unpack(body: Uint8Array, limitBytes: number): Uint8Array {
  try {
    return unpackSnappy(body, limitBytes)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (/more than/.test(reason)) {
      throw new SluiceError([remoteWriteDiagnostic('too-large', { limitBytes }, nowhere)])
    }
    throw new SluiceError([remoteWriteDiagnostic('not-snappy', { reason }, nowhere)])
  }
}

/** Reads the series of a message into columns. The message's symbols must be known before. */
class SeriesReader extends SentBytes {
  readonly builder = new BatchBuilder()
  readonly table = new TextTable()
  readonly #version: RemoteWriteVersion
  readonly #messages: MessageReader
  readonly #described = new Set<string>()
  #position = 0

  constructor(bytes: Uint8Array, messages: MessageReader, version: RemoteWriteVersion) {
    super(bytes)
    this.#version = version
    this.#messages = messages
  }

  /** Reads the description of a metric in version 1. */
  readMetadata(): void {
    const sent: { type?: number; name?: string; help?: string; unit?: string } = this.#message(METADATA[1], Infinity)
    const { type = 0, name = '', help = '', unit = '' } = sent
    this.builder.metadata.push({ name, type: METADATA_TYPES[type] ?? 'unknown', help, unit })
  }

  /** Reads the series at the reader's position. */
  *read(): StepwiseTask<void> {
    const messages = this.#messages
    const { reader, parts } = messages
    const version = this.#version
    const { columns } = this.builder
    const end = endOf(reader)
    const fields = FIELDS[version]
    const pairs: LabelPair[] = []
    const refs: number[] = []
    const exemplars: SentExemplar[] = []
    let createdMs = 0
    // Version 1: byte range of labels that come before `pairs` and are not read yet.
    let region: Region | undefined
    let metadata: SeriesMetadata | undefined
    while (reader.pos < end) {
      const tag = reader.uint32()
      const field = tag >>> 3
      parts.begin()
      parts.add()
      if (parts.isTurn()) yield
      if (tag === LABEL_TAG && version === 1 && region === undefined) {
        region = skipLabels(reader, end, parts)
      } else if (field === 1) {
        if (version === 1) pairs.push(readLabel(reader, this.bytes))
        else readRefs(reader, tag & 7, refs, parts)
      } else if (field === fields.samples) {
        this.#readSample(endOf(reader))
      } else if (field === fields.histograms) {
        columns.add({ value: 0, ...histogramOf(this.#message(HISTOGRAM, end)) })
      } else if (field === fields.exemplars) {
        exemplars.push(this.#message(EXEMPLARS[version], end))
      } else if (field === 5 && version === 2) {
        metadata = this.#message(METADATA[2], end)
      } else if (field === 6 && version === 2) {
        createdMs = Number(exactInteger(reader.int64()))
      } else {
        reader.skipType(tag & 7)
      }
    }
    if (createdMs !== 0) columns.startRun(createdMs)
    parts.addLabels(LABELS_PER_PART)
    this.#take(this.#labelsOf(pairs, refs, region), exemplars, metadata)
    this.#position++
  }

  /** Reads the message of a type at the reader's position. */
  #message(type: protobuf.Type, limit: number): Readonly<Record<string, unknown>> {
    const end = this.#messages.end(limit)
    return this.#messages.read(type, this.#messages.reader.pos, end)
  }

  #readSample(end: number): void {
    const { reader } = this.#messages
    let value = 0
    let isStale = false
    let timeMs = 0
    let startTimeMs = 0
    while (reader.pos < end) {
      const tag = reader.uint32()
      switch (tag >>> 3) {
        case 1: {
          const at = reader.pos
          value = reader.double()
          isStale = this.word(at) === STALE_LOW && this.word(at + 4) === STALE_HIGH
          break
        }
        case 2:
          timeMs = this.#int64(end)
          break
        case 3:
          startTimeMs = this.#int64(end)
          break
        default:
          reader.skipType(tag & 7)
      }
    }
    const { columns } = this.builder
    if (isStale) columns.add({ timeMs, value, isStale, startTimeMs })
    else columns.addNumber(timeMs, value, startTimeMs)
  }

  /** Reads an integer. Most integers have at most 49 bits and are read without creating an object. */
  #int64(end: number): number {
    const { reader } = this.#messages
    const bytes = this.bytes
    let value = 0
    let scale = 1
    for (let at = reader.pos; at < end && at < reader.pos + 7; at++) {
      const byte = bytes[at] ?? 0
      value += (byte & 0x7f) * scale
      if (byte < 0x80) {
        reader.pos = at + 1
        return value
      }
      scale *= 128
    }
    return Number(exactInteger(reader.int64()))
  }

  /** Returns the labels of a series, or the reason why they are invalid. */
  #labelsOf(pairs: readonly LabelPair[], refs: readonly number[], region?: Region): Labels | string {
    if (this.#version === 2)
      return (
        knownLabels.ofTexts(refs, this.table, (texts) => ofSeries(labelsOfTexts(texts))) ??
        'its labels refer to texts that are not there'
      )
    if (region === undefined) return ofSeries(Labels.from(pairs))
    const { start, end } = region
    const own = (): LabelPair[] => labelsIn(this.bytes.subarray(start, end))
    if (pairs.length > 0) return ofSeries(Labels.from([...own(), ...pairs]))
    return knownLabels.ofBytes(this, start, end, () => ofSeries(Labels.from(own())))
  }

  /** Returns the labels of an exemplar; `undefined` when they refer to missing strings. */
  #exemplarLabels({ labels = [], refs = [] }: SentLabels): Labels | undefined {
    if (this.#version === 1) return Labels.from(labels.map(({ name = '', value = '' }) => [name, value]))
    const { texts } = this.table
    if (refs.length % 2 !== 0 || refs.some((ref) => texts[ref] === undefined)) return undefined
    return labelsOfTexts(refs.map((ref) => texts[ref] ?? ''))
  }

  #take(labels: Labels | string, exemplars: readonly SentExemplar[], metadata: SeriesMetadata | undefined): void {
    const { builder } = this
    if (typeof labels === 'string') {
      builder.columns.dropRun()
      builder.reject(this.#position, labels)
      return
    }
    builder.columns.endRun(labels)
    for (const { value = 0, timestamp = 0, ...rest } of exemplars) {
      const own = this.#exemplarLabels(rest)
      if (own === undefined)
        builder.reject(this.#position, 'the labels of an exemplar refer to texts that are not there')
      else builder.exemplars.push({ series: labels, labels: own, value, timeMs: Number(timestamp) })
    }
    if (metadata === undefined || this.#described.has(labels.metricName)) return
    this.#described.add(labels.metricName)
    const type = METADATA_TYPES[metadata.type ?? 0] ?? 'unknown'
    const { texts } = this.table
    const [help = '', unit = ''] = [texts[metadata.help ?? 0], texts[metadata.unit ?? 0]]
    if (type !== 'unknown' || help !== '' || unit !== '')
      builder.metadata.push({ name: labels.metricName, type, help, unit })
  }
}

function* readMessage(bytes: Uint8Array, version: RemoteWriteVersion): StepwiseTask<DecodedMetrics> {
  const messages = new MessageReader(bytes, new PartCount())
  const { reader, parts } = messages
  const series = new SeriesReader(bytes, messages, version)
  const { builder, table } = series
  const seriesField = version === 1 ? 1 : 5
  // Symbols may come after the series that refer to them.
  const offsets: number[] = []
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    const field = tag >>> 3
    parts.begin()
    parts.add()
    if (parts.isTurn()) yield
    if (field === seriesField) {
      if (version === 1) yield* series.read()
      else {
        offsets.push(reader.pos)
        reader.skip(reader.uint32())
      }
    } else if (field === 4 && version === 2) table.add(knownTexts.read(reader, series.bytes))
    else if (field === 3 && version === 1) series.readMetadata()
    else reader.skipType(tag & 7)
  }
  for (const offset of offsets) {
    reader.pos = offset
    yield* series.read()
  }
  return builder
}

/**
 * Reads a remote-write body that is compressed with Snappy. Throws a `SluiceError` when the body as a whole cannot be
 * read. Invalid series are left out and reported.
 */
export function* readRemoteWrite(body: Uint8Array, options: RemoteWriteOptions): StepwiseTask<DecodedMetrics> {
  const bytes = unpack(body, options.limitBytes)
  try {
    return yield* readMessage(bytes, options.version)
  } catch (error) {
    if (error instanceof SluiceError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new SluiceError([remoteWriteDiagnostic('not-a-message', { reason }, nowhere)])
  }
}

/** Does the same as `readRemoteWrite`, without yielding. */
export function decodeRemoteWrite(body: Uint8Array, options: RemoteWriteOptions): MetricBatch {
  return runToEnd(readRemoteWrite(body, options))
}
