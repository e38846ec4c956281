import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { checkCounts } from './counts.ts'
import type { Outcome } from './outcome.ts'

/** Vectors of one language: their default directory, and a function that runs the vectors of a directory. */
export interface VectorSet {
  readonly language: string
  readonly directory: string
  readonly run: (directory: string, seed: number | undefined) => Promise<readonly Outcome[]>
}

export interface RunOptions {
  /** Directory of the vectors; it may hold only some of the files. Default: `directory` of the set. */
  readonly dir?: string | undefined
  /** True if pass counts that grew become the new minimum. */
  readonly isRaising?: boolean
  /** Seed for running the vectors under other names; without it they keep theirs. */
  readonly seed?: number | undefined
}

const MOST_SHOWN = 200

/** Runs the vectors and prints the results. Returns the exit code: 0 passed, 1 failed, 2 nothing to run. */
export async function report(set: VectorSet, options: RunOptions, print: (line: string) => void): Promise<number> {
  const { dir, isRaising = false, seed } = options
  const directory = dir === undefined ? set.directory : resolve(dir)
  if (!existsSync(directory)) {
    print(`${dir === undefined ? 'skipped: ' : ''}there are no vectors in ${directory}`)
    return dir === undefined ? 0 : 2
  }
  const outcomes = await set.run(directory, seed)
  if (outcomes.length === 0) {
    print(`${directory} has none of the files of ${set.language}`)
    return 2
  }
  const failures = outcomes.flatMap(({ file, failures: texts }) => texts.map((text) => `${file}: ${text}`))
  for (const failure of failures.slice(0, MOST_SHOWN)) print(failure)
  if (failures.length > MOST_SHOWN) print(`… and ${failures.length - MOST_SHOWN} more failures`)
  for (const { file, passed, failed, skipped, renamed } of outcomes) {
    const names = seed === undefined ? '' : `, ${renamed} under other names`
    print(`${file}: ${passed} passed, ${failed} failed, ${skipped} skipped${names}`)
  }
  const reasons = new Map<string, number>()
  for (const outcome of outcomes) {
    for (const [reason, count] of outcome.reasons) reasons.set(reason, (reasons.get(reason) ?? 0) + count)
  }
  for (const [reason, count] of reasons) print(`skipped ${count}: ${reason}`)
  // The committed pass counts apply only to the default directory.
  const lost = dir === undefined ? checkCounts(set.language, outcomes, seed !== undefined, isRaising) : []
  for (const text of lost) print(text)
  const sum = (pick: (outcome: Outcome) => number): number =>
    outcomes.reduce((total, outcome) => total + pick(outcome), 0)
  const failed = sum((outcome) => outcome.failed)
  print(`${sum(({ passed }) => passed)} passed, ${failed} failed, ${sum(({ skipped }) => skipped)} skipped`)
  return failed > 0 || lost.length > 0 ? 1 : 0
}
