// @module-tag slow
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCooperatively, present } from '../../../src/base/index.ts'
import { liveRowGroups, type PartEntry } from '../../../src/store/durable/index.ts'
import { setPartsAside, surveyFiles, takeSnapshot, type MergeSizes } from '../../../src/store/persistence/index.ts'
import { PART_VERSION, TAIL_BYTES, decodeTail, encodeTail } from '../../../src/store/segments/layout.ts'
import { CrashFiles, WatchedFiles } from '../durable/crash-files.ts'
import { ALWAYS, openPersister, type OpenPersister } from './open-persister.ts'

const FOLDER = '/disk/data'
const PLACE = join(FOLDER, 'segments/default')
const SIZES: MergeSizes = { leastRows: 1, smallPart: 2, fullPart: 4, firstAfterMs: 0, restMs: Infinity }

const newFiles = (): CrashFiles => new CrashFiles({}, new Map(), ['/disk'])
const open = (files: CrashFiles, folder = FOLDER, sizes = SIZES): Promise<OpenPersister> =>
  openPersister(files, folder, undefined, sizes)

async function serving(files = newFiles(), sizes = SIZES): Promise<OpenPersister> {
  const server = await open(files, FOLDER, sizes)
  server.persister.readBack()
  return server
}

async function close(server: OpenPersister): Promise<void> {
  await server.persister.close()
  await Promise.all([server.batches.close(), server.manifest.close()])
}

/**
 * Sends rows that are a year apart, so that each becomes a row group. The row of year 2002 has the word `needle2` and
 * the id `ID 2`.
 */
async function send(server: OpenPersister, from: number, to: number): Promise<void> {
  for (let i = from; i < to; i++) {
    const row = { _time: `${2000 + i}-01-01T00:00:00Z`, content: `all needle${i}`, id: `ID ${i}` }
    await server.send(JSON.stringify(row))
    await server.persister.settled()
  }
}

/** Returns the number of live row groups of each part, largest first. */
function sizesOf(server: OpenPersister): readonly number[] {
  return server
    .parts()
    .map((part) => liveRowGroups(part).length)
    .toSorted((a, b) => b - a)
}

/** Returns the sizes of the parts after all merges, for the current number of row groups. */
function levelsOf(server: OpenPersister): readonly number[] {
  const count = sizesOf(server).reduce((sum, size) => sum + size, 0)
  const full = Array.from({ length: Math.floor(count / 4) }, () => 4)
  return [...full, ...(count % 4 === 3 ? [2, 1] : count % 4 === 0 ? [] : [count % 4])]
}

/** Resolves when the parts have these numbers of row groups. */
async function merged(server: OpenPersister, sizes: readonly number[]): Promise<void> {
  const keptAgain = async (): Promise<readonly number[]> => {
    server.persister.scheduleFlush()
    await server.persister.settled()
    return sizesOf(server)
  }
  // Merges are limited to a share of the time, so the next merge starts late after a slow one.
  if (JSON.stringify(sizesOf(server)) !== JSON.stringify(sizes))
    await expect.poll(keptAgain, { interval: 10 }).toEqual(sizes)
}

async function contents({ tenant }: OpenPersister, query: string): Promise<readonly unknown[]> {
  const rows = await tenant.engine.query(query, { range: ALWAYS, table: 'logs' }).toArray()
  return rows.map(({ content }) => content)
}

async function answersAll(server: OpenPersister, numbers: readonly number[]): Promise<void> {
  for (const i of numbers) {
    expect(await contents(server, `needle${i}`)).toEqual([`all needle${i}`])
    expect(await contents(server, `id:="ID ${i}"`)).toEqual([`all needle${i}`])
  }
  expect(await contents(server, 'absent')).toEqual([])
  expect(await contents(server, 'all')).toHaveLength(numbers.length)
  expect(await contents(server, '!absent')).toHaveLength(numbers.length)
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)

function partFiles(files: CrashFiles): readonly string[] {
  return files.list(PLACE).filter((name) => name.endsWith('.part'))
}

test('parts are merged in levels, and a row group without the value is never read', async () => {
  const files = newFiles()
  let server = await serving(files)
  await send(server, 0, 9)
  await merged(server, levelsOf(server))
  expect(sizesOf(server)[0]).toBe(4)
  await answersAll(server, upTo(9))
  await close(server)
  expect(partFiles(files)).toHaveLength(server.parts().length)

  server = await serving(files)
  const segments = server.tenant.store.table('logs').segments.all
  const part = present(server.parts().find(({ rowGroups: own }) => own.length === 4))
  const holder = segments.find((segment) => present(segment.group).group.withWord(Buffer.from('needle2'))?.[0] !== 0)
  const wanted = present(present(holder).group).group.withWord(Buffer.from('needle2'))
  for (const [number, { at, bytes }] of part.rowGroups.entries())
    if (((wanted?.[0] ?? 0) & (1 << number)) === 0)
      files.open(join(PLACE, part.name)).write(Buffer.alloc(bytes, 0x55), at)
  const range = { startNs: 0n, endNs: 1_070_000_000_000_000_000n }
  for (const query of ['needle2', 'id:="ID 2"'])
    expect(await server.tenant.engine.query(query, { range, table: 'logs' }).toArray()).toMatchObject([
      { content: 'all needle2' },
    ])
  await close(server)
})

test('small parts are merged at rest, however few they are', async () => {
  const server = await serving(undefined, { ...SIZES, smallPart: 64, fullPart: 64, restMs: 0 })
  await send(server, 0, 3)
  await merged(server, [sizesOf(server).reduce((sum, size) => sum + size, 0)])
  await answersAll(server, upTo(3))
  await close(server)

  const busy = await serving(undefined, { ...SIZES, smallPart: 64, fullPart: 64, restMs: 3_600_000 })
  await send(busy, 0, 3)
  expect(sizesOf(busy).every((size) => size === 1)).toBe(true)
  await close(busy)
})

