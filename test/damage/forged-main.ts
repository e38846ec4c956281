/** Forges what files of segments, samples and groups say of themselves, with right checksums. `npm run trial -- forged` */
import process from 'node:process'
import { forgedFiles } from './forged-files.ts'

for (const [kind, run] of Object.entries(forgedFiles)) {
  const { forged, refused, same, others, faults } = run(1)
  console.log(`${kind}: ${forged} forged, ${refused} refused, ${same} without effect, ${faults.length} faults`)
  for (const [what, count] of others) console.log(`  ${count} with another ${what} are believed`)
  for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`)
  if (faults.length > 0) process.exitCode = 1
}
