import protobuf from 'protobufjs'
import { CHUNK_BYTES } from '../../../base/index.ts'
import type { SeriesSamples } from '../../../store/index.ts'
import { bytesField, varintField, writeLabels } from './messages.ts'
import { XorChunk } from './xor-chunk.ts'

/** Number of samples in a chunk, as in Prometheus. */
const CHUNK_SAMPLES = 120

const XOR = 1

/** Lookup table of CRC-32C for one byte. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let i = 0; i < 8; i++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1
  return value
})

export function crc32c(bytes: Uint8Array): number {
  let value = 0xffffffff
  for (const byte of bytes) value = (TABLE[(value ^ byte) & 255] ?? 0) ^ (value >>> 8)
  return (value ^ 0xffffffff) >>> 0
}

/** Encodes a frame: length, checksum, message. */
function frame(message: Uint8Array): Uint8Array {
  const length = protobuf.Writer.create().uint32(message.length).finish()
  const whole = new Uint8Array(length.length + 4 + message.length)
  whole.set(length)
  new DataView(whole.buffer).setUint32(length.length, crc32c(message))
  whole.set(message, length.length + 4)
  return whole
}

/** Yields the frames of a series, each a `prometheus.ChunkedReadResponse`. Histograms are not supported. */
export function* chunkFrames(series: SeriesSamples, queryIndex: number): Generator<Uint8Array> {
  const { labels, timesMs, values, staleness } = series
  for (let from = 0; from < timesMs.length;) {
    const writer = protobuf.Writer.create()
    writer.uint32(bytesField(1)).fork()
    writeLabels(writer, 1, labels)
    for (let bytes = 0; from < timesMs.length && bytes < CHUNK_BYTES;) {
      const chunk = new XorChunk()
      const firstMs = timesMs[from] ?? 0
      const to = Math.min(from + CHUNK_SAMPLES, timesMs.length)
      for (; from < to; from++) chunk.append(timesMs[from] ?? 0, values[from] ?? 0, staleness?.[from] === 1)
      const data = chunk.done()
      bytes += data.length
      writer.uint32(bytesField(2)).fork()
      writer.uint32(varintField(1)).int64(firstMs)
      writer.uint32(varintField(2)).int64(timesMs[to - 1] ?? 0)
      writer.uint32(varintField(3)).int32(XOR)
      writer.uint32(bytesField(4)).bytes(data)
      writer.ldelim()
    }
    writer.ldelim()
    writer.uint32(varintField(2)).int64(queryIndex)
    yield frame(writer.finish())
  }
}
