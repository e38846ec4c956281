import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** One recorded run without a difference. */
export interface LedgerEntry {
  readonly fromSeed: number
  readonly cases: number
  /** Fingerprint of the rooms whose meaning was tested. */
  readonly semantics: string
}

interface Ledger {
  readonly entries: readonly LedgerEntry[]
}

const ROOMS = ['data', 'optimize', 'backends']

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? filesUnder(join(folder, entry.name)) : [join(folder, entry.name)]))
    .filter((file) => file.endsWith('.ts') && !file.includes('/series/'))
    .sort()
}

/** Changes when anything under `data`, `optimize` or `backends` does; then old runs no longer count. */
export function semanticsFingerprint(sourceFolder: string): string {
  const hash = createHash('sha256')
  for (const room of ROOMS) {
    for (const file of filesUnder(join(sourceFolder, room)))
      hash.update(file.slice(sourceFolder.length)).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 16)
}

/** Changes when any of these files does; folders count with all TypeScript files in them. */
export function filesFingerprint(sourceFolder: string, paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) {
    const found = readdirSync(sourceFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name).slice(join(sourceFolder, '/').length))
      .filter((file) => file === path || file.startsWith(`${path}/`))
      .sort()
    if (found.length === 0) throw new Error(`there is no ${path} under ${sourceFolder}`)
    for (const file of found) hash.update(file).update(readFileSync(join(sourceFolder, file)))
  }
  return hash.digest('hex').slice(0, 16)
}

export function readLedger(file: string): Ledger {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Ledger) : { entries: [] }
}

/** Cases of distinct seeds that the present code has passed. */
export function ledgerTotal(ledger: Ledger, semantics: string): number {
  const ranges = ledger.entries
    .filter((entry) => entry.semantics === semantics)
    .map(({ fromSeed, cases }) => [fromSeed, fromSeed + cases] as const)
    .toSorted((a, b) => a[0] - b[0])
  let total = 0
  let reached = -Infinity
  for (const [from, end] of ranges) {
    total += Math.max(0, end - Math.max(from, reached))
    reached = Math.max(reached, end)
  }
  return total
}

/** Adds a run; runs of other code are dropped. */
export function addToLedger(file: string, entry: LedgerEntry): Ledger {
  const kept = readLedger(file).entries.filter((old) => old.semantics === entry.semantics)
  const ledger = { entries: [...kept, entry] }
  writeFileSync(file, `${JSON.stringify(ledger, null, 2)}\n`)
  return ledger
}
