import { DECIMAL_TABLE_BYTES, decimalTables, WasmKernel, type Bytes } from '../../../base/index.ts'
import { POINT_BYTES, writePointsModule } from './wasm/write-points.ts'

/** Points that are written at once at most. */
export const MOST_POINTS = 1024

const STATE_AT = DECIMAL_TABLE_BYTES
const TIMES_AT = STATE_AT + 16
const VALUES_AT = TIMES_AT + MOST_POINTS * 8
const OUT_AT = VALUES_AT + MOST_POINTS * 8
const MEMORY_BYTES = OUT_AT + MOST_POINTS * POINT_BYTES

interface Ready {
  readonly run: WasmKernel['run']
  readonly bytes: Bytes
  readonly times: Float64Array
  readonly values: Float64Array
  readonly state: Uint32Array
}

let ready: Ready | undefined

function made(): Ready {
  const kernel = new WasmKernel(writePointsModule())
  const bytes = kernel.bytes(MEMORY_BYTES)
  bytes.set(decimalTables())
  return {
    run: kernel.run,
    bytes,
    times: new Float64Array(bytes.buffer, TIMES_AT, MOST_POINTS),
    values: new Float64Array(bytes.buffer, VALUES_AT, MOST_POINTS),
    state: new Uint32Array(bytes.buffer, STATE_AT, 2),
  }
}

export interface PointText {
  /** How many points are written: fewer than there are where the next one has another form, such as `NaN` or an exponent. */
  readonly count: number
  /** `,[1767225600.123,"0.1"]` each; to be copied before the next call. */
  readonly text: Uint8Array
}

/** The text of points from one place on, of at most `MOST_POINTS`. Times are Unix milliseconds, numbers as `floatText` gives them. */
export function pointText(timesMs: Float64Array, values: Float64Array, from: number): PointText {
  ready ??= made()
  const { run, bytes, times, values: numbers, state } = ready
  const count = Math.min(MOST_POINTS, values.length - from)
  times.set(timesMs.subarray(from, from + count))
  numbers.set(values.subarray(from, from + count))
  run(TIMES_AT, VALUES_AT, count, OUT_AT, STATE_AT)
  return { count: state[0], text: bytes.subarray(OUT_AT, state[1]) }
}
