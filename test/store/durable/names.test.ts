import { copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDataFolder, type DataFolder } from '../../../src/server/data-folder/data-folder.ts'
import { SluiceError } from '../../../src/base/index.ts'
import type { Batch, LogMark } from '../../../src/store/durable/index.ts'

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sluice-names-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (): Promise<DataFolder> => openDataFolder(folder, () => 0n)

function append({ batches }: DataFolder, text: string): Promise<LogMark> {
  const batch: Batch = {
    backend: 'default',
    table: 'logs',
    format: 'ndjson',
    receivedNs: 0n,
    payload: Buffer.from(text),
  }
  return batches.append(batch)
}

const textsOf = ({ batches }: DataFolder): readonly string[] =>
  Array.from(batches.replay(), ({ batch }) => Buffer.from(batch.payload).toString())

async function messageOf(attempt: Promise<unknown>): Promise<string> {
  const error: unknown = await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return error instanceof SluiceError
    ? `${error.code}: ${JSON.stringify(error.diagnostics)}`
    : `stored: ${String(error)}`
}

const removed = (name: string): void => renameSync(join(folder, name), join(folder, 'elsewhere'))

function replaced(name: string): void {
  copyFileSync(join(folder, name), join(folder, 'copy'))
  renameSync(join(folder, 'copy'), join(folder, name))
}

test.each([
  ['lock', removed],
  ['lock', replaced],
  ['batches.log', removed],
  ['batches.log', replaced],
  ['batches.head', removed],
  ['batches.head', replaced],
])('nothing is acknowledged once `%s` is %o', async (name, change) => {
  const data = await open()
  try {
    await append(data, 'before')
    change(name)
    expect(await messageOf(append(data, 'after'))).toMatch(
      new RegExp(`^durable/write-failed: .*\`${name}\` was removed or replaced while it was in use`),
    )
    expect(await messageOf(append(data, 'again'))).toMatch(/^durable\/write-failed/)
  } finally {
    await data.close()
  }
})

test('of two writers whose lock was removed only the later one acknowledges', async () => {
  const first = await open()
  await append(first, 'before')
  removed('lock')
  const second = await open()
  const told = ['before']
  for (const [i, writer] of [second, first, second, first].entries())
    if ((await messageOf(append(writer, `row ${i}`))).startsWith('stored')) told.push(`row ${i}`)
  expect(told).toEqual(['before', 'row 0', 'row 2'])
  await Promise.all([first.close(), second.close()])
  const third = await open()
  expect(textsOf(third)).toEqual(expect.arrayContaining(told))
  await third.close()
})

test('an edit of the manifest and a change of a document are refused, too', async () => {
  const data = await open()
  removed('lock')
  writeFileSync(join(folder, 'lock'), '')
  expect(await messageOf(data.manifest.commit({ nextFile: 5 }))).toMatch(/`lock` was removed or replaced/)
  await data.close()
})
