import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { seededRandom } from '../../src/base/index.ts'
import { putKillRun } from './kill-ledger.ts'
import { killLoop, type KillReport } from './kill-loop.ts'

const { values } = parseArgs({
  options: {
    cycles: { type: 'string', default: '100' },
    writers: { type: 'string', default: '12' },
    seed: { type: 'string', default: '1' },
    ledger: { type: 'string' },
  },
})

const startedMs = performance.now()
const random = seededRandom(Number(values.seed))
const seconds = (): number => Math.round((performance.now() - startedMs) / 1000)

function lineOf(report: KillReport): string {
  return (
    `${report.cycles} kills in ${seconds()} s: ${report.acknowledged} changes acknowledged, ${report.unacknowledged} ` +
    `more found that were under way, ${(report.inFlight / report.cycles).toFixed(1)} under way at a kill (at least ` +
    `${report.fewestInFlight}), ${report.faults.length} lost, stale, torn or resurrected`
  )
}

const began = new Date().toISOString()

function record(report: KillReport): void {
  if (values.ledger === undefined) return
  putKillRun(values.ledger, join(import.meta.dirname, '../../src'), ['resources', 'server/resources'], {
    began,
    seed: Number(values.seed),
    writers: Number(values.writers),
    cycles: report.cycles,
    writes: report.acknowledged,
    inFlightAtKills: report.inFlight,
    cyclesInFlight: report.cyclesInFlight,
    faults: report.faults.length,
  })
}

const report = await killLoop(
  { cycles: Number(values.cycles), writers: Number(values.writers), random: () => random.next() },
  (current) => {
    console.log(lineOf(current))
    record(current)
  },
)
for (const fault of report.faults) console.log(`  ${fault}`)
record(report)
process.exitCode = report.faults.length === 0 ? 0 : 1
