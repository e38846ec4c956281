/**
 * Makes mistakes in good queries and asks how well they are found and mended.
 * `npm run trial -- faults [--count 1000] [--seed 1] [--show <kind>]`
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { spanOf } from '../../src/base/index.ts'
import { kinds } from '../../src/fuzz/fixes/index.ts'
import { measure, ratesOf, type Rates } from './measure.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string' },
  },
})

/** At least as many as asked for, the same number of each kind. */
const perKind = Math.ceil(Number(values.count) / kinds.size)
const startMs = performance.now()
const outcomes = measure(Number(values.seed), perKind)
const percent = (part: number): string => `${(part * 100).toFixed(1)} %`.padStart(8)
const line = (name: string, { count, near, mended }: Rates): string =>
  `${name.padEnd(28)}${String(count).padStart(5)}${percent(near)}${percent(mended)}`

console.log(`${'kind'.padEnd(28)}count    near  mended`)
for (const kind of kinds.keys()) console.log(line(kind, ratesOf(outcomes.filter(({ fault }) => fault.kind === kind))))
const all = ratesOf(outcomes)
console.log(line('all', all))
console.log(`seed ${values.seed}, ${((performance.now() - startMs) / 1000).toFixed(1)} s`)
if (values.show !== undefined) {
  for (const { fault, diagnostic, isNear, isMended } of outcomes) {
    if (fault.kind !== values.show || (isNear && isMended)) continue
    const span = spanOf(diagnostic.origin)
    console.log(
      `\n${fault.text}\n  meant ${fault.original}\n  ${diagnostic.code} ${span?.start}-${span?.end} ${diagnostic.message}`,
    )
    console.log(`  places ${fault.places.join(' ')}, near ${isNear}, fix ${JSON.stringify(diagnostic.fixes[0]?.edits)}`)
  }
}
if (all.near < 0.9 || all.mended < 0.7) process.exitCode = 1
