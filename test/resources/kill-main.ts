import { parseArgs } from 'node:util'
import { seededRandom } from '../../src/base/index.ts'
import { killLoop, type KillReport } from './kill-loop.ts'

const { values } = parseArgs({
  options: {
    cycles: { type: 'string', default: '100' },
    writers: { type: 'string', default: '12' },
    seed: { type: 'string', default: '1' },
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

const report = await killLoop(
  { cycles: Number(values.cycles), writers: Number(values.writers), random: () => random.next() },
  (current) => {
    console.log(lineOf(current))
  },
)
for (const fault of report.faults) console.log(`  ${fault}`)
process.exitCode = report.faults.length === 0 ? 0 : 1
