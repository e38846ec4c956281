import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newTenant, openDataToRead, openDataToWrite, type DataToRead } from '../../../src/server/index.ts'
import { diskFiles, type Files } from '../../../src/store/durable/index.ts'
import { run } from '../../cli/terminal.ts'

const ROWS = 20_000

let root: string
let folder: string
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'sluice-beside-'))
  folder = join(root, 'data')
  const data = await openDataToWrite(folder, { nowNs: () => 1_773_140_400_000_000_000n, onFailure: String })
  const lines = Array.from({ length: ROWS }, (_, row) => JSON.stringify({ content: `row ${row}`, row, level: 'info' }))
  const body = { chunks: [Buffer.from(lines.join('\n'))], encoding: 'identity' as const }
  await data.ingest({ table: 'logs', format: 'ndjson', body })
  await data.close()
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const options = { hasSamples: false, cacheBytes: 1 << 20 }
const segments = (): readonly string[] => readdirSync(join(folder, 'segments', 'default'))

async function answered({ target }: DataToRead): Promise<unknown> {
  return newTenant(undefined, target).engine.query('* | stats count() n, sum(row) s, count_uniq(content) c').toArray()
}

/** Deletes half of the rows, so that new files replace the existing ones. */
async function rewrite(): Promise<void> {
  const before = segments()
  const deleted = await run(
    'delete',
    '--data',
    folder,
    '--where',
    'row:<10000',
    '--range',
    '2000-01-01..2200-01-01',
    '--write',
  )
  expect(deleted).toMatchObject({ code: 0 })
  expect(segments().some((name) => before.includes(name))).toBe(false)
}

test('what was opened is read to its end when other files have taken its place', async () => {
  const opened = await openDataToRead(folder, options)
  const unread = await openDataToRead(folder, options)
  const before = await answered(opened)
  await rewrite()
  expect(await answered(unread)).toEqual(before)
  expect(await answered(opened)).toEqual(before)
  await Promise.all([opened.close(), unread.close()])
  const after = await openDataToRead(folder, options)
  expect(await answered(after)).not.toEqual(before)
  await after.close()
})

test('files that take the place of others while they are opened are read as the later manifest says', async () => {
  const early = join(root, 'early')
  cpSync(folder, early, { recursive: true })
  await rewrite()
  // Reads use the old manifest until its first segment file, which no longer exists, is opened.
  let isLate = false
  const at = (path: string): string => (isLate ? path : path.replace(folder, early))
  const files: Files = {
    ...diskFiles,
    exists: (path) => diskFiles.exists(at(path)),
    list: (path) => diskFiles.list(at(path)),
    openToRead: (path) => {
      isLate ||= path.includes('segments')
      return diskFiles.openToRead(at(path))
    },
  }
  const opened = await openDataToRead(folder, { ...options, files })
  const plain = await openDataToRead(folder, options)
  expect(isLate).toBe(true)
  expect(await answered(opened)).toEqual(await answered(plain))
  await Promise.all([opened.close(), plain.close()])
})

test('a file that is lost refuses what needs it, by its name', async () => {
  const [lost = ''] = segments().filter((name) => name.endsWith('.part'))
  rmSync(join(folder, 'segments', 'default', lost))
  const opened = await openDataToRead(folder, options)
  await expect(answered(opened)).rejects.toThrow(lost)
  await opened.close()
})

test('where the system lets few files be open, the others are opened when they are read', async () => {
  let open = 0
  const files: Files = {
    ...diskFiles,
    openToRead: (path) => {
      if (path.endsWith('.part') && open > 0) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
      const file = diskFiles.openToRead(path)
      if (!path.includes('segments')) return file
      open++
      return { ...bound(file), close: () => (open--, file.close()) }
    },
  }
  const opened = await openDataToRead(folder, { ...options, files })
  const plain = await openDataToRead(folder, options)
  expect(await answered(opened)).toEqual(await answered(plain))
  await Promise.all([opened.close(), plain.close()])
  expect(open).toBe(0)
})

function bound(file: ReturnType<Files['openToRead']>): ReturnType<Files['openToRead']> {
  return {
    size: () => file.size(),
    read: (into, from) => file.read(into, from),
    write: (bytes, to) => file.write(bytes, to),
    truncate: (length) => file.truncate(length),
    sync: () => file.sync(),
    syncLater: () => file.syncLater(),
    identity: () => file.identity(),
    close: () => file.close(),
  }
}
