import { seededRandom } from '../../../src/base/index.ts'
import { roundsFor, type StressRun } from '../run.ts'
import { killAlerts } from './kill-alerts.ts'

/** Kills servers while they evaluate monitors and send notifications. */
export const stress: StressRun = {
  seconds: 300,
  async run({ seed, seconds, print }) {
    const random = seededRandom(seed)
    const report = await killAlerts({ more: roundsFor(seconds), random: () => random.next() })
    for (const fault of report.faults) print(`  ${fault}`)
    print(
      `${report.cycles} kills: ${report.alerts} alerts, ${report.repetitions} notifications repeated with their key, ` +
        `${report.faults.length} lost or doubled`,
    )
    return report.faults.length > 0 ? 1 : 0
  },
}
