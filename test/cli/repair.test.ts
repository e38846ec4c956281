import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { present } from '../../src/base/index.ts'
import { openDataFolder, type DataFolder } from '../../src/server/index.ts'
import { actor, codeOf } from '../resources/stores.ts'
import { flipBit } from '../harness/flip-bit.ts'
import { run } from './terminal.ts'

let folder: string

const open = (): Promise<DataFolder> => openDataFolder(folder, () => 1n)

/** Row counts of the batches that every test starts with. */
const ROWS = [1, 2, 3, 4]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-repair-'))
  const { batches, documents, close } = await open()
  for (const rows of ROWS) {
    const payload = Buffer.from(`{"content":"batch of ${rows}"}\n`.repeat(rows))
    await batches.append({ backend: 'default', table: 'logs', format: 'ndjson', receivedNs: 1n, payload })
  }
  await documents.write(actor, (tx) => tx.put('policy', 'p', {}, 'first'))
  await documents.write(actor, (tx) => tx.put('policy', 'q', {}, 'second'))
  await close()
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const path = (name: string): string => join(folder, name)

async function rowsLeft(): Promise<readonly number[]> {
  const { batches, close } = await open()
  try {
    return [...batches.replay()].map(
      ({ batch }) => Buffer.from(present(batch).payload).toString().split('\n').length - 1,
    )
  } finally {
    await close()
  }
}

test('a whole folder is said to be whole, and nothing is changed', async () => {
  const before = readdirSync(folder).map((name) => readFileSync(path(name), 'latin1'))
  const { code, out } = await run('repair', '--data', folder, '--write')
  expect([code, out]).toEqual([
    0,
    'marker: whole\nbatches: whole, 4 batches\nsamples: whole, 0 batches\nmanifest: whole, 0 records\nresources: whole, 2 records\n',
  ])
  expect(readdirSync(folder).map((name) => readFileSync(path(name), 'latin1'))).toEqual(before)
})

test('a flipped bit costs one batch; what is kept and lost is said before anything is changed', async () => {
  flipBit(path('batches.log'), 'batch of 2')
  const damaged = readFileSync(path('batches.log'), 'latin1')
  const dry = await run('repair', '--data', folder)
  expect(dry.code).toBe(1)
  expect(dry.out).toContain('batches: The data folder is damaged: `batches.log`: record 2, at byte')
  expect(dry.out).toContain(
    '  kept: 3 batches with 8 rows\n  lost: 1 batch, 2\nsamples: whole, 0 batches\nmanifest: whole, 0 records\nresources: whole',
  )
  expect(dry.error).toContain(`sluice repair --data ${folder} --write`)
  expect(readFileSync(path('batches.log'), 'latin1')).toBe(damaged)
  expect(await codeOf(rowsLeft)).toBe('durable/damaged')
  const { code, out } = await run('repair', '--data', folder, '--write')
  expect([code, out.includes(join(folder, 'damaged-1'))]).toEqual([0, true])
  expect(readFileSync(path('damaged-1/batches.log'), 'latin1')).toBe(damaged)
  expect(await rowsLeft()).toEqual([1, 3, 4])
})

test('batches before the cut of a truncated log are kept', async () => {
  truncateSync(path('batches.log'), readFileSync(path('batches.log')).length - 30)
  const { code, out } = await run('repair', '--data', folder, '--write')
  expect(code).toBe(0)
  expect(out).toContain('kept: 3 batches with 6 rows\n  lost: 1 batch, 4\n')
  expect(await rowsLeft()).toEqual([1, 2, 3])
})

test.each(['batches.head', 'sluice.json'])('without %s nothing is lost', async (name) => {
  rmSync(path(name))
  expect(await codeOf(rowsLeft)).toBe('durable/missing')
  expect((await run('repair', '--data', folder, '--write')).code).toBe(0)
  expect(await rowsLeft()).toEqual(ROWS)
})

test('without the log itself every batch is named as lost', async () => {
  rmSync(path('batches.log'))
  const { out } = await run('repair', '--data', folder, '--write')
  expect(out).toContain('kept: 0 batches with 0 rows\n  lost: 4 batches, 1-4\n')
  expect(await rowsLeft()).toEqual([])
})

test('nothing is kept of a log of another folder', async () => {
  const other = mkdtempSync(join(tmpdir(), 'sluice-repair-other-'))
  const { batches, close } = await openDataFolder(other, () => 1n)
  const payload = Buffer.from('{"content":"of somebody else"}')
  await batches.append({ backend: 'default', table: 'logs', format: 'ndjson', receivedNs: 1n, payload })
  await close()
  copyFileSync(join(other, 'batches.log'), path('batches.log'))
  rmSync(other, { recursive: true })
  const { out } = await run('repair', '--data', folder, '--write')
  expect(out).toContain('kept: 0 batches with 0 rows\n  lost: 4 batches, 1-4\n')
  expect(await rowsLeft()).toEqual([])
})

test('changes of policies are given up only with the explicit option', async () => {
  flipBit(path('resources.log'), 'second')
  const refused = await run('repair', '--data', folder, '--write')
  expect([refused.code, refused.out.includes('restricted a user')]).toEqual([1, true])
  expect(readdirSync(folder)).not.toContain('damaged-1')
  expect((await run('repair', '--data', folder, '--write', '--accept-lost-changes')).code).toBe(0)
  const { documents, close } = await open()
  expect(documents.read('default', (view) => view.list('policy').map(({ id }) => id))).toEqual(['p'])
  await close()
})

test('a folder in use, and one that is none, are refused', async () => {
  const { close } = await open()
  expect((await run('repair', '--data', folder)).error).toContain('in use by another process')
  await close()
  const empty = mkdtempSync(join(tmpdir(), 'sluice-empty-'))
  expect(await run('repair', '--data', empty)).toMatchObject({ code: 2 })
  expect(readdirSync(empty)).toEqual([])
  rmSync(empty, { recursive: true })
})
