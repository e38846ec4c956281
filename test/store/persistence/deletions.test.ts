import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CrashFiles } from '../durable/crash-files.ts'
import { openPersister, valuesOf, type OpenPersister } from './open-persister.ts'

const FOLDER = '/disk/data'
const PLACE = join(FOLDER, 'segments/default')
const YEARS = 8

/** Records the largest number of segments on the disk at one time, including one being written. */
class CountedFiles extends CrashFiles {
  mostSegments = 0

  override create(path: string): ReturnType<CrashFiles['create']> {
    const made = super.create(path)
    const segments = this.list(PLACE).filter((name) => name.includes('.part'))
    this.mostSegments = Math.max(this.mostSegments, segments.length)
    return made
  }
}

/** Writes one segment for each year, with a row of `ann` and a row of `bob`. */
async function filled(files: CrashFiles): Promise<OpenPersister> {
  const server = await openPersister(files, FOLDER)
  server.persister.readBack()
  for (let year = 2000; year < 2000 + YEARS; year++) {
    const rows = ['ann', 'bob'].map((who) => ({ _time: `${year}-01-01T00:00:00Z`, content: `of ${year}`, who }))
    await server.send(rows.map((row) => JSON.stringify(row)).join('\n'))
    await server.persister.settled()
  }
  expect(server.parts()).toHaveLength(YEARS)
  return server
}

const deleteOf = async (server: OpenPersister, who: string): Promise<unknown> =>
  server.delete(`who:=${who}`).catch((error: unknown) => error)

test('a deletion needs at most one rewritten file of extra disk space', async () => {
  const files = new CountedFiles({}, new Map(), ['/disk'])
  const server = await filled(files)
  files.mostSegments = 0
  expect(await server.delete('who:=ann')).toBe(YEARS)
  expect(files.mostSegments).toBe(YEARS + 1)
  expect(await valuesOf(server.tenant, 'who')).toEqual(Array<string>(YEARS).fill('"bob"'))
  await server.persister.close()
})

test('a deletion on a full disk fails, and the next one deletes the remaining rows', async () => {
  const files = new CrashFiles({}, new Map(), ['/disk'])
  const server = await filled(files)
  const fileBytes = Math.max(...server.parts().map(({ name }) => files.content(join(PLACE, name))?.length ?? 0))
  files.freeBytes = 4 * fileBytes
  expect(await deleteOf(server, 'ann')).toMatchObject({ code: 'durable/deletion-stopped' })
  files.freeBytes = Infinity
  const left = (await valuesOf(server.tenant, 'who')).filter((who) => who === '"ann"').length
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThan(YEARS)
  expect(await deleteOf(server, 'ann')).toBe(left)
  expect(await valuesOf(server.tenant, 'who')).toEqual(Array<string>(YEARS).fill('"bob"'))
  await server.persister.close()
})
