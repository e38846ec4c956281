import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linkPackages, packagedCli } from '../../harness/packaged.ts'
import { roundsFor, type StressRun } from '../run.ts'
import { killCycles } from './kill-cycles.ts'

/** Least share of cycles that must end with an unanswered write. Other cycles do not test an interrupted write. */
const LEAST_IN_FLIGHT_SHARE = 0.3

/** Kills servers while twelve writers send rows and samples to each of two data folders, and reads every batch back. */
export const stress: StressRun = {
  seconds: 120,
  async run({ seed, seconds, print }) {
    const project = mkdtempSync(join(tmpdir(), 'sluice-kill-packed-'))
    try {
      // A cycle consists mostly of the start of its server, and the packed program starts faster than the source.
      const program = packagedCli(project)
      linkPackages(project, ['better-sqlite3'])
      const report = await killCycles({ more: roundsFor(seconds), seed, writers: 12, chains: 2, program, print })
      const share = report.cyclesInFlight / report.cycles
      for (const line of [
        ...report.faults,
        `${report.acknowledgedBatches} batches with ${report.acknowledgedRows} rows acknowledged in ${report.cycles} cycles`,
        `${report.acknowledgedSamples} samples acknowledged twice over, as numbers and as changes; ${report.sampleFiles} files of samples written, ${report.oldSeriesGone} old series gone`,
        `${report.deletedBatches} batches of rows and ${report.deletedSampleBatches} of samples deleted, ${report.snapshots} snapshots`,
        `${(share * 100).toFixed(0)} % of the cycles ended with an unanswered write (at least ${LEAST_IN_FLIGHT_SHARE * 100} % are needed)`,
        `${report.faults.length} lost, torn, doubled or foreign batches, samples among them`,
      ])
        print(line)
      return report.faults.length > 0 || share < LEAST_IN_FLIGHT_SHARE ? 1 : 0
    } finally {
      rmSync(project, { recursive: true, force: true })
    }
  },
}
