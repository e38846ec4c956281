// @module-tag slow
import { beforeEach, describe, expect, test } from 'vitest'
import { runToEnd, present } from '../../../src/base/index.ts'
import { Manifest, manifestOf, openLog, type PartEntry } from '../../../src/store/durable/index.ts'
import {
  asideFiles,
  restoreAside,
  setPartsAside,
  extentOf,
  type AsideFile,
} from '../../../src/store/persistence/index.ts'
import { CrashFiles } from '../durable/crash-files.ts'
import { openPersister, valuesOf, type OpenPersister } from './open-persister.ts'

const FOLDER = '/disk/data'
const SENT = 5

let files: CrashFiles
let onStep: ((files: CrashFiles) => void) | undefined

const open = (from = files): Promise<OpenPersister> => openPersister(from, FOLDER)

/** Returns all strings of a folder, including duplicates. */
async function contentsOf(from = files): Promise<readonly string[]> {
  const server = await open(from)
  server.persister.readBack()
  const found = await valuesOf(server.tenant, 'content')
  await server.persister.close()
  await Promise.all([server.batches.close(), server.manifest.close()])
  return found
}

async function withManifest<T>(from: CrashFiles, work: (manifest: Manifest) => Promise<T>): Promise<T> {
  const manifest = new Manifest(openLog(from, FOLDER, 'manifest'))
  try {
    return await work(manifest)
  } finally {
    await manifest.close()
  }
}

type Whole = AsideFile & { readonly path: string }

const isWhole = (found: AsideFile): found is Whole => found.path !== undefined && found.damage === undefined

function restore(from: CrashFiles, place: string): Promise<readonly AsideFile[]> {
  return withManifest(from, async (manifest) => {
    const found = runToEnd(asideFiles(from, FOLDER, manifest.state, place))
    await restoreAside(from, FOLDER, manifest, found.filter(isWhole))
    return found
  })
}

/** Sets some log segments aside as if they were damaged. Returns the folder that they were moved to. */
function setAside(choose: (entries: readonly PartEntry[]) => readonly PartEntry[]): Promise<string> {
  return withManifest(files, (manifest) => {
    const { parts } = present([...manifest.state.tables.values()].find(({ table }) => table === 'logs'))
    const damaged = choose(parts).map((entry) => {
      const damage = { damage: 'as a test says', whole: [], lost: extentOf(entry.rowGroups) }
      return { backend: 'default', table: 'logs', name: entry.name, entry, ...damage }
    })
    return setPartsAside(files, FOLDER, manifest, damaged)
  })
}

let all: readonly string[]

beforeEach(async () => {
  files = new CrashFiles({ onStep: (each) => onStep?.(each) }, new Map(), ['/disk'])
  const server = await open()
  server.persister.readBack()
  for (let batch = 0; batch < SENT; batch++) {
    const lines = [2024, 2026].map((year) =>
      JSON.stringify({ _time: `${year}-01-01T00:00:00Z`, content: `batch ${batch} of ${year}`, who: `user ${batch}` }),
    )
    await server.send(lines.join('\n'))
    await server.persister.settled()
  }
  expect(server.parts().length).toBeGreaterThan(1)
  await server.persister.close()
  await Promise.all([server.batches.close(), server.manifest.close()])
  all = await contentsOf()
  expect(all).toHaveLength(2 * SENT)
})

describe('what a repair has set aside', () => {
  test('comes back when it is whole, each row once', async () => {
    const place = await setAside((entries) => entries.slice(0, 2))
    const left = await contentsOf()
    expect(left.length).toBeLessThan(all.length)
    expect((await restore(files, place)).map(({ damage }) => damage)).toEqual([undefined, undefined])
    expect(await contentsOf()).toEqual(all)
    // The segment is no longer set aside.
    expect(await restore(files, place)).toEqual([])
    expect(await contentsOf()).toEqual(all)
  })

  test('is remembered when the manifest is written anew', async () => {
    const place = await setAside((entries) => entries.slice(0, 1))
    const manifest = new Manifest(openLog(files, FOLDER, 'manifest'), { anewBytes: 1 })
    await manifest.commit({ nextFile: manifest.state.nextFile })
    await manifest.close()
    expect(manifestOf(openLog(files, FOLDER, 'manifest').read()).tables.get('["default","logs"]')?.aside).toHaveLength(
      1,
    )
    await restore(files, place)
    expect(await contentsOf()).toEqual(all)
  })

  test('stays away where its file is another, or is not there', async () => {
    const place = await setAside((entries) => entries.slice(0, 2))
    const [first = '', second = ''] = files.list(`${place}/default`)
    const bytes = Buffer.alloc(1)
    const file = files.open(`${place}/default/${first}`)
    file.read(bytes, 40)
    file.write(Buffer.of((bytes[0] ?? 0) ^ 1), 40)
    file.close()
    files.remove(`${place}/default/${second}`)
    const left = await contentsOf()
    const found = await restore(files, place)
    const byName = new Map(found.map((each) => [each.entry.name, each]))
    expect(byName.get(first)?.damage).toContain(first)
    expect(byName.get(second)?.path).toBe(undefined)
    expect(await contentsOf()).toEqual(left)
  })

  test('does not bring back what was deleted meanwhile', async () => {
    const place = await setAside((entries) => entries.slice(0, 1))
    const server = await open()
    server.persister.readBack()
    await server.delete('who:="nobody"')
    await server.persister.close()
    await Promise.all([server.batches.close(), server.manifest.close()])
    expect(await restore(files, place)).toEqual([])
  })

  test('stays away where its values are not in the dictionaries any more', async () => {
    const place = await setAside((entries) => entries.slice(0, 1))
    await withManifest(files, async (manifest) => {
      const { dictionaries } = present(manifest.state.tables.get('["default","logs"]'))
      const { name } = present(dictionaries)
      // A different dictionary file that has no entries.
      const records = present(dictionaries?.records).slice(0, 0)
      const head = present(dictionaries?.records)[0]?.at ?? 0
      const copy = files.create(`${FOLDER}/segments/default/logs-99.dictionaries`)
      const original = files.openToRead(`${FOLDER}/segments/default/${name}`)
      const bytes = Buffer.alloc(head)
      original.read(bytes, 0)
      copy.write(bytes, 0)
      original.close()
      copy.close()
      const other = { name: 'logs-99.dictionaries', bytes: head, records }
      await manifest.commit({ tables: [{ backend: 'default', table: 'logs', dictionaries: other }] })
    })
    const [found] = await restore(files, place)
    expect(found?.damage).toMatch(/values of `\w+` have left the dictionaries/)
  })

  test('is there wholly or not at all after a crash at any moment, and can be brought back again', async () => {
    const place = await setAside((entries) => entries.slice(0, 2))
    const without = await contentsOf()
    const lefts: CrashFiles[] = []
    onStep = (each) => lefts.push(...each.crashes())
    await restore(files, place)
    onStep = undefined
    expect(lefts.length).toBeGreaterThan(4)
    const states = new Set<number>()
    for (const left of lefts) {
      const found = await contentsOf(left)
      expect([all, without]).toContainEqual(found)
      states.add(found.length)
      await restore(left, place)
      expect(await contentsOf(left)).toEqual(all)
    }
    expect([...states].toSorted((a, b) => a - b)).toEqual([without.length, all.length])
  })
})
