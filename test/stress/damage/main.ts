import { roundsFor, type StressRun } from '../run.ts'
import { damageCopies, tableOf } from './copies.ts'
import { forgedFiles } from './forged-files.ts'

/**
 * Damages copies of a data folder, one file in one way for each copy, and starts a server over each. Then forges values
 * in the contents blocks of segment, sample and group files, with correct checksums, and reads the files.
 */
export const stress: StressRun = {
  seconds: 120,
  async run({ seed, seconds, print }) {
    const report = await damageCopies({ more: roundsFor(seconds), seed })
    print(tableOf(report))
    for (const fault of report.faults.slice(0, 20)) print(fault)
    print(`${report.copies} copies, ${report.faults.length} lost, shown or passed over in silence`)
    let isSound = report.faults.length === 0
    for (const [kind, forge] of Object.entries(forgedFiles)) {
      const { forged, refused, same, others, faults } = forge(1)
      print(`${kind}: ${forged} forged, ${refused} refused, ${same} without effect, ${faults.length} faults`)
      for (const [what, count] of others) print(`  ${count} with another ${what} are believed`)
      for (const fault of faults.slice(0, 20)) print(`  ${fault}`)
      isSound &&= faults.length === 0
    }
    return isSound ? 0 : 1
  },
}
