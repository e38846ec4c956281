import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { present } from '../../../src/base/index.ts'
import { auditRecords } from '../../../src/resources/index.ts'
import { PATIENCE_MS } from '../../harness/patience.ts'
import { UnexpectedAnswer, KillClient, isThere, type Entry } from './kill-client.ts'
import { kinds, type Found } from './kill-documents.ts'
import type { Rounds } from '../run.ts'
import { inFolder, openStore } from '../../resources/stores.ts'

export interface KillOptions {
  readonly more: Rounds
  /** Number of writers; each always has one change in flight. */
  readonly writers: number
  /** Returns random numbers in [0, 1). */
  readonly random: () => number
  /** Number of cycles over one data folder. Then a new folder is used, so that checks stay short. */
  readonly cyclesPerFile?: number
  /** Called with the data folder before a server starts over it, for tests that damage the folder. */
  readonly beforeStart?: (path: string, cycle: number) => void
}

export interface KillReport {
  cycles: number
  acknowledged: number
  /** Number of changes that were in flight at a kill and are stored although they were never acknowledged. */
  unacknowledged: number
  /** Number of changes in flight at the kills. */
  inFlight: number
  /** Descriptions of lost, stale, torn, resurrected, duplicated and foreign documents, and of missing audit entries. */
  readonly faults: string[]
}

/** Every fourth document is left unchanged from step `REST_STEP` on, to check that later kills do not affect it. */
const REST_EVERY = 4
const REST_STEP = 3
/** Number of faults after which the loop ends. */
const MOST_FAULTS = 20

class KilledFile {
  readonly #path: string
  readonly #cache: string
  readonly #entries = new Map<string, Entry>()
  readonly #current: (Entry | undefined)[]
  readonly #options: KillOptions
  readonly #report: KillReport
  /** Names of documents that may have changed since the last complete check. */
  #touched = new Set<string>()
  #made = 0
  #changes = 0

  constructor(path: string, cache: string, options: KillOptions, report: KillReport) {
    this.#path = path
    this.#cache = cache
    this.#options = options
    this.#report = report
    this.#current = Array.from({ length: options.writers }, () => undefined)
  }