test('a deletion copies the other row groups, and nothing of a deleted row stays in a file', async () => {
  const files = newFiles()
  const server = await serving(files)
  await send(server, 0, 5)
  await merged(server, levelsOf(server))
  const before = new Set(partFiles(files))
  expect(await server.delete('id:="ID 1"')).toBe(1)
  await server.persister.settled()
  await answersAll(server, [0, 2, 3, 4])
  await close(server)
  for (const name of partFiles(files)) {
    const bytes = present(files.content(join(PLACE, name)))
    if (!before.has(name)) expect(bytes.includes('needle1')).toBe(false)
  }
  const opened = await open(files)
  await answersAll(opened, [0, 2, 3, 4])
  expect(opened.failures).toEqual([])
  await close(opened)
})

test('a merge is cancelled where row groups of its parts change', async () => {
  for (const turns of [0, 1, 2, 3, 5, 8]) {
    const files = newFiles()
    const server = await serving(files)
    for (let i = 0; i < 4; i++)
      await server.send(
        JSON.stringify({ _time: `${2000 + i}-01-01T00:00:00Z`, content: `all needle${i}`, id: `ID ${i}` }),
      )
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(await server.delete('id:="ID 1"')).toBe(1)
    await server.persister.settled()
    await answersAll(server, [0, 2, 3])
    expect(server.failures).toEqual([])
    await close(server)
    expect(partFiles(files).toSorted()).toEqual(
      server
        .parts()
        .map(({ name }) => name)
        .toSorted(),
    )
  }
})

test('a snapshot has the parts', async () => {
  const files = newFiles()
  const server = await serving(files)
  await send(server, 0, 5)
  await takeSnapshot(files, FOLDER, '/disk/copy')
  const copy = await open(files, '/disk/copy')
  expect(copy.parts()).toEqual(server.parts())
  await answersAll(copy, upTo(5))
  expect(copy.failures).toEqual([])
  await close(copy)
  await close(server)
})

test('a repair keeps the whole row groups of a damaged part', async () => {
  const files = newFiles()
  let server = await serving(files)
  await send(server, 0, 5)
  await merged(server, levelsOf(server))
  const part = present(server.parts().find(({ rowGroups }) => rowGroups.length === 4))
  await close(server)
  const damages = [...part.rowGroups.map(({ at, bytes }) => at + (bytes >>> 1)), part.bytes - 60, part.bytes - 1]
  for (const [number, at] of damages.entries()) {
    const damaged = newFiles()
    for (const [path, bytes] of filesOf(files)) {
      damaged.makeFolder(join(path, '..'))
      damaged.create(path).write(bytes, 0)
    }
    const file = damaged.open(join(PLACE, part.name))
    const byte = Buffer.alloc(1)
    file.read(byte, at)
    file.write(Buffer.of(present(byte[0]) ^ 1), at)
    server = await open(damaged)
    const survey = await runCooperatively(surveyFiles(damaged, FOLDER, server.manifest.state))
    expect(survey.parts.map(({ name, whole }) => [name, whole.length])).toEqual([[part.name, number < 4 ? 3 : 4]])
    await setPartsAside(damaged, FOLDER, server.manifest, survey.parts)
    await close(server)
    server = await open(damaged)
    const found = await contents(server, 'all')
    expect(found).toHaveLength(number < 4 ? 4 : 5)
    for (const content of found) expect(await contents(server, String(content).slice(4))).toEqual([content])
    expect((await runCooperatively(surveyFiles(damaged, FOLDER, server.manifest.state))).parts).toEqual([])
    expect(server.failures).toEqual([])
    await close(server)
  }
})

test('a repair refuses a part that a later release wrote', async () => {
  const files = newFiles()
  let server = await serving(files)
  await send(server, 0, 3)
  await close(server)
  const [{ name }] = server.parts() as readonly [PartEntry]
  const path = join(PLACE, name)
  const tail = Buffer.from(present(files.content(path)).subarray(-TAIL_BYTES))
  const at = present(files.content(path)).length - TAIL_BYTES
  files.open(path).write(encodeTail(present(decodeTail(tail)), PART_VERSION + 1), at)
  server = await open(files)
  const survey = runCooperatively(surveyFiles(files, FOLDER, server.manifest.state))
  await expect(survey).rejects.toThrow(`has version ${PART_VERSION + 1}; this release knows versions up to`)
  await close(server)
})

/** Yields all files of a folder in memory. */
function* filesOf(files: CrashFiles): Generator<readonly [path: string, bytes: Buffer]> {
  for (const folder of [FOLDER, PLACE])
    for (const name of files.list(folder)) {
      const bytes = files.content(join(folder, name))
      if (bytes !== undefined) yield [join(folder, name), Buffer.from(bytes)]
    }
}

test('whatever a loss of power leaves while parts are merged gives every answer', async () => {
  const watched = new WatchedFiles('/disk')
  const { files, left } = watched
  const server = await serving(files)
  await send(server, 0, 3)
  watched.isWatched = true
  await send(server, 3, 5)
  await merged(server, levelsOf(server))
  watched.isWatched = false
  await close(server)
  expect(left.length).toBeGreaterThan(50)
  const sizes = new Set<string>()
  for (const files of left) {
    const opened = await open(files)
    sizes.add(JSON.stringify(sizesOf(opened)))
    for (const i of [0, 1, 2]) expect(await contents(opened, `needle${i}`)).toEqual([`all needle${i}`])
    expect(opened.failures).toEqual([])
  }
  expect(sizes.size).toBeGreaterThan(1)
})
