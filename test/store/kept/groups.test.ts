// @module-tag slow
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SluiceError, present } from '../../../src/base/index.ts'
import { groupOf } from '../../../src/store/index.ts'
import type { GroupEntry } from '../../../src/store/durable/index.ts'
import { takeSnapshot } from '../../../src/store/kept/index.ts'
import { CrashFiles } from '../durable/crash-files.ts'
import { ALWAYS, openKept, type OpenKept } from './open-kept.ts'

const FOLDER = '/disk/data'
const PLACE = join(FOLDER, 'segments/default')
const SIZES = { leastRows: 1, segments: 2, groups: 2, firstAfterMs: 0, hashBytes: 1 << 20, restMs: Infinity }

const open = (files: CrashFiles, folder = FOLDER, sizes = SIZES): Promise<OpenKept> =>
  openKept(files, folder, undefined, sizes)

function groups({ manifest }: OpenKept): readonly GroupEntry[] {
  return [...manifest.state.tables.values()].find(({ table }) => table === 'logs')?.groups ?? []
}

/** Segments of a year each, so that none of them are merged; one row has the word `needle2` and the id `id 2` of its number. */
async function send(server: OpenKept, from: number, to: number): Promise<void> {
  for (let i = from; i < to; i++) {
    const row = { _time: `${2000 + i}-01-01T00:00:00Z`, content: `all needle${i}`, id: `ID ${i}` }
    await server.send(JSON.stringify(row))
    await server.kept.settled()
  }
}

/** Of how many segments the groups are, the largest first. */
function sizesOf(server: OpenKept): readonly number[] {
  return groups(server)
    .map(({ segments }) => segments.length)
    .toSorted((a, b) => b - a)
}

/** Resolves when the manifest has groups of so many segments each. */
async function grouped(server: OpenKept, sizes: readonly number[]): Promise<void> {
  const keptAgain = async (): Promise<readonly number[]> => {
    server.kept.keep()
    await server.kept.settled()
    return sizesOf(server)
  }
  // Filters are made in a share of the time: one that the machine held up has the next wait long.
  if (JSON.stringify(sizesOf(server)) !== JSON.stringify(sizes))
    await expect.poll(keptAgain, { interval: 10 }).toEqual(sizes)
}

async function contents({ tenant }: OpenKept, query: string): Promise<readonly unknown[]> {
  const rows = await tenant.engine.query(query, { range: ALWAYS, table: 'logs' }).toArray()
  return rows.map(({ content }) => content)
}

async function serving(files = new CrashFiles({}, new Map(), ['/disk']), sizes = SIZES): Promise<OpenKept> {
  const server = await open(files, FOLDER, sizes)
  server.kept.readBack()
  return server
}

async function answersAll(server: OpenKept, segments: number): Promise<void> {
  for (let i = 0; i < segments; i++) {
    expect(await contents(server, `needle${i}`)).toEqual([`all needle${i}`])
    expect(await contents(server, `id:="ID ${i}"`)).toEqual([`all needle${i}`])
    expect(await contents(server, `id:="ID ${i}" or needle0`)).toHaveLength(i === 0 ? 1 : 2)
  }
  expect(await contents(server, 'absent')).toEqual([])
  expect(await contents(server, 'all')).toHaveLength(segments)
  expect(await contents(server, `!needle0`)).toHaveLength(segments - 1)
}

function damage(files: CrashFiles, name: string): void {
  const bytes = present(files.content(join(PLACE, name)))
  files.open(join(PLACE, name)).write(Buffer.alloc(bytes.length, 0x55), 0)
}

test('segments get one filter for several, groups a larger one, and what is absent is never looked for in a segment', async () => {
  const files = new CrashFiles({}, new Map(), ['/disk'])
  let server = await serving(files)
  await send(server, 0, 5)
  await grouped(server, [4])
  await answersAll(server, 5)
  await server.kept.close()

  server = await serving(files)
  const [group] = groups(server)
  for (const { name } of server.segments()) if (name !== group?.segments[2]) damage(files, name)
  const inGroup = server.tenant.store
    .table('logs')
    .sealedSegments()
    .filter((segment) => groupOf(segment))
  expect(inGroup).toHaveLength(4)
  const found = await server.tenant.engine
    .query('needle2', { range: { startNs: 0n, endNs: 1_050_000_000_000_000_000n }, table: 'logs' })
    .toArray()
  expect(found).toMatchObject([{ content: 'all needle2' }])
  const byId = await server.tenant.engine
    .query('id:="ID 2"', { range: { startNs: 0n, endNs: 1_050_000_000_000_000_000n }, table: 'logs' })
    .toArray()
  expect(byId).toMatchObject([{ content: 'all needle2' }])
  expect(server.failures).toEqual([])
  await server.kept.close()
})

