import { parseSize } from '../../../src/cli/options/size-option.ts'
import { StressMisuse, type StressRun } from '../run.ts'
import { soak } from './soak.ts'

/** Growth of memory in MiB that garbage collection alone may cause, in addition to a tenth of the size. */
const CHANCE_MIB = 64
/** Shortest run in seconds whose memory growth is checked. In shorter runs, caches and compiled code still grow. */
const GROWTH_SECONDS = 600
/**
 * Largest resident size as a multiple of `--memory`. The memory shares of the service do not count code, or buffers
 * that await garbage collection.
 */
const MOST_PART = 1.25

/**
 * Puts one service under load from senders of eight protocols, readers, hostile callers, deletions and monitors, and
 * kills it twice. `--workers N` sets its worker threads, `--memory SIZE` its memory. With `--check` the run fails if
 * resident memory exceeds that size by more than a quarter. In a run of ten minutes or more it also fails if memory
 * grows.
 */
export const stress: StressRun = {
  seconds: 600,
  options: { workers: 'value', memory: 'value', check: 'flag' },
  async run({ seed, seconds, values, flags, print }) {
    const workers = Number(values.get('workers') ?? 2)
    if (!Number.isInteger(workers) || workers < 0) throw new StressMisuse('--workers takes a whole number')
    const memory = values.get('memory') ?? '1GiB'
    const boundMiB = (parseSize(memory, '--memory', '1B') / 2 ** 20) * MOST_PART
    const report = await soak({ seconds, seed, workers, memory, print })
    print(`\n${report.statuses.total} requests:\n${report.statuses.toString()}`)
    print(
      `\n${report.acknowledgedBatches} batches with ${report.acknowledgedRows} rows acknowledged, ${report.kills} kills, ${report.faults.length} lost, torn, doubled or foreign`,
    )
    for (const fault of [...report.faults, ...report.statuses.unexplained].slice(0, 40)) print(`  ${fault}`)
    print(`${report.statuses.unexplained.length} unexplained statuses`)
    print(
      `resident after the warm-up: at most ${report.earlyMiB.toFixed(0)} MiB in its first third, ${report.lateMiB.toFixed(0)} MiB in its last`,
    )
    const isFlat = report.lateMiB <= report.earlyMiB * 1.1 + CHANCE_MIB
    print(isFlat ? 'The memory is flat.' : 'The memory grows.')
    const isWithin = report.mostMiB <= boundMiB
    print(
      `at most ${report.mostMiB.toFixed(0)} MiB at any time; the bound is ${boundMiB.toFixed(0)} MiB, so it is ${isWithin ? 'kept' : 'broken'}`,
    )
    const isFaulty = report.faults.length > 0 || report.statuses.unexplained.length > 0
    return isFaulty || (flags.has('check') && !(isWithin && (isFlat || seconds < GROWTH_SECONDS))) ? 1 : 0
  },
}
