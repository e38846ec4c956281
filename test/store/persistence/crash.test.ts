// @module-tag slow
import { expect, test } from 'vitest'
import { decodeBatch, folderIdOf, readLog } from '../../../src/store/durable/index.ts'
import { CrashFiles } from '../durable/crash-files.ts'
import { linesOfCall, placesOfSyncs } from '../durable/sync-places.ts'
import { openPersister, valuesOf, type OpenPersister } from './open-persister.ts'

const ROOT = '/disk'
const FOLDER = '/disk/data'
/** Size in bytes at which the manifest is rewritten, small so that this happens often. */
const ANEW_BYTES = 2000
const BATCHES = 7
const open = (files: CrashFiles): Promise<OpenPersister> => openPersister(files, FOLDER, ANEW_BYTES)

interface Sent {
  readonly who: string
  /** The content as JSON. */
  readonly content: string
}

/** Progress of the deletion of a user's rows. */
type Deleting = 'begun' | 'done'

interface Left {
  readonly files: CrashFiles
  readonly promised: number
  readonly issued: number
  readonly deleted: ReadonlyMap<string, Deleting>
  readonly step: number
}

/**
 * Ingests batches while segments are written, rows are deleted, and batches are removed from the log. After every step
 * it checks each state that a power loss could leave.
 */
class Scenario {
  readonly syncs: string[] = []
  readonly #left: Left[] = []
  readonly files: CrashFiles
  /** Number of states in which a deletion was interrupted. */
  interrupted = 0
  #issued = 0
  #promised = 0
  readonly #sent: Sent[] = []
  #deleted: ReadonlyMap<string, Deleting> = new Map()

  constructor(leftOut?: number) {
    this.files = new CrashFiles(
      {
        onStep: (files) => this.#look(files),
        onSync: (name) => this.syncs.push(placeOf(name)) - 1 !== leftOut,
      },
      new Map(),
      [ROOT],
    )
  }

  #look(files: CrashFiles): void {
    const step = this.syncs.length
    const state = { promised: this.#promised, issued: this.#issued, deleted: this.#deleted, step }
    for (const left of files.crashes()) this.#left.push({ files: left, ...state })
  }

  async live(): Promise<void> {
    let server = await open(this.files)
    server.persister.readBack()
    for (let batch = 0; batch < BATCHES; batch++) {
      const lines = Array.from({ length: 3 }, (_, row) => {
        const who = `user ${batch}${row === 2 ? ' too' : ''}`
        const content = `batch ${batch} row ${row}`
        this.#sent.push({ who, content: JSON.stringify(content) })
        return JSON.stringify({ _time: `${row === 1 ? '2024' : '2026'}-01-01T00:00:00Z`, content, who })
      })
      this.#issued = this.#sent.length
      await server.send(lines.join('\n'))
      this.#promised = this.#sent.length
      // At the second deletion, some rows are not in a segment yet.
      if (batch !== 4) await server.persister.settled()
      if (batch === 1) await this.#delete(server, 'user 0', 2)
      if (batch === 4) await this.#delete(server, 'user 4', 2)
      if (batch !== 2) continue
      await server.persister.close()
      server = await open(this.files)
      server.persister.readBack()
      await server.persister.settled()
    }
    expect(server.failures).toEqual([])
    // Merged and rewritten parts have been replaced, so the manifest lists fewer files than were created.
    expect(server.parts().length).toBeGreaterThan(0)
    expect(server.manifest.state.nextFile - 1).toBeGreaterThan(server.parts().length + 3)
    expect(server.batches.extent.startId).toBeGreaterThan(1)
  }

