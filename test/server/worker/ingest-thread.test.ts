// @module-tag slow
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SluiceError, present } from '../../../src/base/index.ts'
import { rowsOf, toText } from '../../../src/data/index.ts'
import { defaultServerLimits, openDataFolder } from '../../../src/server/index.ts'
import { IngestThread, type IngestThreadOptions } from '../../../src/server/worker/ingest-thread.ts'
import type { QueryWorkerDelta } from '../../../src/server/worker/messages.ts'
import { ReplicationClient } from '../../../src/server/worker/replication-client.ts'
import { fileReader } from '../../../src/server/data-folder/table-persister.ts'
import { TenantReplica } from '../../../src/server/worker/replica.ts'
import { standardCatalog } from '../../../src/store/index.ts'
import { StoreFigures } from '../../../src/server/data-folder/store-gauges.ts'

let folder: string
let thread: IngestThread
let unlock: () => Promise<void>
const logged: unknown[] = []
const loads: unknown[] = []
let replaced = 0

async function start(options: Partial<IngestThreadOptions> = {}): Promise<void> {
  const opened = await openDataFolder(folder, () => 0n)
  await opened.batches.close()
  unlock = opened.close
  thread = new IngestThread({
    backends: ['default'],
    limits: defaultServerLimits,
    folder,
    lock: opened.lock,
    keeping: {
      cacheBytes: 1 << 20,
      retention: undefined,
      logBytes: undefined,
      diskReserveBytes: undefined,
      storeBytes: undefined,
    },
    figures: new StoreFigures(),
    load: {
      module: new URL('./playful-load.ts', import.meta.url),
      data: 'loading',
      onMessage: (message) => loads.push(message),
    },
    heapMiB: 96,
    silentMs: 20_000,
    nowNs: () => 1_767_225_600_000_000_000n,
    log: { info: () => undefined, error: (fields) => logged.push(fields) },
    onBackground: (port) => port.close(),
    onReplaced: () => replaced++,
    onFailed: (error) => logged.push(error),
    ...options,
  })
  await thread.ready
}

async function stop(): Promise<void> {
  await thread.close()
  await unlock()
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-ingest-'))
  logged.length = 0
  loads.length = 0
  replaced = 0
  await start()
})