  async cycle(): Promise<void> {
    const { writers, random } = this.#options
    this.#options.beforeStart?.(this.#path, this.#report.cycles)
    const client = await KillClient.start(this.#path, this.#cache)
    await this.#check(client, this.#touched)
    this.#touched = new Set()
    const before = this.#report.acknowledged
    const working = Array.from({ length: writers }, (_, writer) => this.#write(client, writer))
    // Waits for acknowledgements, since a cycle with few of them checks little. A fixed time would not suffice on a
    // slow machine.
    const all = Promise.all(working)
    await Promise.race([all, this.#answersAfter(before, writers)])
    await sleep(random() * 400)
    const inFlight = await client.kill()
    await all
    this.#report.cycles++
    this.#report.inFlight += inFlight
  }

  /** Checks all documents, and the audit records in the data folder. */
  async finish(): Promise<void> {
    const client = await KillClient.start(this.#path, this.#cache)
    await this.#check(client, new Set(this.#entries.keys()))
    await client.kill()
    const store = await openStore(this.#path)
    const records = store.read('default', (view) => auditRecords(view))
    await store.close()
    const gap = records.findIndex(({ number }, i) => number !== i + 1)
    if (gap !== -1) this.#report.faults.push(`audit: a gap at ${gap + 1}`)
    if (records.length !== this.#changes)
      this.#report.faults.push(`audit: ${this.#changes} changes were made, ${records.length} are recorded`)
  }

  async #write(client: KillClient, writer: number): Promise<void> {
    const report = this.#report
    try {
      for (;;) {
        const entry = (this.#current[writer] ??= this.#next(writer))
        this.#touched.add(entry.name)
        if (!(await client.advance(entry))) return
        report.acknowledged++
        this.#changes++
        if (this.#isDone(entry)) this.#current[writer] = undefined
      }
    } catch (error) {
      if (!(error instanceof UnexpectedAnswer)) throw error
      report.faults.push(error.message)
    }
  }

  async #answersAfter(acknowledged: number, count: number): Promise<void> {
    for (let ms = 0; ms < PATIENCE_MS && this.#report.acknowledged < acknowledged + count; ms += 2) await sleep(2)
  }

  #next(writer: number): Entry {
    const name = `w${writer}-d${this.#made++}`
    const entry: Entry = { kind: present(kinds[writer % 3]), name, id: undefined, acknowledged: -1, isPending: false }
    this.#entries.set(name, entry)
    return entry
  }

  #isDone({ name, acknowledged }: Entry): boolean {
    const rests = Number(name.slice(name.indexOf('d') + 1)) % REST_EVERY === 0
    return rests ? acknowledged >= REST_STEP : acknowledged >= 0 && !isThere(acknowledged)
  }

  async #check(client: KillClient, isRead: ReadonlySet<string>): Promise<void> {
    const { faults } = this.#report
    const found = new Map<string, Found>()
    for (const [kind, records] of await client.findAll((name) => isRead.has(name) || !this.#entries.has(name))) {
      for (const record of records) {
        const { name } = record
        if (this.#entries.get(name)?.kind !== kind) faults.push(`foreign: ${kind} ${name} was never sent`)
        else if (found.has(name)) faults.push(`doubled: ${kind} ${name}`)
        found.set(name, record)
      }
    }
    for (const name of isRead) {
      const entry = this.#entries.get(name)
      if (entry !== undefined) this.#settle(entry, found.get(name))
    }
    this.#current.forEach((entry, writer) => {
      if (entry !== undefined && this.#isDone(entry)) this.#current[writer] = undefined
    })
  }

  /** Checks that a document is in its acknowledged state, or in the state of the change that was in flight. */
  #settle(entry: Entry, found: Found | undefined): void {
    const { kind, name, acknowledged, isPending } = entry
    const next = acknowledged + 1
    const isAsAcknowledged = isThere(acknowledged) ? found?.step === acknowledged : found === undefined
    const isAsNext = isPending && (isThere(next) ? found?.step === next : found === undefined)
    if (!isAsAcknowledged && isAsNext) {
      entry.acknowledged = next
      this.#report.unacknowledged++
      this.#changes++
    } else if (!isAsAcknowledged) {
      const what =
        found === undefined
          ? 'lost'
          : found.step === undefined
            ? 'torn'
            : acknowledged >= 0 && !isThere(acknowledged)
              ? 'resurrected'
              : found.step < acknowledged
                ? 'stale'
                : 'foreign'
      this.#report.faults.push(
        `${what}: ${kind} ${name}, step ${acknowledged} was acknowledged, ${found?.step ?? 'none'} found`,
      )
    }
    entry.isPending = false
    if (found !== undefined) entry.id = found.id
  }
}

/**
 * Kills a server again and again while many writers change monitors, silences and policies. Checks that the next server
 * over the same data folder returns everything that was acknowledged.
 */
export async function killLoop(options: KillOptions): Promise<KillReport> {
  const { more, cyclesPerFile = 25 } = options
  const report: KillReport = {
    cycles: 0,
    acknowledged: 0,
    unacknowledged: 0,
    inFlight: 0,
    faults: [],
  }
  await inFolder(async (folder) => {
    while (more(report.cycles) && report.faults.length < MOST_FAULTS) {
      const path = join(folder, `data-${report.cycles}`)
      const file = new KilledFile(path, join(folder, 'compiled'), options, report)
      const end = report.cycles + cyclesPerFile
      do await file.cycle()
      while (more(report.cycles) && report.cycles < end && report.faults.length < MOST_FAULTS)
      await file.finish()
    }
  })
  return report
}
