import { float, lostOfProduct } from '../../../data/index.ts'

const scratch = new Float64Array(1)
const scratchWords = new Int32Array(scratch.buffer)

/** Half the distance from a normal float to the nearest other one; 0 where that can't be told so easily. */
function halfUnit(value: number): number {
  scratch[0] = value
  const exponent = scratchWords[1] & 0x7ff00000
  // Floats lie closer below a power of two than above it.
  const isPowerOfTwo = scratchWords[0] === 0 && (scratchWords[1] & 0xfffff) === 0
  if (isPowerOfTwo || exponent < 54 << 20) return 0
  scratchWords[1] = exponent - (53 << 20)
  scratchWords[0] = 0
  return scratch[0]
}

/** `(high + low) / count` when its rounding is beyond doubt; `high` is much the larger part. */
export function quickMean(high: number, low: number, count: number): number | undefined {
  if (!(Math.abs(high) > 1024 * Math.abs(low))) return undefined
  const sum = high + low
  const rest = low - (sum - high)
  const mean = sum / count
  const product = mean * count
  const off = (sum - product - lostOfProduct(mean, count, product) + rest) / count
  // Clearly less than half the distance to the next float: no other float is nearer.
  return Math.abs(off) < halfUnit(mean) * 0.999 ? float(mean) : undefined
}
