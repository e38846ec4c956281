import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { checkCounts, type Tally } from './counts.ts'
import { checkOptimizer } from './logsql-optimizer.ts'
import { checkParseInvalid, checkParseValid } from './logsql-parse.ts'

const DEFAULT_DIRECTORY = resolve(import.meta.dirname, '../../../shared/vectors/logsql')
/** The part that runs plans; it stands in a file of its own. */
const RUN_PART = './logsql-run.ts'

/** How one file of vectors came out, with a text for each failure. */
export interface Outcome {
  readonly file: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly failures: readonly string[]
}

interface RunPart {
  readonly checkRuns: (directory: string) => Promise<readonly Outcome[]>
}

/** Runs all log vectors; the exit code. `--dir DIR` says where they lie, `--raise` accepts higher pass counts. */
export async function main(args: readonly string[]): Promise<number> {
  const at = args.indexOf('--dir')
  const directory = at === -1 ? DEFAULT_DIRECTORY : resolve(args[at + 1])
  if (!existsSync(directory)) {
    console.log(`skipped: there are no vectors in ${directory}`)
    return 0
  }
  const outcomes: Outcome[] = [checkParseValid(directory), checkParseInvalid(directory), ...checkOptimizer(directory)]
  if (existsSync(resolve(import.meta.dirname, RUN_PART))) {
    const { checkRuns } = (await import(RUN_PART)) as RunPart
    outcomes.push(...(await checkRuns(directory)))
  }
  for (const { file, failures } of outcomes) for (const failure of failures) console.log(`${file}: ${failure}`)
  const tallies: Tally[] = outcomes.map(({ file: name, passed, failed, skipped }) => ({
    name,
    passed,
    failed,
    skipped,
  }))
  for (const { name, passed, failed, skipped } of tallies) {
    console.log(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`)
  }
  const lost = checkCounts('logsql', tallies, args.includes('--raise'))
  for (const text of lost) console.log(text)
  const sum = (pick: (tally: Tally) => number): number => tallies.reduce((total, tally) => total + pick(tally), 0)
  const failed = sum((tally) => tally.failed)
  console.log(`${sum((tally) => tally.passed)} passed, ${failed} failed, ${sum((tally) => tally.skipped)} skipped`)
  return failed > 0 || lost.length > 0 ? 1 : 0
}
