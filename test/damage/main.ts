/** Damages copies of a data folder and starts a server over each. `npm run trial -- damage [--copies 1000] [--seed 1]` */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { damageCopies, tableOf } from './copies.ts'

const { values } = parseArgs({
  options: { copies: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
})
const startMs = performance.now()
const report = await damageCopies({ copies: Number(values.copies), seed: Number(values.seed) })
console.log(tableOf(report))
for (const fault of report.faults.slice(0, 20)) console.log(fault)
const seconds = ((performance.now() - startMs) / 1000).toFixed(0)
console.log(
  `${report.copies} copies in ${seconds} s, seed ${values.seed}: ${report.faults.length} lost, shown or passed over in silence`,
)
if (report.faults.length > 0) process.exitCode = 1
