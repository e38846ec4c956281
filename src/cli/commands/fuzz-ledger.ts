import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Runs without a difference over the seeds `[fromSeed, fromSeed + cases)`. */
export interface LedgerEntry {
  readonly fromSeed: number
  readonly cases: number
  /** Fingerprint of the code whose meaning was tested. */
  readonly semantics: string
}

/** A change of the code after which recorded cases were kept: those that it can touch ran again, without a difference. */
export interface Carried {
  /** Fingerprints before and after. */
  readonly from: string
  readonly to: string
  readonly cases: number
  readonly rerun: number
  /** What the change is, and so which cases it can touch: those whose query matches the pattern. */
  readonly change: string
  readonly only: string
}

export interface Ledger {
  readonly entries: readonly LedgerEntry[]
  readonly carried?: readonly Carried[]
}

const ROOMS = ['data', 'optimize', 'backends']
const LOCK_WAIT_MS = 20
/** Adding takes milliseconds; a lock that is older was left behind. */
const LOCK_STALE_MS = 10_000

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? filesUnder(join(folder, entry.name)) : [join(folder, entry.name)]))
    .filter((file) => file.endsWith('.ts') && !file.includes('/series/'))
    .sort()
}

/** Changes when anything under `data`, `optimize` or `backends` does; then old runs no longer count. */
export function semanticsFingerprint(sourceFolder: string): string {
  const hash = createHash('sha256')
  const prefixLength = join(sourceFolder, '/').length
  for (const room of ROOMS) {
    for (const file of filesUnder(join(sourceFolder, room)))
      hash.update(file.slice(prefixLength)).update(readFileSync(file))
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

/** Entries in order of their seeds, those of the same code that touch or overlap as one. */
function merged(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const sorted = entries.toSorted((a, b) =>
    a.semantics === b.semantics ? a.fromSeed - b.fromSeed : a.semantics < b.semantics ? -1 : 1,
  )
  const joined: LedgerEntry[] = []
  for (const entry of sorted) {
    const last = joined.at(-1)
    if (last === undefined || last.semantics !== entry.semantics || entry.fromSeed > last.fromSeed + last.cases) {
      joined.push(entry)
      continue
    }
    const end = Math.max(last.fromSeed + last.cases, entry.fromSeed + entry.cases)
    joined[joined.length - 1] = { ...last, cases: end - last.fromSeed }
  }
  return joined
}

/** Cases of distinct seeds that the present code has passed. */
export function ledgerTotal(ledger: Ledger, semantics: string): number {
  return merged(ledger.entries.filter((entry) => entry.semantics === semantics)).reduce(
    (sum, { cases }) => sum + cases,
    0,
  )
}

/** The first of the seeds from `seed` on that the present code has not passed. */
export function firstUntested(ledger: Ledger, semantics: string, seed: number): number {
  const around = merged(ledger.entries).find(
    (entry) => entry.semantics === semantics && entry.fromSeed <= seed && seed < entry.fromSeed + entry.cases,
  )
  return around === undefined ? seed : around.fromSeed + around.cases
}

/** The seed before which an untested stretch that begins at `seed` ends, `end` at most. */
export function endOfUntested(ledger: Ledger, semantics: string, seed: number, end: number): number {
  const starts = ledger.entries
    .filter((entry) => entry.semantics === semantics && entry.fromSeed > seed)
    .map(({ fromSeed }) => fromSeed)
  return Math.min(end, ...starts)
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** Runs `change` while no other process changes the file: a folder is made by one process only. */
export function locked<T>(file: string, change: () => T): T {
  const lock = `${file}.lock`
  mkdirSync(dirname(file), { recursive: true })
  for (;;) {
    try {
      mkdirSync(lock)
      break
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      const madeMs = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
      if (madeMs !== undefined && Date.now() - madeMs > LOCK_STALE_MS) rmSync(lock, { recursive: true, force: true })
      else pause(LOCK_WAIT_MS)
    }
  }
  try {
    return change()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

/** Adds a run; runs of other code are dropped. Several processes may add to one file. */
export function addToLedger(file: string, entry: LedgerEntry): Ledger {
  return locked(file, () => {
    const { entries, carried } = readLedger(file)
    const kept = entries.filter((old) => old.semantics === entry.semantics)
    const isOld = kept.length < entries.length && kept.length === 0
    const ledger: Ledger = {
      entries: merged([...kept, entry]),
      ...(carried === undefined || isOld ? {} : { carried }),
    }
    write(file, ledger)
    return ledger
  })
}

function write(file: string, ledger: Ledger): void {
  const written = `${file}.${process.pid}`
  writeFileSync(written, `${JSON.stringify(ledger, null, 2)}\n`)
  renameSync(written, file)
}

/** Lets the runs of other code speak of this code too: the change between the two is told, and what it can touch has run. */
export function carryLedger(file: string, change: Omit<Carried, 'cases'>): Ledger {
  return locked(file, () => {
    const { entries, carried = [] } = readLedger(file)
    const old = entries.filter(({ semantics }) => semantics === change.from)
    const cases = ledgerTotal({ entries: old }, change.from)
    const kept = entries.filter(({ semantics }) => semantics === change.to)
    const ledger: Ledger = {
      entries: merged([...kept, ...old.map((entry) => ({ ...entry, semantics: change.to }))]),
      carried: [...carried, { ...change, cases }],
    }
    write(file, ledger)
    return ledger
  })
}
