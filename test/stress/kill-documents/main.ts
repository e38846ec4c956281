import { seededRandom } from '../../../src/base/index.ts'
import { roundsFor, type StressRun } from '../run.ts'
import { killLoop } from './kill-loop.ts'

/**
 * Kills servers while twelve writers change documents, and checks that each following server returns what was
 * acknowledged.
 */
export const stress: StressRun = {
  seconds: 120,
  async run({ seed, seconds, print }) {
    const random = seededRandom(seed)
    const report = await killLoop({ more: roundsFor(seconds), writers: 12, random: () => random.next() })
    for (const fault of report.faults) print(`  ${fault}`)
    print(
      `${report.cycles} kills: ${report.acknowledged} changes acknowledged, ${report.inFlight} in flight at a kill ` +
        `(${report.unacknowledged} of them applied), ${report.faults.length} lost, stale, torn or resurrected`,
    )
    return report.faults.length > 0 ? 1 : 0
  },
}
