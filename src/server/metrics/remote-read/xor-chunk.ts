import { STALE_HIGH, STALE_LOW } from '../../../ingest/metrics/index.ts'

/** Writes bits, most significant first. */
class BitWriter {
  #bytes = new Uint8Array(256)
  #size = 0
  /** Number of unused bits in the last byte. */
  #free = 0

  /** Writes the lowest `count` bits, at most 32. */
  bits(value: number, count: number): void {
    for (let left = count; left > 0;) {
      if (this.#free === 0) {
        if (this.#size === this.#bytes.length) {
          const grown = new Uint8Array(this.#size * 2)
          grown.set(this.#bytes)
          this.#bytes = grown
        }
        this.#size++
        this.#free = 8
      }
      const taken = Math.min(left, this.#free)
      const bits = (value >>> (left - taken)) & ((1 << taken) - 1)
      const last = this.#size - 1
      this.#bytes[last] = (this.#bytes[last] ?? 0) | (bits << (this.#free - taken))
      this.#free -= taken
      left -= taken
    }
  }

  wide(high: number, low: number): void {
    this.bits(high, 32)
    this.bits(low, 32)
  }

  varint(value: number): void {
    let rest = value
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.bits((rest % 128) | 128, 8)
    this.bits(rest, 8)
  }

  done(): Uint8Array {
    return this.#bytes.slice(0, this.#size)
  }
}

/** Splits an integer into high and low 32-bit halves of its 64-bit two's complement. */
function halves(value: number): readonly [high: number, low: number] {
  return [Math.floor(value / 2 ** 32) >>> 0, value >>> 0]
}

function leadingZeros(high: number, low: number): number {
  return high === 0 ? 32 + Math.clz32(low) : Math.clz32(high)
}

function trailingZeros(high: number, low: number): number {
  const ofWord = (word: number): number => 31 - Math.clz32(word & -word)
  return low === 0 ? 32 + ofWord(high) : ofWord(low)
}

const float = new Float64Array(1)
const words = new Uint32Array(float.buffer)
const HIGH = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? 1 : 0

/** Prefix, prefix length and width of a delta of deltas, by range. */
const RANGES = [
  [0b10, 2, 14],
  [0b110, 3, 17],
  [0b1110, 4, 20],
] as const

/** Encodes samples in Prometheus's chunk format: times as deltas of deltas, values as their changed bits (XOR). */
export class XorChunk {
  readonly #out = new BitWriter()
  #count = 0
  #timeMs = 0
  #delta = 0
  #high = 0
  #low = 0
  #leading = -1
  #trailing = 0

  get count(): number {
    return this.#count
  }

  append(timeMs: number, value: number, isStale: boolean): void {
    float[0] = value
    const high = isStale ? STALE_HIGH : (words[HIGH] ?? 0)
    const low = isStale ? STALE_LOW : (words[1 - HIGH] ?? 0)
    if (this.#count === 0) {
      // Zigzag encoding: the sign is the lowest bit.
      this.#out.varint(timeMs < 0 ? -timeMs * 2 - 1 : timeMs * 2)
      this.#out.wide(high, low)
    } else {
      const delta = timeMs - this.#timeMs
      if (this.#count === 1) this.#out.varint(delta)
      else this.#change(delta - this.#delta)
      this.#value(high, low)
      this.#delta = delta
    }
    this.#timeMs = timeMs
    this.#high = high
    this.#low = low
    this.#count++
  }

  #change(difference: number): void {
    if (difference === 0) {
      this.#out.bits(0, 1)
      return
    }
    for (const [prefix, prefixBits, bits] of RANGES) {
      const most = 2 ** (bits - 1)
      if (difference <= -most || difference > most) continue
      this.#out.bits(prefix, prefixBits)
      this.#out.bits(difference >>> 0, bits)
      return
    }
    this.#out.bits(0b1111, 4)
    this.#out.wide(...halves(difference))
  }

  #value(newHigh: number, newLow: number): void {
    const high = (newHigh ^ this.#high) >>> 0
    const low = (newLow ^ this.#low) >>> 0
    if (high === 0 && low === 0) {
      this.#out.bits(0, 1)
      return
    }
    this.#out.bits(1, 1)
    const leading = Math.min(31, leadingZeros(high, low))
    const trailing = trailingZeros(high, low)
    if (this.#leading !== -1 && leading >= this.#leading && trailing >= this.#trailing) {
      this.#out.bits(0, 1)
    } else {
      this.#leading = leading
      this.#trailing = trailing
      this.#out.bits(1, 1)
      this.#out.bits(leading, 5)
      // A width of 64 does not fit into 6 bits and is encoded as 0.
      this.#out.bits((64 - leading - trailing) & 63, 6)
    }
    this.#middle(high, low)
  }

  /** Writes the bits between the leading and trailing zeros. */
  #middle(high: number, low: number): void {
    const count = 64 - this.#leading - this.#trailing
    const { high: top, low: bottom } = shifted(high, low, this.#trailing)
    if (count > 32) this.#out.bits(top, count - 32)
    this.#out.bits(bottom, Math.min(count, 32))
  }

  /** Returns the chunk: the number of samples in two bytes, then the bits. */
  done(): Uint8Array {
    const bits = this.#out.done()
    const chunk = new Uint8Array(bits.length + 2)
    chunk[0] = this.#count >>> 8
    chunk[1] = this.#count & 255
    chunk.set(bits, 2)
    return chunk
  }
}

/** Shifts a 64-bit integer right. */
function shifted(high: number, low: number, count: number): { readonly high: number; readonly low: number } {
  if (count === 0) return { high, low }
  if (count >= 32) return { high: 0, low: high >>> (count - 32) }
  return { high: high >>> count, low: ((low >>> count) | (high << (32 - count))) >>> 0 }
}
