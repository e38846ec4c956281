import { StressMisuse, type StressRun } from '../run.ts'
import { soak } from './soak.ts'

/** Growth that the garbage collector may cause by chance: a tenth, and this many MiB. */
const CHANCE_MIB = 64

/**
 * Senders, readers, hostile callers and monitors use one service, which is killed from time to time. `--workers N` sets
 * its worker threads; with `--check` growth of the resident memory is a fault.
 */
export const stress: StressRun = {
  seconds: 600,
  options: { workers: 'value', check: 'flag' },
  async run({ seed, seconds, values, flags, print }) {
    const workers = Number(values.get('workers') ?? 2)
    if (!Number.isInteger(workers) || workers < 0) throw new StressMisuse('--workers takes a whole number')
    const report = await soak({ seconds, seed, workers, print })
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
    const isFaulty = report.faults.length > 0 || report.statuses.unexplained.length > 0
    return isFaulty || (flags.has('check') && !isFlat) ? 1 : 0
  },
}
