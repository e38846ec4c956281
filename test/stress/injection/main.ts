import { StressMisuse, roundsFor, type StressRun } from '../run.ts'
import { makeSources, runInjection } from './run.ts'

/**
 * Checks that a statement for a hostile string differs from that for a harmless string only in the string itself.
 * `--only NAME,NAME` selects sources by name.
 */
export const stress: StressRun = {
  seconds: 120,
  options: { only: 'value' },
  async run({ seed, seconds, values, print }) {
    const names = values.get('only')?.split(',')
    const all = await makeSources()
    const sources = all.filter(({ name }) => names?.includes(name) !== false)
    if (sources.length === 0)
      throw new StressMisuse(`--only names no source; there are ${all.map(({ name }) => name).join(', ')}`)
    const report = await runInjection({ more: roundsFor(seconds), seed, sources })
    for (const [place, count] of [...report.byPlace].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      print(`  ${place}: ${count}`)
    for (const { seed: at, attack, harmless, question, found, expected } of report.differences)
      print(
        `\nseed ${at}: ${JSON.stringify(attack)}, harmless ${JSON.stringify(harmless)}\n${question}\n${found}\n— instead of —\n${expected}`,
      )
    print(
      `${report.pairs} pairs over ${report.questions} questions, ${report.refused} refused alike and not counted, ${report.differences.length} differ`,
    )
    return report.differences.length > 0 ? 1 : 0
  },
}
