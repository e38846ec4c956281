import { WasmKernel, work } from '../../base/index.ts'
import type { ColumnWriter } from './columns.ts'
import type { MatrixValue, WindowSeries } from './definition.ts'
import type { RateKind } from './rate-kind.ts'
import { rateSettings, rateWindowsModule } from './wasm/rate-windows.ts'

/** Series of more samples are left to a loop, so that the kernel's memory stays small. */
export const MOST_SAMPLES = 16_384
/** Steps of one run: nobody looks at limits while it lasts, and each window may have a reset at every sample. */
const MOST_STEPS = 512

const SETTINGS_AT = 0
const TIMES_AT = SETTINGS_AT + rateSettings.bytes
const VALUES_AT = TIMES_AT + MOST_SAMPLES * 8
const ENDS_AT = VALUES_AT + MOST_SAMPLES * 8
const OUT_AT = ENDS_AT + MOST_STEPS * 8
const KINDS_AT = OUT_AT + MOST_STEPS * 8
const MEMORY_BYTES = KINDS_AT + MOST_STEPS

interface Ready {
  readonly run: WasmKernel['run']
  readonly settings: Float64Array
  readonly firstAt: Uint32Array
  readonly times: Float64Array
  readonly values: Float64Array
  readonly ends: Float64Array
  readonly out: Float64Array
  readonly kinds: Uint8Array
  /** The ends of windows that stand in `ends`: those of one query are the same for all its series. */
  endsMs: Float64Array | undefined
}

let ready: Ready | undefined

function made(): Ready {
  const kernel = new WasmKernel(rateWindowsModule())
  const { buffer } = kernel.bytes(MEMORY_BYTES)
  return {
    run: kernel.run,
    settings: new Float64Array(buffer, SETTINGS_AT, rateSettings.bytes / 8),
    firstAt: new Uint32Array(buffer, SETTINGS_AT + rateSettings.first, 1),
    times: new Float64Array(buffer, TIMES_AT, MOST_SAMPLES),
    values: new Float64Array(buffer, VALUES_AT, MOST_SAMPLES),
    ends: new Float64Array(buffer, ENDS_AT, MOST_STEPS),
    out: new Float64Array(buffer, OUT_AT, MOST_STEPS),
    kinds: new Uint8Array(buffer, KINDS_AT, MOST_STEPS),
    endsMs: undefined,
  }
}

/**
 * Fills the rates of floats whose start times tell nothing of the windows, of at most `MOST_SAMPLES`. Which samples a window has is found
 * on the way. Throws as `work` does.
 */
export function runRateKernel(
  { timesMs, values }: Pick<WindowSeries, 'timesMs' | 'values'>,
  out: ColumnWriter,
  { rangeMs, endsMs }: Pick<MatrixValue, 'rangeMs' | 'endsMs'>,
  { isCounter, isRate }: RateKind,
): void {
  ready ??= made()
  const { run, settings, firstAt } = ready
  settings[rateSettings.rangeMs / 8] = rangeMs
  settings[rateSettings.divisor / 8] = isRate ? rangeMs / 1000 : 1
  ready.times.set(timesMs)
  ready.values.set(values)
  const timesEnd = TIMES_AT + timesMs.length * 8
  let first = TIMES_AT
  for (let from = 0; from < endsMs.length; from += MOST_STEPS) {
    const count = Math.min(MOST_STEPS, endsMs.length - from)
    const isWhole = count === endsMs.length
    if (!isWhole || ready.endsMs !== endsMs) ready.ends.set(endsMs.subarray(from, from + count))
    ready.endsMs = isWhole ? endsMs : undefined
    const valuesAt = first - TIMES_AT + VALUES_AT
    run(first, timesEnd, valuesAt, ENDS_AT, ENDS_AT + count * 8, OUT_AT, KINDS_AT, SETTINGS_AT, isCounter ? 1 : 0)
    out.values.set(ready.out.subarray(0, count), from)
    out.kinds.set(ready.kinds.subarray(0, count), from)
    work((count + timesMs.length) >>> 4)
    // The windows of later steps begin no earlier.
    first = firstAt[0]
  }
}