test('a filter that is damaged or missing is told of once, costs no answer, and is made again', async () => {
  for (const harm of ['damaged', 'missing', 'shorter', 'another'] as const) {
    const files = new CrashFiles({}, new Map(), ['/disk'])
    let server = await serving(files)
    await send(server, 0, 7)
    await grouped(server, [4, 2])
    const [first, other] = groups(server)
      .toSorted((a, b) => b.segments.length - a.segments.length)
      .map(({ name }) => name)
    await server.kept.close()
    const path = join(PLACE, present(first))
    if (harm === 'damaged') damage(files, present(first))
    else if (harm === 'missing') files.remove(path)
    else if (harm === 'shorter') files.open(path).truncate(100)
    else {
      files.remove(path)
      files.link(join(PLACE, present(other)), path)
    }
    server = await serving(files)
    await server.kept.settled()
    await answersAll(server, 7)
    await server.kept.settled()
    expect(server.failures).toHaveLength(1)
    const [failure] = server.failures
    expect(failure instanceof SluiceError && failure.code).toBe('durable/damaged')
    expect(String(failure)).toContain(first)
    await grouped(server, [4, 2])
    expect(groups(server).map(({ name }) => name)).not.toContain(first)
    await answersAll(server, 7)
    expect(server.failures).toHaveLength(1)
    await server.kept.close()
    // What was replaced has left.
    const left = files.list(PLACE).filter((name) => name.endsWith('.filter'))
    expect(left.toSorted()).toEqual(
      groups(server)
        .map(({ name }) => name)
        .toSorted(),
    )
  }
})

test('filters are made at once, whatever the pace, before hashes are too many to hold', async () => {
  const hour = 3_600_000
  const patient = await serving(undefined, { ...SIZES, firstAfterMs: hour })
  await send(patient, 0, 6)
  expect(sizesOf(patient)).toEqual([])
  await patient.kept.close()

  // Each segment has three or four hashes of four bytes: those of two are more than half of this.
  const files = new CrashFiles({}, new Map(), ['/disk'])
  const sizes = { ...SIZES, groups: 9, firstAfterMs: hour, hashBytes: 40 }
  let server = await serving(files, sizes)
  await send(server, 0, 6)
  expect(sizesOf(server)).toEqual([2, 2, 2])
  await answersAll(server, 6)
  await server.kept.close()

  // What is there without a filter waits; what comes does not wait for it.
  const late = new CrashFiles({}, new Map(), ['/disk'])
  server = await serving(late, { ...SIZES, firstAfterMs: hour, hashBytes: 1 })
  await send(server, 0, 2)
  await server.kept.close()
  const before = groups(server)
  expect(before).toEqual([])
  server = await serving(late, sizes)
  const old = new Set(server.segments().map(({ name }) => name))
  expect(old.size).toBe(2)
  await send(server, 2, 4)
  expect(groups(server).map(({ segments }) => segments.filter((name) => old.has(name)))).toEqual([[]])
  await answersAll(server, 4)
  await server.kept.close()
})

test('segments that are left over get a filter at rest, together with those of a smaller group', async () => {
  const files = new CrashFiles({}, new Map(), ['/disk'])
  const server = await serving(files, { ...SIZES, segments: 4, groups: 9, restMs: 0 })
  for (let rows = 0; rows < 7; rows++) {
    await send(server, rows, rows + 1)
    const segments = server.segments().length
    const rest = segments % 4 > 1 ? [segments % 4] : []
    await grouped(server, [...Array.from({ length: Math.floor(segments / 4) }, () => 4), ...rest])
  }
  expect(server.segments().length).toBeGreaterThan(5)
  await answersAll(server, 7)
  await server.kept.close()
  expect(files.list(PLACE).filter((name) => name.endsWith('.filter'))).toHaveLength(groups(server).length)

  const busy = await serving(undefined, { ...SIZES, segments: 4, restMs: 3_600_000 })
  await send(busy, 0, 3)
  busy.kept.keep()
  await busy.kept.settled()
  expect(sizesOf(busy)).toEqual([])
  await busy.kept.close()
})

