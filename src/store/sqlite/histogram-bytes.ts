import { present } from '../../base/index.ts'
import { histogramNumbers, histogramOfNumbers, type Histogram } from '../../data/index.ts'

/** Encodes a histogram as little-endian float64 numbers, which preserve NaN, infinities and −0. */
export function histogramToBytes(histogram: Histogram): Uint8Array {
  const numbers = histogramNumbers(histogram)
  const view = new DataView(new ArrayBuffer(numbers.length * 8))
  numbers.forEach((number, i) => view.setFloat64(i * 8, number, true))
  return new Uint8Array(view.buffer)
}

/** Decodes the bytes of a histogram. Throws InvariantError if they are invalid. */
export function histogramFromBytes(bytes: Uint8Array): Histogram {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return present(
    histogramOfNumbers(Float64Array.from({ length: bytes.byteLength / 8 }, (_, i) => view.getFloat64(i * 8, true))),
  )
}