  async #delete(server: OpenPersister, who: string, rows: number): Promise<void> {
    this.#deleted = new Map([...this.#deleted, [who, 'begun']])
    expect(await server.delete(`who:="${who}"`)).toBe(rows)
    this.#deleted = new Map([...this.#deleted, [who, 'done']])
  }

  get states(): number {
    return this.#left.length
  }

  async faults(limit: number): Promise<readonly string[]> {
    const faults: string[] = []
    for (const left of this.#left) {
      if (faults.length >= limit) break
      const fault = await this.#faultOf(left)
      if (fault !== undefined) faults.push(`after ${left.step} syncs: ${fault}`)
    }
    return faults
  }

  async #faultOf({ files, promised, issued, deleted }: Left): Promise<string | undefined> {
    try {
      const server = await open(files)
      const found = new Set(await valuesOf(server.tenant, 'content'))
      const { rows } = server.tenant.store.table('logs').view.usage()
      if (server.failures.length > 0) return `it is mended: ${String(server.failures[0])}`
      if (found.size !== rows) return `${rows} rows, of which some are there twice`
      let known = 0
      for (const [i, { who, content }] of this.#sent.entries()) {
        const isFound = found.has(content)
        if (isFound) known++
        if (deleted.get(who) === 'done' && isFound) return `${content} has come back`
        if (i < promised && !deleted.has(who) && !isFound) return `${content} of ${promised} promised rows is lost`
        if (i >= issued && isFound) return `${content} is there, which was not sent yet`
      }
      if (known !== found.size) return 'other rows than were sent'
      for (const row of await server.tenant.engine.query('* | fields content, who').toArray()) {
        const { content = '', who = '' } = row
        const sent = this.#sent.find((each) => each.content === JSON.stringify(content))
        if (sent?.who !== who) return `${JSON.stringify(row)} was sent with ${String(sent?.who)}`
      }
      return this.#remainsOf(files, server, deleted) ?? (await this.#afterStart(server, deleted))
    } catch (error) {
      return `it does not open: ${String(error)}`
    }
  }

  /** Checks that the next start removes what an interrupted deletion left over. Returns the fault, if there is one. */
  async #afterStart(server: OpenPersister, deleted: ReadonlyMap<string, Deleting>): Promise<string | undefined> {
    const hasRemains = (): boolean => [...server.manifest.state.tables.values()].some((table) => table.hasRemains)
    if (!hasRemains()) return undefined
    this.interrupted++
    server.persister.readBack()
    await server.persister.settled()
    if (hasRemains()) return 'what an interrupted deletion has left stays'
    const left = new Set(await valuesOf(server.tenant, 'who'))
    for (const who of deleted.keys())
      if (
        !left.has(JSON.stringify(who)) &&
        server.tenant.store.table('logs').fields.dictionary('who').entries.codeOf(who) !== 0
      )
        return `${who} stays in the dictionary`
    return undefined
  }

  /** Describes remains of rows whose deletion was acknowledged; `undefined` if there are none. */
  #remainsOf(files: CrashFiles, server: OpenPersister, deleted: ReadonlyMap<string, Deleting>): string | undefined {
    for (const [who, state] of deleted) {
      if (state !== 'done') continue
      if (server.tenant.store.table('logs').fields.dictionary('who').entries.codeOf(who) !== 0)
        return `${who} is in the dictionary`
      for (const record of readLog(files, FOLDER, 'batches', folderIdOf(files, FOLDER)))
        if (Buffer.from(decodeBatch(record).payload).includes(`"${who}"`)) return `${who} is in the log`
    }
    return undefined
  }
}

/** Returns the kind of a file and the source line that syncs it. */
function placeOf(name: string): string {
  const [line] = linesOfCall('src/store/persistence')
  return line === undefined ? '' : `${name.replace(/-\d+/, '')} ${line}`
}

test('whatever a loss of power leaves while segments are written gives every row once', async () => {
  const scenario = new Scenario()
  await scenario.live()
  expect(await scenario.faults(5)).toEqual([])
  expect(scenario.states).toBeGreaterThan(300)
  expect(scenario.interrupted).toBeGreaterThan(20)
})

test('each sync of a segment, its dictionaries and their names is needed', async () => {
  const { places, needed } = await placesOfSyncs([
    async (leftOut) => {
      const scenario = new Scenario(leftOut)
      await scenario.live()
      return { syncs: scenario.syncs, hasFault: async () => (await scenario.faults(1)).length > 0 }
    },
  ])
  expect([...places].filter((place) => !needed.has(place))).toEqual([])
  expect(places.size).toBeGreaterThan(2)
})
