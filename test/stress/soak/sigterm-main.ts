import { roundsFor, type StressRun } from '../run.ts'
import { sigtermLoop } from './sigterm.ts'

/** Ends servers with SIGTERM while 16 clients query and four send rows, and restarts them over the same folder. */
export const stress: StressRun = {
  seconds: 120,
  async run({ seed, seconds, print }) {
    const report = await sigtermLoop({ more: roundsFor(seconds), seed, clients: 16, print })
    for (const fault of report.faults) print(`  ${fault}`)
    print(
      `${report.restarts} restarts: ${report.answered} requests answered, ${report.inFlight} of them in flight at a signal, ${report.turnedAway} refused because they were sent about then, ${report.faults.length} faults`,
    )
    return report.faults.length > 0 ? 1 : report.inFlight === 0 ? 2 : 0
  },
}
