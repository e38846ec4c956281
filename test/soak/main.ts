/** `npm run trial -- soak [--seconds 600 --seed N --workers N --check]` */
import { parseArgs } from 'node:util'
import { soak } from './soak.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    check: { type: 'boolean', default: false },
  },
})
const report = await soak({
  seconds: Number(values.seconds),
  seed: Number(values.seed),
  workers: Number(values.workers),
  print: (line) => console.log(line),
})
console.log(`\n${report.statuses.total} requests:\n${report.statuses.toString()}`)
console.log(
  `\n${report.acknowledgedBatches} batches with ${report.acknowledgedRows} rows acknowledged, ${report.kills} kills, ${report.faults.length} lost, torn, doubled or foreign`,
)
for (const fault of [...report.faults, ...report.statuses.unexplained].slice(0, 40)) console.log(`  ${fault}`)
console.log(`${report.statuses.unexplained.length} unexplained statuses`)
console.log(
  `resident after the warm-up: ${report.earlyMiB.toFixed(0)} MiB at most in its first third, ${report.lateMiB.toFixed(0)} MiB in its last`,
)
/** A tenth and 64 MiB: what the collector of garbage leaves to chance. */
const isFlat = report.lateMiB <= report.earlyMiB * 1.1 + 64
console.log(isFlat ? 'It is flat.' : 'It grows.')
if (report.faults.length > 0 || report.statuses.unexplained.length > 0 || (values.check && !isFlat))
  process.exitCode = 1
