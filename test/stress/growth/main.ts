import type { StressRun } from '../run.ts'
import { readers } from './readers.ts'

/** Ratio between the lengths of the two inputs that are compared. */
const LENGTHS = 4
/** Largest ratio between the times for the two inputs. Quadratic work would give a ratio of 16. */
const MOST_TIMES = 10
/** Differences below this many milliseconds of processor time are noise. */
const NOISE_MS = 30
/** Number of measurements per input. Only the fastest counts, since other processes can slow down some of them. */
const MEASUREMENTS = 3

function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

function measure(work: () => unknown): number {
  const times = Array.from({ length: MEASUREMENTS }, () => {
    const startedMs = processorMs()
    work()
    return processorMs() - startedMs
  })
  return Math.min(...times)
}

/**
 * Measures each parser of `readers.ts` on inputs of two lengths. `--only NAME` selects parsers by the start of their
 * names.
 */
export const stress: StressRun = {
  seconds: 0,
  options: { only: 'value' },
  async run({ values, print }) {
    let slow = 0
    for (const { name, length, read } of readers) {
      if (!name.startsWith(values.get('only') ?? '')) continue
      const [shortMs, longMs] = [measure(() => read(length)), measure(() => read(LENGTHS * length))]
      const isSlow = longMs > MOST_TIMES * shortMs + NOISE_MS
      if (isSlow) slow++
      print(
        `${isSlow ? 'SLOW ' : '     '} ${name}: ${shortMs.toFixed(1)} ms, ${LENGTHS} times as long: ${longMs.toFixed(1)} ms`,
      )
    }
    print(`${slow} readers take more time than the length of their input allows`)
    return slow > 0 ? 1 : 0
  },
}
