import { decimalTables, KernelMemory, layout } from '../../../kernels/index.ts'

/** The maximum number of points that one call writes. */
export const MOST_POINTS = 1024

const COUNT_AT = layout.Decimal.TABLE_BYTES
const TIMES_AT = COUNT_AT + 16
const VALUES_AT = TIMES_AT + MOST_POINTS * 8
const OUT_AT = VALUES_AT + MOST_POINTS * 8
const MEMORY_BYTES = OUT_AT + MOST_POINTS * layout.Decimal.POINT_BYTES

/** The kernel memory of this thread, allocated on first use. */
class PointMemory {
  readonly #memory = new KernelMemory(MEMORY_BYTES)
  readonly kernels = this.#memory.kernels
  readonly bytes = new Uint8Array(this.#memory.buffer)
  readonly count = new Uint32Array(this.#memory.buffer, COUNT_AT, 1)
  readonly times = new Float64Array(this.#memory.buffer, TIMES_AT, MOST_POINTS)
  readonly values = new Float64Array(this.#memory.buffer, VALUES_AT, MOST_POINTS)

  constructor() {
    this.bytes.set(decimalTables())
  }
}

let memory: PointMemory | undefined

export interface PointText {
  /**
   * Number of written points. Smaller than requested if the kernel cannot format the next value, such as `NaN` or a
   * number with an exponent.
   */
  readonly count: number
  /** The points as text, such as `,[1767225600.123,"0.1"]`. The next call overwrites the text. */
  readonly text: Uint8Array
}

/**
 * Writes the points from index `from` on as JSON, at most `MOST_POINTS`. Times are milliseconds since 1970. Numbers are
 * written as `floatText` writes them.
 */
export function pointText(timesMs: Float64Array, values: Float64Array, from: number): PointText {
  memory ??= new PointMemory()
  const { kernels, bytes } = memory
  const length = Math.min(MOST_POINTS, values.length - from)
  memory.times.set(timesMs.subarray(from, from + length))
  memory.values.set(values.subarray(from, from + length))
  const end = kernels.writePoints(TIMES_AT, VALUES_AT, length, OUT_AT, 0, COUNT_AT)
  return { count: memory.count[0], text: bytes.subarray(OUT_AT, end) }
}
