import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { present } from '../../src/base/index.ts'
import { checkCounts, type Tally } from './counts.ts'
import { checkOptimizer } from './logsql-optimizer.ts'
import type { Outcome } from './logsql-outcome.ts'
import { checkParseInvalid, checkParseValid } from './logsql-parse.ts'

const DEFAULT_DIRECTORY = resolve(import.meta.dirname, '../../../shared/vectors/logsql')
/** The part that runs plans; it stands in a file of its own. */
const RUN_PART = './logsql-run.ts'

interface RunPart {
  readonly checkRuns: (directory: string, seed?: number) => Promise<readonly Outcome[]>
}

/** How many vectors run under other names depends a little on the seed: so much of them counts, in such steps. */
const SURE_PART = 0.85
const STEP = 20

/**
 * Runs all log vectors; the exit code. `--dir DIR` says where they lie, `--raise` accepts higher pass counts,
 * `--rename-seed N` runs them under other names, those about the optimizer left out.
 */
export async function main(args: readonly string[]): Promise<number> {
  const at = args.indexOf('--dir')
  const directory = at === -1 ? DEFAULT_DIRECTORY : resolve(present(args[at + 1]))
  if (!existsSync(directory)) {
    console.log(`skipped: there are no vectors in ${directory}`)
    return 0
  }
  const seedAt = args.indexOf('--rename-seed')
  const seed = seedAt === -1 ? undefined : Number(args[seedAt + 1])
  if (seed !== undefined && !Number.isSafeInteger(seed)) throw new Error('--rename-seed takes a whole number')
  const outcomes: Outcome[] = [
    checkParseValid(directory, seed),
    checkParseInvalid(directory, seed),
    ...(seed === undefined ? await checkOptimizer(directory) : []),
  ]
  if (existsSync(resolve(import.meta.dirname, RUN_PART))) {
    const { checkRuns } = (await import(RUN_PART)) as RunPart
    outcomes.push(...(await checkRuns(directory, seed)))
  }
  for (const { file, failures } of outcomes) for (const failure of failures) console.log(`${file}: ${failure}`)
  const tallies: Tally[] = outcomes.map(({ file: name, passed, failed, skipped }) => ({
    name,
    passed,
    failed,
    skipped,
  }))
  for (const { file, passed, failed, skipped, renamed } of outcomes) {
    const names = seed === undefined ? '' : `, ${renamed ?? 0} under other names`
    console.log(`${file}: ${passed} passed, ${failed} failed, ${skipped} skipped${names}`)
  }
  const reasons = new Map<string, number>()
  for (const outcome of outcomes) {
    for (const [reason, count] of outcome.reasons ?? []) reasons.set(reason, (reasons.get(reason) ?? 0) + count)
  }
  for (const [reason, count] of reasons) console.log(`skipped ${count}: ${reason}`)
  const counted =
    seed === undefined
      ? tallies
      : outcomes.flatMap(({ file, passed, failed, skipped, renamed = 0 }): Tally[] => [
          { name: file, passed, failed, skipped },
          { name: `${file} renamed`, passed: Math.floor((renamed * SURE_PART) / STEP) * STEP, failed: 0, skipped: 0 },
        ])
  const lost = checkCounts(seed === undefined ? 'logsql' : 'logsql-renamed', counted, args.includes('--raise'))
  for (const text of lost) console.log(text)
  const sum = (pick: (tally: Tally) => number): number => tallies.reduce((total, tally) => total + pick(tally), 0)
  const failed = sum((tally) => tally.failed)
  console.log(`${sum((tally) => tally.passed)} passed, ${failed} failed, ${sum((tally) => tally.skipped)} skipped`)
  return failed > 0 || lost.length > 0 ? 1 : 0
}
