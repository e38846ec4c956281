// @module-tag slow
import { expect, test } from 'vitest'
import { createIngestService, replayBatches } from '../../../src/server/index.ts'
import { keptTables } from '../../../src/server/kept-tables.ts'
import { newTenant, type Tenant } from '../../../src/server/tenant.ts'
import { BatchLogs, Manifest, openLogs } from '../../../src/store/durable/index.ts'
import { CrashFiles } from '../durable/crash-files.ts'

const ROOT = '/disk'
const FOLDER = '/disk/data'
const NOW_NS = 1_767_225_600_000_000_000n
const ALWAYS = { startNs: -(2n ** 63n), endNs: 2n ** 63n - 1n }
const nowNs = (): bigint => NOW_NS

async function openOn(files: CrashFiles) {
  const { logs } = openLogs(files, FOLDER)
  const manifest = new Manifest(logs.manifest, 2000)
  const batches = new BatchLogs(logs, manifest.state.retiredTo)
  const tenant = newTenant({ nowMs: () => 0, nowNs })
  const failures: unknown[] = []
  const kept = keptTables({
    files,
    folder: FOLDER,
    manifest,
    batches,
    targets: new Map([['default', tenant]]),
    cacheBytes: 1 << 20,
    retention: undefined,
    logBytes: 300,
    keeps: true,
    nowNs,
    onChange: () => undefined,
    onFailure: (error) => failures.push(error),
  })
  await replayBatches(batches, () => tenant, kept)
  return { tenant, kept, batches, manifest, failures }
}

/** The rows of each table in the order in which they were taken in. */
async function rowsOf(tenant: Tenant, table: string): Promise<readonly string[]> {
  const rows = await tenant.engine.query('* | fields content, n', { range: ALWAYS, table }).toArray()
  for (const { content, n } of rows) expect(JSON.stringify(content)).toContain(` row ${JSON.stringify(n)}"`)
  return rows.map((row) => JSON.stringify(row['content'])).toSorted()
}

interface Left {
  readonly files: CrashFiles
  readonly promised: number
  readonly issued: number
  readonly step: number
}

/** Takes batches in while segments are written and batches leave, and looks at what a loss of power leaves at every step. */
class Scenario {
  readonly syncs: string[] = []
  readonly #left: Left[] = []
  readonly files: CrashFiles
  #issued = 0
  #promised = 0
  #texts: string[] = []

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
    for (const left of files.crashes())
      this.#left.push({ files: left, promised: this.#promised, issued: this.#issued, step })
  }

  async live(): Promise<void> {
    let server = await openOn(this.files)
    server.kept.readBack()
    for (let batch = 0; batch < 7; batch++) {
      const service = createIngestService({
        targetOf: () => server.tenant,
        log: server.batches,
        watch: server.kept,
        nowNs,
      })
      const text = Array.from({ length: 3 }, (_, row) => {
        this.#texts.push(`batch ${batch} row ${row}`)
        return `{"_time":"${row === 1 ? '2024' : '2026'}-01-01T00:00:00Z","content":"batch ${batch} row ${row}","n":${row}}`
      }).join('\n')
      this.#issued = this.#texts.length
      const body = { chunks: [Buffer.from(text)], encoding: 'identity' }
      await service.ingest({ backend: undefined, table: 'logs', format: 'ndjson', body })
      this.#promised = this.#texts.length
      await server.kept.settled()
      if (batch !== 2) continue
      await server.kept.close()
      server = await openOn(this.files)
      server.kept.readBack()
      await server.kept.settled()
    }
    expect(server.failures).toEqual([])
    const { segments } = [...server.manifest.state.tables.values()].find(({ table }) => table === 'logs')!
    // Some were merged: their files are named no longer.
    expect(segments.length).toBeGreaterThan(0)
    expect(server.manifest.state.nextFile - 1).toBeGreaterThan(segments.length + 3)
    expect(server.batches.extent.startId).toBeGreaterThan(1)
  }

  get states(): number {
    return this.#left.length
  }

  async faults(limit: number): Promise<readonly string[]> {
    const faults: string[] = []
    for (const { files, promised, issued, step } of this.#left) {
      if (faults.length >= limit) break
      const fault = await this.#faultOf(files, promised, issued)
      if (fault !== undefined) faults.push(`after ${step} syncs: ${fault}`)
    }
    return faults
  }

  async #faultOf(files: CrashFiles, promised: number, issued: number): Promise<string | undefined> {
    try {
      const { tenant, failures } = await openOn(files)
      const found = await rowsOf(tenant, 'logs')
      if (failures.length > 0) return `it is mended: ${String(failures[0])}`
      if (new Set(found).size !== found.length) return `${found.length} rows, of which some are there twice`
      if (found.length < promised) return `${found.length} of ${promised} rows are left`
      if (found.length > issued) return `${found.length} rows of ${issued}`
      const expected = this.#texts
        .slice(0, found.length)
        .map((text) => JSON.stringify(text))
        .toSorted()
      return expected.every((text, i) => text === found[i]) ? undefined : 'other rows than were sent'
    } catch (error) {
      return `it does not open: ${String(error)}`
    }
  }
}

/** Which line of the code syncs which kind of file. */
function placeOf(name: string): string {
  const frames = (new Error().stack ?? '').split('\n').filter((line) => line.includes('src/store/kept'))
  const line = /\w[\w-]*\.ts:\d+/.exec(frames[0] ?? '')?.[0]
  return line === undefined ? '' : `${name.replace(/-\d+/, '')} ${line}`
}

test('whatever a loss of power leaves while segments are written gives every row once', async () => {
  const scenario = new Scenario()
  await scenario.live()
  expect(await scenario.faults(5)).toEqual([])
  expect(scenario.states).toBeGreaterThan(300)
})

test('each sync of a segment, its dictionaries and their names is needed', async () => {
  const whole = new Scenario()
  await whole.live()
  const places = new Set(whole.syncs.filter((place) => place !== ''))
  const needed = new Set<string>()
  for (const [leftOut, place] of whole.syncs.entries()) {
    if (place === '' || needed.has(place)) continue
    const scenario = new Scenario(leftOut)
    await scenario.live()
    if ((await scenario.faults(1)).length > 0) needed.add(place)
  }
  expect([...places].filter((place) => !needed.has(place))).toEqual([])
  expect(places.size).toBeGreaterThan(2)
})