afterEach(async () => {
  await stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Returns the number of accepted rows, or the code of the error. */
async function put(lines: string): Promise<unknown> {
  const body = { chunks: [Buffer.from(lines)], encoding: 'identity' }
  try {
    const { accepted } = await thread.ingest({ backend: undefined, table: 'logs', format: 'ndjson', body })
    return accepted
  } catch (error) {
    return error instanceof SluiceError ? error.code : error
  }
}

/** Repeats a body until the answer is not `server/busy`. */
async function putAgain(lines: string): Promise<unknown> {
  for (;;) {
    const answer = await put(lines)
    if (answer !== 'server/busy') return answer
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const range = { startNs: -(2n ** 63n), endNs: 2n ** 63n - 1n }

/** Returns the replica of a query worker, and the files that the worker was told to drop. */
async function replicated() {
  const tables = [...standardCatalog.tables.values()]
  const clock = { nowMs: () => 0, nowNs: () => 0n }
  const replica = new TenantReplica(tables, clock, fileReader(1 << 20))
  const removed: string[] = []
  const reader = new ReplicationClient<QueryWorkerDelta>(
    thread.connect(),
    (news) => replica.apply(news),
    (paths) => removed.push(...paths),
  )
  await reader.upToDate()
  return { replica, reader, removed }
}

/** Returns the strings that a query worker finds. */
async function found(): Promise<readonly string[]> {
  const { replica, reader } = await replicated()
  reader.close()
  return textsOf(replica)
}

async function textsOf(replica: TenantReplica): Promise<readonly string[]> {
  const texts: string[] = []
  const result = replica.engine.query('* | sort by (content)', { range, table: 'logs' })
  for await (const batch of result.batches())
    for (const row of rowsOf(batch)) texts.push(toText(row.get('content') ?? null))
  return texts
}

const line = (content: string, rest = ''): string => `{"content":"${content}"${rest}}`

test.each([
  ['throw', 'crash'],
  ['spin', 'silent'],
  ['eat', 'memory'],
])('a body that makes the thread %s is refused, and nothing that was acknowledged is lost', async (play, why) => {
  if (play === 'spin') {
    await stop()
    await start({ silentMs: 1000 })
    loads.length = 1
  }
  expect(await put(`${line('a')}\n${line('b')}`)).toBe(2)
  const hostile = put(line('hostile', `,"play":"${play}"`))
  // This body may already be in the log, or may be applied after the failing one. If it is rejected, none of its rows
  // is stored.
  const beside = put(line('beside'))
  expect(await hostile).toBe('server/body-not-taken')
  const isBesideStored = (await beside) === 1
  expect(await putAgain(line('c'))).toBe(1)
  const expected = ['a', 'b', ...(isBesideStored ? ['beside'] : []), 'c']
  expect(await found()).toEqual(expected)
  expect([logged.map((fields) => (fields as { why: string }).why), replaced]).toEqual([[why], 1])
  // The new thread loads the modules again.
  expect(loads).toEqual(['loading', 'loading'])
  await stop()
  await start()
  expect(await found()).toEqual(expected)
})

test('bodies are ingested in the order in which they are sent, however large', async () => {
  const large = Array.from({ length: 40_000 }, (_, i) => line(`row ${i} ${'x'.repeat(60)}`)).join('\n')
  const answers = await Promise.all([put(large), put(line('small')), put('no'), put(large)])
  expect(answers).toEqual([40_000, 1, 0, 40_000])
  expect((await found()).length).toBe(80_001)
})

test('bodies in flight are stored before the log is closed', async () => {
  const answers = Array.from({ length: 20 }, (_, i) => put(line(`late ${i}`)))
  await stop()
  const stored = (await Promise.all(answers)).filter((answer) => answer === 1).length
  await start()
  expect([stored, (await found()).length]).toEqual([20, 20])
})

test('a log that cannot be read back is reported, not passed over', async () => {
  await put(line('a'))
  await stop()
  const path = join(folder, 'batches.log')
  const bytes = readFileSync(path)
  bytes[bytes.length - 1] = 0
  writeFileSync(path, bytes)
  await expect(start()).rejects.toMatchObject({ code: 'durable/damaged' })
  await expect(thread.readBack).rejects.toMatchObject({ code: 'durable/damaged' })
  expect(await put(line('b'))).toBe('durable/damaged')
})

test('a file whose place another took stays while a read of it is running, and leaves soon after', async () => {
  const remove = (content: string): Promise<number> =>
    thread.delete({
      backend: undefined,
      table: 'logs',
      where: `content:="${content}"`,
      range,
      nowNs: 0n,
      mode: 'delete',
    })
  const files = (): readonly string[] =>
    readdirSync(join(folder, 'segments', 'default')).filter((name) => name.endsWith('.part'))
  await put(['a', 'b', 'c', 'd'].map((content) => line(content)).join('\n'))
  expect(await remove('a')).toBe(1)
  const [before = ''] = files().toSorted().toReversed()
  const { replica, reader, removed } = await replicated()
  const end = present(reader.beginRead(), 'a read of what there is')
  expect(await remove('b')).toBe(1)
  // Each deletion checks which files can be removed.
  expect(await remove('c')).toBe(1)
  expect(files()).toContain(before)
  expect(await textsOf(replica)).toEqual(['b', 'c', 'd'])
  // A read that starts now sees a newer state.
  expect(reader.beginRead()).toBe(undefined)
  end()
  await expect.poll(files).not.toContain(before)
  await expect.poll(() => removed).toContain(join(folder, 'segments', 'default', before))
  expect(files()).toHaveLength(1)
  await reader.upToDate()
  expect(await textsOf(replica)).toEqual(['d'])
  reader.close()
})
