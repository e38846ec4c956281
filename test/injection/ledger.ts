import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { filesFingerprint, locked } from '../../src/cli/commands/fuzz-ledger.ts'
import type { InjectionReport } from './run.ts'

/** Rooms that turn what a user writes into statements. */
const ROOMS = ['backends/sql', 'store/sqlite', 'resources'] as const

interface Entry {
  /** When the run began; a run that is written again replaces what it had. */
  readonly began: string
  readonly fromSeed: number
  readonly questions: number
  readonly pairs: number
  /** By source and place. */
  readonly byPlace: Readonly<Record<string, number>>
  readonly differences: number
  /** Fingerprint of the rooms that make statements. */
  readonly code: string
}

interface Ledger {
  readonly entries: readonly Entry[]
}

/** Writes how a run stands, good or bad. */
export function putInjectionRun(
  file: string,
  sourceFolder: string,
  began: string,
  fromSeed: number,
  run: InjectionReport,
): void {
  const entry: Entry = {
    began,
    fromSeed,
    questions: run.questions,
    pairs: run.pairs,
    byPlace: Object.fromEntries([...run.byPlace].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    differences: run.differences.length,
    code: filesFingerprint(sourceFolder, ROOMS),
  }
  locked(file, () => {
    const ledger = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Ledger) : { entries: [] }
    const others = ledger.entries.filter((other) => other.began !== began || other.fromSeed !== fromSeed)
    writeFileSync(file, `${JSON.stringify({ entries: [...others, entry] }, null, 2)}\n`)
  })
}
