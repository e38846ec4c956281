import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { filesFingerprint } from '../../src/cli/commands/fuzz-ledger.ts'

/** One run of a kill loop, as it was measured. */
export interface KillRun {
  /** When it began; a run that is written again replaces what it had. */
  readonly began: string
  readonly seed: number
  readonly writers: number
  readonly cycles: number
  readonly writes: number
  /** Writes without an answer when a server was killed, over all cycles. */
  readonly inFlightAtKills: number
  /** Rows of the writes, where a write has many. */
  readonly rows?: number
  /** Cycles that ended with a write nobody had answered. */
  readonly cyclesInFlight: number
  readonly faults: number
}

interface Entry extends KillRun {
  /** Fingerprint of the rooms that keep what was written. */
  readonly code: string
}

export interface KillLedger {
  readonly entries: readonly Entry[]
}

export function readKillLedger(file: string): KillLedger {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as KillLedger) : { entries: [] }
}

/** Writes how a run stands, good or bad. */
export function putKillRun(file: string, sourceFolder: string, rooms: readonly string[], run: KillRun): void {
  const others = readKillLedger(file).entries.filter(({ began }) => began !== run.began)
  const entries = [...others, { ...run, code: filesFingerprint(sourceFolder, rooms) }]
  writeFileSync(file, `${JSON.stringify({ entries }, null, 2)}\n`)
}
