/** `npm run trial -- sigterm [--restarts 100 --seed N --clients N]` */
import { parseArgs } from 'node:util'
import { sigtermLoop } from './sigterm.ts'

const { values } = parseArgs({
  options: {
    restarts: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    clients: { type: 'string', default: '16' },
  },
})
const startedMs = performance.now()
const report = await sigtermLoop({
  restarts: Number(values.restarts),
  seed: Number(values.seed),
  clients: Number(values.clients),
  print: (line) => console.log(line),
})
for (const fault of report.faults) console.log(`  ${fault}`)
console.log(
  `${report.restarts} restarts in ${((performance.now() - startedMs) / 1000).toFixed(0)} s: ${report.answered} requests answered, ${report.inFlight} of them under way at a signal, ${report.turnedAway} turned away that were sent about then, ${report.faults.length} faults`,
)
if (report.faults.length > 0 || report.inFlight === 0) process.exitCode = 1
