import type { StressRun } from '../run.ts'
import { readers } from './readers.ts'

/** Inputs of one and of so many times the length are compared. */
const LENGTHS = 4
/** Reading of the longer one may take so many times as long; work that grows with the square takes 16 times. */
const MOST_TIMES = 10
/** Differences below this are noise, milliseconds of processor time. */
const NOISE_MS = 30
/** The fastest of so many measurements counts: a busy machine slows some of them down. */
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

/** Reads each input of `readers.ts` at two lengths. `--only NAME` chooses readers by the start of their names. */
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
