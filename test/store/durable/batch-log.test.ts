import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { nextTurn, present, seededRandom, type SluiceError } from '../../../src/base/index.ts'
import { openDataFolder } from '../../../src/server/index.ts'
import {
  diskFiles,
  type Batch,
  type DurableStore,
  type Files,
  type OpenFile,
} from '../../../src/store/durable/index.ts'
import { codeOf } from '../../resources/stores.ts'
import { limitedFiles } from './limited-files.ts'
import { openBatches } from './open-batches.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-batch-log-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function batch(text: string, table = 'logs'): Batch {
  return { backend: 'default', table, format: 'ndjson', receivedNs: 9223372036854775807n, payload: Buffer.from(text) }
}

function batchesIn(log: DurableStore): readonly Batch[] {
  return [...log.replay()].map(({ batch }) => present(batch))
}

/** Returns a string that compression does not make smaller. */
function noise(length: number): string {
  const random = seededRandom(5)
  return Array.from({ length }, () => String.fromCharCode(33 + random.below(90))).join('')
}

test('batches come back in the order they were acknowledged, small and packed ones alike', async () => {
  const log = await openBatches(folder)
  const long = '{"a":1}\n'.repeat(1000)
  // This batch is compressed in another thread, while the batches after it need no compression.
  const longer = '{"b":2}\n'.repeat(20_000)
  await Promise.all([batch(longer), batch('one'), batch(long, 'spans'), batch('three')].map((each) => log.append(each)))
  await log.close()
  expect(readFileSync(join(folder, 'batches.log')).length).toBeLessThan(1000)
  const again = await openBatches(folder)
  const found = batchesIn(again).map((b) => [b.table, b.receivedNs, Buffer.from(b.payload).toString()])
  await again.close()
  expect(found).toEqual([
    ['logs', 9223372036854775807n, longer],
    ['logs', 9223372036854775807n, 'one'],
    ['spans', 9223372036854775807n, long],
    ['logs', 9223372036854775807n, 'three'],
  ])
})

test('close takes along what waits; afterwards batches are refused', async () => {
  const log = await openBatches(folder)
  const under = [log.append(batch('waiting')), log.append(batch('{"a":1}\n'.repeat(20_000)))]
  await log.close()
  await Promise.all(under)
  expect(await codeOf(() => log.append(batch('late')))).toBe('durable/closed')
  const again = await openBatches(folder)
  expect([...again.replay()]).toHaveLength(2)
  await again.close()
})

test('a second opener is refused while the first is there', async () => {
  const log = await openBatches(folder)
  await log.append(batch('one'))
  expect(await codeOf(() => openBatches(folder))).toBe('durable/in-use')
  await log.close()
  const again = await openBatches(folder)
  expect([...again.replay()]).toHaveLength(1)
  await again.close()
})

test('on a full disk nothing of a batch is stored, and smaller ones still are', async () => {
  const { batches, close } = await openDataFolder(folder, () => 0n, { files: limitedFiles(9000) })
  await batches.append(batch(noise(9000)))
  expect(await codeOf(() => batches.append(batch(noise(9000))))).toBe('durable/disk-full')
  await batches.append(batch('small'))
  await close()
  const again = await openBatches(folder)
  expect(batchesIn(again).map(({ payload }) => payload.length)).toEqual([9000, 5])
  await again.close()
})

/** Files on the disk of this machine, whose syncs end when the test decides. */
function slowFiles(): { readonly files: Files; readonly syncs: { readonly name: string; end(error?: Error): void }[] } {
  const syncs: { name: string; end(error?: Error): void }[] = []
  const open = (path: string): OpenFile => {
    const file = diskFiles.open(path)
    return {
      size: () => file.size(),
      read: (into, at) => file.read(into, at),
      write: (bytes, at) => file.write(bytes, at),
      truncate: (length) => file.truncate(length),
      sync: () => file.sync(),
      syncLater: () =>
        new Promise((resolve, reject) =>
          syncs.push({ name: basename(path), end: (error) => (error === undefined ? resolve() : reject(error)) }),
        ),
      identity: () => file.identity(),
      close: () => file.close(),
    }
  }
  return { files: { ...diskFiles, open }, syncs }
}

test('a group is written while the head comes to name the one before, and one head names several', async () => {
  const { files, syncs } = slowFiles()
  const { batches, close } = await openDataFolder(folder, () => 0n, { files })
  const acknowledged: string[] = []
  /** Lets everything complete that does not wait for the disk. */
  const turn = async (): Promise<void> => {
    for (let turns = 0; turns < 20; turns++) await nextTurn()
  }
  const append = async (text: string): Promise<void> => {
    const appended = batches.append(batch(text)).then(
      ({ id }) => void acknowledged.push(`${text} ${id}`),
      (error: SluiceError) => void acknowledged.push(`${text} ${error.code}`),
    )
    void appended
    await turn()
  }
  const end = async (name: string, error?: Error): Promise<void> => {
    const sync = syncs.shift()
    expect(sync?.name).toBe(name)
    sync?.end(error)
    await turn()
  }
  await append('a')
  await append('b')
  await end('batches.log')
  // The syncs of the head for `a` and of the log with `b` are both in flight.
  expect(syncs.map(({ name }) => name).sort()).toEqual(['batches.head', 'batches.log'])
  syncs.sort((one, other) => (one.name > other.name ? -1 : 1))
  await end('batches.log')
  await append('c')
  syncs.sort((one, other) => (one.name > other.name ? -1 : 1))
  await end('batches.log')
  expect(acknowledged).toEqual([])
  await end('batches.head')
  expect(acknowledged).toEqual(['a 1'])
  await end('batches.head')
  expect(acknowledged).toEqual(['a 1', 'b 2', 'c 3'])
  // Nothing is written after a head that may not be on the disk.
  await append('d')
  await append('e')
  await end('batches.log')
  syncs.sort((one, other) => (one.name < other.name ? -1 : 1))
  await end('batches.head', new Error('the disk broke'))
  await end('batches.log')
  await append('f')
  expect(acknowledged.slice(3)).toEqual(['d durable/write-failed', 'e durable/write-failed', 'f durable/write-failed'])
  expect(syncs).toEqual([])
  await close()
})

/**
 * Damages one byte in the payload of a batch while the log is open, then removes the first batch. Returns the remaining
 * batches.
 */
async function leaveDamaged(text: string): Promise<readonly string[]> {
  const { batches, close } = await openDataFolder(folder, () => 0n)
  const marks = await Promise.all(['first', 'second', 'third'].map((each) => batches.append(batch(`row ${each}`))))
  const path = join(folder, 'batches.log')
  const bytes = readFileSync(path)
  bytes.write('R', bytes.indexOf(text))
  writeFileSync(path, bytes)
  try {
    await batches.leave(present(marks[0]).id)
    return batchesIn(batches).map(({ payload }) => Buffer.from(payload).toString())
  } finally {
    await close()
  }
}

test('a batch leaves the log without being read, those that stay are checked', async () => {
  expect(await leaveDamaged('row first')).toEqual(['row second', 'row third'])
})

test('a log in which a batch that stays is damaged is left as it is', async () => {
  await expect(leaveDamaged('row second')).rejects.toThrow(/record 2, at byte \d+, does not match its checksum/)
})
