import { work } from '../../../base/index.ts'
import { KernelMemory } from '../../../kernels/index.ts'
import type { ColumnWriter } from '../columns.ts'
import type { MatrixValue, WindowSeries } from '../definition.ts'
import type { RateKind } from './rate-kind.ts'

/** Maximum number of samples for the kernel, which bounds its memory. Longer series are computed without the kernel. */
export const MOST_SAMPLES = 16_384
/**
 * Maximum number of steps per kernel call. A call has no checkpoints, and each window may have a reset at every sample.
 */
const MOST_STEPS = 512

const TIMES_AT = 0
const VALUES_AT = TIMES_AT + MOST_SAMPLES * 8
const ENDS_AT = VALUES_AT + MOST_SAMPLES * 8
const OUT_AT = ENDS_AT + MOST_STEPS * 8
const KINDS_AT = OUT_AT + MOST_STEPS * 8
const MEMORY_BYTES = KINDS_AT + MOST_STEPS

/** Memory of the kernel in this thread, allocated when rates are first computed. */
class RateMemory {
  readonly #memory = new KernelMemory(MEMORY_BYTES)
  readonly kernels = this.#memory.kernels
  readonly times = new Float64Array(this.#memory.buffer, TIMES_AT, MOST_SAMPLES)
  readonly values = new Float64Array(this.#memory.buffer, VALUES_AT, MOST_SAMPLES)
  readonly ends = new Float64Array(this.#memory.buffer, ENDS_AT, MOST_STEPS)
  readonly out = new Float64Array(this.#memory.buffer, OUT_AT, MOST_STEPS)
  readonly kinds = new Uint8Array(this.#memory.buffer, KINDS_AT, MOST_STEPS)
  /** The window ends that `ends` currently contains. All series of a query have the same ends. */
  endsMs: Float64Array | undefined
}

let memory: RateMemory | undefined

/**
 * Finds the windows and computes the rates of at most `MOST_SAMPLES` floats, whose start times must have no effect.
 * Throws the errors of `work`.
 */
export function runRateKernel(
  { timesMs, values }: Pick<WindowSeries, 'timesMs' | 'values'>,
  out: ColumnWriter,
  { rangeMs, endsMs }: Pick<MatrixValue, 'rangeMs' | 'endsMs'>,
  { isCounter, isRate }: RateKind,
): void {
  memory ??= new RateMemory()
  const { kernels, times, ends } = memory
  const divisor = isRate ? rangeMs / 1000 : 1
  times.set(timesMs)
  memory.values.set(values)
  const timesEnd = TIMES_AT + timesMs.length * 8
  let first = TIMES_AT
  for (let from = 0; from < endsMs.length; from += MOST_STEPS) {
    const count = Math.min(MOST_STEPS, endsMs.length - from)
    const isWhole = count === endsMs.length
    if (!isWhole || memory.endsMs !== endsMs) ends.set(endsMs.subarray(from, from + count))
    memory.endsMs = isWhole ? endsMs : undefined
    // The next call starts at the first sample of the last window, because windows only move forward.
    first = kernels.rateWindows(
      first,
      timesEnd,
      first - TIMES_AT + VALUES_AT,
      ENDS_AT,
      ENDS_AT + count * 8,
      OUT_AT,
      KINDS_AT,
      rangeMs,
      divisor,
      isCounter ? 1 : 0,
    )
    out.values.set(memory.out.subarray(0, count), from)
    out.kinds.set(memory.kinds.subarray(0, count), from)
    work((count + timesMs.length) >>> 4)
  }
}
