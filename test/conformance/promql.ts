import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { present } from '../../src/base/index.ts'
import { checkScripts } from './promql-eval.ts'
import { checkGolden } from './promql-golden.ts'
import { checkPromqlParse } from './promql-parse.ts'
import { checkCounts, type Tally } from './counts.ts'

const DEFAULT_DIRECTORY = resolve(import.meta.dirname, '../../../shared/vectors/promql')

/** Runs all metric vectors; the exit code. `--dir DIR` says where they lie, `--raise` accepts higher pass counts. */
export async function main(args: readonly string[]): Promise<number> {
  const at = args.indexOf('--dir')
  const directory = at === -1 ? DEFAULT_DIRECTORY : resolve(present(args[at + 1]))
  if (!existsSync(directory)) {
    console.log(`skipped: there are no vectors in ${directory}`)
    return 0
  }
  const tallies: Tally[] = []
  const failures: string[] = []
  const reasons = new Map<string, number>()
  for (const outcome of checkPromqlParse(directory)) {
    let skipped = 0
    for (const [reason, count] of outcome.skipped) {
      reasons.set(reason, (reasons.get(reason) ?? 0) + count)
      skipped += count
    }
    tallies.push({ name: outcome.file, passed: outcome.passed, failed: outcome.failed, skipped })
    for (const failure of outcome.failures) failures.push(`${outcome.file}: ${failure}`)
  }
  let checks = 0
  for (const tier of await checkScripts(directory, (text) => failures.push(text))) {
    tallies.push({ name: tier.tier, passed: tier.passed, failed: tier.failed, skipped: 0 })
    checks += tier.checks
  }
  const golden = await checkGolden(directory, (text) => failures.push(text))
  tallies.push({ name: 'compliance', ...golden, skipped: 0 })

  for (const failure of failures) console.log(failure)
  for (const { name, passed, failed, skipped } of tallies) {
    console.log(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`)
  }
  console.log(`evaluation cases were checked ${checks} times, re-checks included`)
  for (const [reason, count] of reasons) console.log(`skipped ${count} checks: ${reason}`)
  const lost = checkCounts('promql', tallies, args.includes('--raise'))
  for (const text of lost) console.log(text)
  const sum = (pick: (tally: Tally) => number): number => tallies.reduce((total, tally) => total + pick(tally), 0)
  const failed = sum((tally) => tally.failed)
  console.log(`${sum((tally) => tally.passed)} passed, ${failed} failed, ${sum((tally) => tally.skipped)} skipped`)
  return failed > 0 || lost.length > 0 ? 1 : 0
}
