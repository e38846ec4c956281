import { expect, test } from 'vitest'
import { openDataToRead } from '../../../src/server/index.ts'
import { newTenant } from '../../../src/server/backends/tenant.ts'
import { MARKER_FILE } from '../../../src/store/durable/index.ts'
import { takeSnapshot } from '../../../src/store/persistence/index.ts'
import { CrashFiles, WatchedFiles } from '../durable/crash-files.ts'
import { ALWAYS, nowNs, openPersister } from './open-persister.ts'

const FOLDER = '/disk/data'
const COPY = '/disk/copy'
/** Opens a data folder as a server does and replays its log. */
async function serving(files: CrashFiles, folder: string) {
  const server = await openPersister(files, folder)
  server.persister.readBack()
  return {
    send: (text: string) => server.send(`{"_time":"2026-01-01T00:00:00Z","content":"${text}"}`),
    settled: () => server.persister.settled(),
    parts: () => server.parts(),
  }
}

/** Returns the strings of a folder in quotes, sorted. The folder is opened to read only. */
async function textsOf(files: CrashFiles, folder: string): Promise<readonly string[]> {
  const { target, close } = await openDataToRead(folder, { files, hasSamples: true, cacheBytes: 1 << 20 })
  try {
    const { engine } = newTenant({ nowMs: () => 0, nowNs }, target)
    const rows = await engine.query('* | fields content', { range: ALWAYS }).toArray()
    return rows.map(({ content }) => JSON.stringify(content)).toSorted()
  } finally {
    await close()
  }
}

test('whatever a loss of power leaves of a snapshot is whole or not opened, and the folder stays as it was', async () => {
  const watched = new WatchedFiles('/disk')
  const { files, left } = watched
  const server = await serving(files, FOLDER)
  const sent: string[] = []
  for (let i = 0; i < 12; i++) {
    sent.push(`row ${String(i).padStart(2, '0')}`)
    await server.send(sent[i]!)
    await server.settled()
  }
  expect(server.parts().length).toBeGreaterThan(1)
  const texts = sent.map((text) => JSON.stringify(text))
  watched.isWatched = true
  const snapshot = await takeSnapshot(files, FOLDER, COPY)
  watched.isWatched = false
  expect(snapshot.segments).toBe(server.parts().length)
  expect(left.length).toBeGreaterThan(50)
  let whole = 0
  for (const state of left) {
    expect(await textsOf(state, FOLDER)).toEqual(texts)
    if (state.exists(`${COPY}/${MARKER_FILE}`)) {
      expect(await textsOf(state, COPY)).toEqual(texts)
      whole++
    } else await expect(textsOf(state, COPY)).rejects.toMatchObject({ code: 'setup/no-data-folder' })
  }
  expect(whole).toBeGreaterThan(0)

  // The original and the copy continue independently.
  await server.send('row only there')
  const other = await serving(files, COPY)
  for (let i = 0; i < 12; i++) await other.send(`row only here ${i}`)
  await other.settled()
  expect(await textsOf(files, FOLDER)).toEqual([...texts, '"row only there"'].toSorted())
  expect(await textsOf(files, COPY)).toHaveLength(24)
  await expect(takeSnapshot(files, FOLDER, COPY)).rejects.toMatchObject({ code: 'durable/not-empty' })
})
