import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { linkPackages, packagedCli } from '../harness/packaged.ts'
import { killCycles, type KillReport } from './kill-cycles.ts'

const { values } = parseArgs({
  options: {
    cycles: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    writers: { type: 'string', default: '12' },
    chains: { type: 'string', default: '2' },
  },
})

const project = mkdtempSync(join(tmpdir(), 'sluice-kill-packed-'))
let report: KillReport
let startedMs: number
try {
  // Most of a cycle is the start of its server: the packed program starts in a third of the time of the source.
  const program = packagedCli(project)
  linkPackages(project, ['better-sqlite3'])
  startedMs = performance.now()
  report = await killCycles({
    cycles: Number(values.cycles),
    seed: Number(values.seed),
    writers: Number(values.writers),
    chains: Number(values.chains),
    program,
    print: (line) => process.stdout.write(`${line}\n`),
  })
} finally {
  rmSync(project, { recursive: true, force: true })
}
const share = report.cyclesInFlight / report.cycles
const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
process.stdout.write(
  [
    ...report.faults,
    `${report.cycles} cycles in ${seconds} s: ${report.acknowledgedBatches} batches with ${report.acknowledgedRows} rows acknowledged`,
    `${report.acknowledgedSamples} samples acknowledged twice over, as numbers and as changes; ${report.sampleFiles} files of samples written, ${report.oldSeriesGone} old series gone`,
    `${report.deletedBatches} batches of rows and ${report.deletedSampleBatches} of samples deleted, ${report.snapshots} snapshots`,
    `${(share * 100).toFixed(0)} % of the cycles ended with an unanswered write (at least 30 % are needed)`,
    `${report.faults.length} lost, torn, doubled or foreign batches, samples among them`,
    '',
  ].join('\n'),
)
if (report.faults.length > 0 || share < 0.3) process.exitCode = 1
