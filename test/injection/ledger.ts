import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { filesFingerprint } from '../../src/cli/commands/fuzz-ledger.ts'
import type { InjectionReport } from './run.ts'

/** Rooms that turn what a user writes into statements. */
const ROOMS = ['backends/sql', 'store/sqlite', 'resources'] as const

interface Entry {
  readonly fromSeed: number
  readonly questions: number
  readonly pairs: number
  /** By source and place. */
  readonly byPlace: Readonly<Record<string, number>>
  readonly differences: number
  /** Fingerprint of the rooms that make statements. */
  readonly code: string
}

/** Adds a run, bad ones too. */
export function addToInjectionLedger(file: string, sourceFolder: string, fromSeed: number, run: InjectionReport): void {
  const before = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { readonly entries: readonly Entry[] })
    : { entries: [] }
  const entry: Entry = {
    fromSeed,
    questions: run.questions,
    pairs: run.pairs,
    byPlace: Object.fromEntries([...run.byPlace].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    differences: run.differences.length,
    code: filesFingerprint(sourceFolder, ROOMS),
  }
  writeFileSync(file, `${JSON.stringify({ entries: [...before.entries, entry] }, null, 2)}\n`)
}
