import { expect, test } from 'vitest'
import { CrashFiles } from '../durable/crash-files.ts'
import { openPersister, valuesOf } from './open-persister.ts'

const FOLDER = '/disk/data'
/** A payload that compresses to a few hundred bytes. */
const blank = '\n'.repeat(400_000)
const LOG_BYTES = 20_000

test('batches that pack very well leave the log as soon as there is much to read back', async () => {
  const files = new CrashFiles({}, new Map(), ['/disk'])
  let server = await openPersister(files, FOLDER, undefined, undefined, LOG_BYTES)
  server.persister.readBack()
  await server.send(`${blank}{"_time":"2026-01-01T00:00:00Z","who":"one"}`)
  await server.persister.settled()
  // At the usual compression ratio this payload would exceed the limit, but the file itself is far smaller.
  expect(server.batches.extent.bytes).toBeLessThan(LOG_BYTES / 10)
  const ids: number[] = []
  for (let i = 0; i < 4; i++) {
    await server.send(`${blank}{"_time":"2026-01-01T00:00:00Z","who":"next ${i}"}`)
    await server.persister.settled()
    ids.push(server.batches.extent.startId)
    expect(server.batches.extent.replayBytes).toBeLessThan(3 * LOG_BYTES)
  }
  expect(ids.at(-1)).toBeGreaterThan(0)
  await server.persister.close()
  await Promise.all([server.batches.close(), server.manifest.close()])

  server = await openPersister(files, FOLDER, undefined, undefined, LOG_BYTES)
  server.persister.readBack()
  expect(await valuesOf(server.tenant, 'who')).toEqual(
    ['one', 'next 0', 'next 1', 'next 2', 'next 3'].map((who) => JSON.stringify(who)).toSorted(),
  )
  // Replayed batches count too.
  const { lastId, startId, replayBytes } = server.batches.extent
  expect(replayBytes).toBeGreaterThanOrEqual(((lastId - startId) * blank.length) / 16)
  await server.persister.close()
  await Promise.all([server.batches.close(), server.manifest.close()])
})
