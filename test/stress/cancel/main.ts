import { namesIn } from '../attacks/attack.ts'
import { roundsFor, type StressRun } from '../run.ts'
import { cancelRequests, cancelStatements, quantileOf, type Cancelled } from './cancels.ts'

/** Largest number of slow cancels to print. */
const MOST_SHOWN = 8

function report(what: string, all: readonly Cancelled[], print: (line: string) => void): boolean {
  const line = (values: readonly number[]): string => {
    const [p50, p99, most] = [0.5, 0.99, 1].map((share) => quantileOf(values, share).toFixed(1))
    return `median ${p50}, 99th percentile ${p99}, most ${most}`
  }
  const late = all.map(({ lateMs }) => lateMs)
  print(`${what}: ${all.length} cancelled, processor ms afterwards: ${line(all.map(({ usedMs }) => usedMs))}`)
  print(`  of it later than 50 ms after the cancel: ${line(late)}`)
  for (const { name, usedMs, byThread } of all.toSorted((a, b) => b.usedMs - a.usedMs).slice(0, MOST_SHOWN)) {
    const threads = [...byThread].filter(([, ms]) => ms >= 1).toSorted(([, a], [, b]) => b - a)
    const parts = threads.map(([thread, ms]) => `${thread} ${ms.toFixed(1)}`).join(', ')
    print(`  ${usedMs.toFixed(1).padStart(8)}  ${name.padEnd(32)}  ${parts}`)
  }
  return quantileOf(late, 0.99) === 0
}

/**
 * Cancels queries of the attacks, then SQLite statements. `--only NAME,NAME` selects attacks by the start of their
 * names. `--packed` runs the output of `npm run build`. With `--check` the run fails if more than 1 % of the cancelled
 * queries use processor time later than 50 ms after the cancel.
 */
export const stress: StressRun = {
  seconds: 120,
  options: { only: 'value', packed: 'flag', check: 'flag' },
  async run({ seed, seconds, values, flags, print }) {
    const only = namesIn(values.get('only') ?? '')
    const requests = await cancelRequests({
      more: roundsFor(seconds * 0.75),
      seed,
      only,
      isPacked: flags.has('packed'),
    })
    const statements = await cancelStatements({ more: roundsFor(seconds * 0.25), seed })
    const areInTime = [report('requests', requests, print), report('statements', statements, print)]
    return flags.has('check') && areInTime.includes(false) ? 1 : 0
  },
}