test('segments that are left over get a filter when the folder is closed, where their hashes are held', async () => {
  const sizes = { ...SIZES, segments: 4, firstAfterMs: 3_600_000 }
  const files = new CrashFiles({}, new Map(), ['/disk'])
  let server = await serving(files, { ...sizes, hashBytes: 1 })
  await send(server, 0, 3)
  await server.kept.close()
  expect(sizesOf(server)).toEqual([])

  const before = server.segments().length
  server = await serving(files, sizes)
  await send(server, 3, 5)
  await server.kept.close()
  expect(sizesOf(server)).toEqual([server.segments().length - before])

  const opened = await open(files)
  await answersAll(opened, 5)
  expect(opened.failures).toEqual([])
  await opened.kept.close()
})

test('a filter in the making is given up where one of its segments is written anew', async () => {
  for (const turns of [0, 1, 2, 3, 5, 8]) {
    const files = new CrashFiles({}, new Map(), ['/disk'])
    const server = await serving(files)
    for (let i = 0; i < 4; i++)
      await server.send(
        JSON.stringify({ _time: `${2000 + i}-01-01T00:00:00Z`, content: `all needle${i}`, id: `ID ${i}` }),
      )
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(await server.delete('id:="ID 1"')).toBe(1)
    const named = new Set(server.segments().map(({ name }) => name))
    for (const { segments } of groups(server)) for (const name of segments) expect(named).toContain(name)
    await grouped(server, server.segments().length >= 4 ? [4] : [2])
    expect(await contents(server, 'needle1')).toEqual([])
    expect(await contents(server, 'needle2')).toEqual(['all needle2'])
    expect(server.failures).toEqual([])
    await server.kept.close()
    const left = files.list(PLACE).filter((name) => name.endsWith('.filter'))
    expect(left).toHaveLength(groups(server).length)
  }
})

test('nothing of a deleted row stays in a filter', async () => {
  const files = new CrashFiles({}, new Map(), ['/disk'])
  const server = await serving(files)
  await send(server, 0, 4)
  await grouped(server, [4])
  const [before] = groups(server)
  expect(await server.delete('id:="ID 1"')).toBe(1)
  expect(groups(server).map(({ name }) => name)).not.toContain(before?.name)
  expect(await contents(server, 'needle1')).toEqual([])
  expect(await contents(server, 'needle2')).toEqual(['all needle2'])
  await server.kept.close()
  expect(files.exists(join(PLACE, present(before?.name)))).toBe(false)
})

test('a snapshot has the filters', async () => {
  const files = new CrashFiles({}, new Map(), ['/disk'])
  const server = await serving(files)
  await send(server, 0, 4)
  await grouped(server, [4])
  await takeSnapshot(files, FOLDER, '/disk/copy')
  const copy = await open(files, '/disk/copy')
  expect(groups(copy)).toEqual(groups(server))
  await answersAll(copy, 4)
  expect(copy.failures).toEqual([])
  await copy.kept.close()
  await server.kept.close()
})

test('whatever a loss of power leaves while filters are made gives every answer', async () => {
  const left: CrashFiles[] = []
  let isWatched = false
  const files = new CrashFiles(
    {
      onStep: (now) => {
        if (isWatched) left.push(...now.crashes())
      },
    },
    new Map(),
    ['/disk'],
  )
  const server = await serving(files)
  await send(server, 0, 3)
  isWatched = true
  await send(server, 3, 4)
  await grouped(server, [4])
  isWatched = false
  await server.kept.close()
  expect(left.length).toBeGreaterThan(50)
  const sizes = new Set<string>()
  for (const files of left) {
    const opened = await open(files)
    sizes.add(JSON.stringify(sizesOf(opened)))
    for (const i of [0, 1, 2]) expect(await contents(opened, `needle${i}`)).toEqual([`all needle${i}`])
    expect(opened.failures).toEqual([])
  }
  expect([...sizes].toSorted()).toEqual(['[2,2]', '[2]', '[4]'])
})
