// @module-tag slow
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { runCooperatively, seededRandom, type Random } from '../../../src/base/index.ts'
import {
  HttpFault,
  createIngestService,
  openDataFolder,
  replayBatches,
  type IngestService,
} from '../../../src/server/index.ts'
import { StoreMemory, type Dropped } from '../../../src/server/ingest/store-memory.ts'
import { tablePersister } from '../../../src/server/data-folder/table-persister.ts'
import { newTarget, newTenant, type Tenant } from '../../../src/server/backends/tenant.ts'
import { diskFiles, type Files } from '../../../src/store/durable/index.ts'
import { FileReaders } from '../../../src/store/persistence/index.ts'
import { MemoryTable, standardCatalog } from '../../../src/store/index.ts'

const NOW_NS = 1_767_225_600_000_000_000n
const clock = { nowMs: () => Number(NOW_NS / 1_000_000n), nowNs: () => NOW_NS }
const always = { startNs: -(2n ** 63n), endNs: 2n ** 63n - 1n }
const MIB = 1024 ** 2
/** Enough rows for the oldest to be evicted several times. */
const ROWS = 300_000

const folders: string[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function rows(from: number, count: number): string {
  return Array.from({ length: count }, (_, i) => {
    const row = from + i
    const time = new Date(1_767_225_600_000 + row).toISOString()
    return `{"_time":"${time}","content":"row ${row} ${'said '.repeat(20)}","row":${row}}`
  }).join('\n')
}

function send(service: IngestService, text: string): Promise<unknown> {
  const body = { chunks: [Buffer.from(text)], encoding: 'identity' as const }
  return service.ingest({ backend: undefined, table: 'logs', format: 'ndjson', body })
}

async function counted(tenant: Tenant): Promise<unknown> {
  return tenant.engine.query('* | stats count() n, min(row) first, max(row) last', { range: always }).toArray()
}

test('rows in memory stay within their limit: the oldest are dropped, and this is reported', async () => {
  const tenant = newTenant(clock)
  const told: Dropped[] = []
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const memory = new StoreMemory({
    targets: new Map([['default', tenant]]),
    limitBytes: 16 * MIB,
    flushForMemory: undefined,
    onDropped: (dropped) => told.push(dropped),
  })
  const service = createIngestService({
    targetOf: () => tenant,
    log: undefined,
    makeRoom: (...of) => memory.makeRoom(...of),
    nowNs: clock.nowNs,
  })
  let most = 0
  for (let from = 0; from < ROWS; from += 5000) {
    await send(service, rows(from, 5000))
    most = Math.max(most, memory.usedBytes)
  }
  expect(most).toBeLessThanOrEqual(16 * MIB)
  const [left] = (await counted(tenant)) as readonly { n: number; first: number; last: number }[]
  // The newest rows remain, without a gap.
  expect(left).toEqual({ n: ROWS - left!.first, first: left!.first, last: ROWS - 1 })
  expect(left!.n).toBeGreaterThan(10_000)
  expect(left!.first).toBeGreaterThan(10_000)
  expect(told).toHaveLength(1)
  expect(told[0]!.rows).toBeGreaterThan(0)
  vi.advanceTimersByTime(60_000)
  // Later evictions are reported together, even if no further ones follow.
  expect(told).toHaveLength(2)
  expect(told[0]!.rows + told[1]!.rows).toBe(left!.first)
  expect(memory.droppedRows).toBe(left!.first)
})

/** Creates a server in memory that records the reported evictions. */
function inMemory(limitBytes: number) {
  const tenant = newTenant(clock, newTarget(1_000_000, { cacheBytes: MIB / 4, tail: { samples: 16_384, each: 16 } }))
  const told: Dropped[] = []
  const memory = new StoreMemory({
    targets: new Map([['default', tenant]]),
    limitBytes,
    flushForMemory: undefined,
    onDropped: (dropped) => told.push(dropped),
  })
  const service = createIngestService({
    targetOf: () => tenant,
    log: undefined,
    makeRoom: (...of) => memory.makeRoom(...of),
    nowNs: clock.nowNs,
  })
  const sendSamples = async (text: string): Promise<void> => {
    const body = { chunks: [Buffer.from(text)], encoding: 'identity' as const }
    await service.ingest({ backend: undefined, table: 'samples', format: 'prometheus-text', body })
  }
  return { tenant, told, memory, service, sendSamples }
}

/** Returns a scrape of 200 series with random values, which are incompressible. */
function scrape(number: number, random: Random, name = 'm'): string {
  const timeMs = 1_767_225_600_000 + number * 15_000
  return Array.from({ length: 200 }, (_, pod) => `${name}{pod="p${pod}"} ${random.next()} ${timeMs}\n`).join('')
}

test('samples in memory stay within their limit: whole files of the oldest are dropped, and this is reported', async () => {
  const { tenant, told, memory, sendSamples } = inMemory(3 * MIB)
  const random = seededRandom(1)
  const scrapes = 2500
  let most = 0
  for (let number = 0; number < scrapes; number += 5) {
    await sendSamples(Array.from({ length: 5 }, (_, i) => scrape(number + i, random)).join(''))
    most = Math.max(most, memory.usedBytes)
  }
  expect(most).toBeLessThanOrEqual(3 * MIB)
  const left = tenant.samples.reader.select({ matchers: [], guard: undefined, startMs: -Infinity, endMs: Infinity })
  expect(left).toHaveLength(200)
  const [{ timesMs } = expect.unreachable('a series')] = left
  // The newest samples remain, without a gap, and they use most of the allowed memory.
  const first = scrapes - timesMs.length
  for (const { timesMs: times } of left)
    expect([times.length, times[0]]).toEqual([timesMs.length, 1_767_225_600_000 + first * 15_000])
  expect(timesMs.length * 200).toBeGreaterThan((3 * MIB) / 2 / 12)
  expect(memory.droppedSamples).toBe(first * 200)
  expect(told[0]?.samples).toBeGreaterThan(0)
  expect(memory.droppedRows).toBe(0)
})

test('of rows and samples the oldest are dropped, whichever they are', async () => {
  const { tenant, memory, service, sendSamples } = inMemory(16 * MIB)
  const random = seededRandom(2)
  // First send samples that are an hour old, then current rows.
  for (let number = 0; number < 240; number++) await sendSamples(scrape(number - 480, random, 'old'))
  await runCooperatively(tenant.packer!.settle())
  tenant.packer!.freezeColumns()
  await runCooperatively(tenant.packer!.settle())
  const before = tenant.samples.sampleCount
  for (let from = 0; memory.droppedRows === 0; from += 5000) await send(service, rows(from, 5000))
  expect(before).toBe(48_000)
  expect(memory.droppedSamples).toBe(before)
  expect(tenant.samples.sampleCount).toBe(0)
})

test('a sender whose series are others in every scrape fills the memory with no dead ones', async () => {
  const { tenant, memory, sendSamples } = inMemory(16 * MIB)
  const random = seededRandom(3)
  let most = 0
  for (let number = 0; number < 600; number++) {
    await sendSamples(scrape(number, random, `churning_${number}`))
    most = Math.max(most, tenant.samples.series.count)
    expect(memory.usedBytes).toBeLessThanOrEqual(16 * MIB)
  }
  expect(memory.droppedSamples).toBe(120_000 - tenant.samples.sampleCount)
  expect(tenant.samples.series.count).toBe(tenant.samples.sampleCount)
  // The newest series remain, and the slots of evicted ones are reused.
  expect(tenant.samples.series.count).toBeGreaterThan(10_000)
  expect(tenant.samples.series.all.length).toBeLessThan(most + 1000)
  const [newest] = tenant.samples.series.find([{ label: '__name__', op: '=', value: 'churning_599' }])
  expect(newest?.span?.lastMs).toBe(1_767_225_600_000 + 599 * 15_000)
})

test('a body that never has room is refused without any row leaving for it', async () => {
  const tenant = newTenant(clock)
  const memory = new StoreMemory({
    targets: new Map([['default', tenant]]),
    limitBytes: 16 * MIB,
    flushForMemory: undefined,
    onDropped: () => expect.fail('no row leaves'),
  })
  const service = createIngestService({
    targetOf: () => tenant,
    log: undefined,
    makeRoom: (...of) => memory.makeRoom(...of),
    nowNs: clock.nowNs,
  })
  await send(service, rows(0, 5000))
  const large = {
    status: 413,
    code: 'server/body-beyond-memory',
    message: expect.stringContaining('16777216') as string,
  }
  await expect(send(service, rows(0, 50_000))).rejects.toMatchObject(large)
  expect(await counted(tenant)).toEqual([{ n: 5000, first: 0, last: 4999 }])
})

test('for a body that is large beside the memory no more rows leave than it takes', async () => {
  const tenant = newTenant(clock)
  const memory = new StoreMemory({
    targets: new Map([['default', tenant]]),
    limitBytes: 16 * MIB,
    flushForMemory: undefined,
    onDropped: () => undefined,
  })
  const sentRows = 100_000
  let steps = 0
  let mostBytes = 0
  const service = createIngestService({
    targetOf: () => tenant,
    log: undefined,
    makeRoom: (bytes) => {
      const makeRoom = memory.makeRoom(bytes)
      return (
        makeRoom &&
        (() => {
          makeRoom()
          steps++
          mostBytes = Math.max(mostBytes, memory.usedBytes)
        })
      )
    },
    nowNs: clock.nowNs,
  })
  for (let from = 0; from < sentRows; from += 5000) await send(service, rows(from, 5000))
  const before = ((await counted(tenant)) as readonly { n: number }[])[0]!.n
  // The body is close to the largest size that is accepted.
  const body = rows(sentRows, 30_000)
  expect(body.length * 3).toBeGreaterThan(14 * MIB)
  await send(service, body)
  const [left] = (await counted(tenant)) as readonly { n: number; first: number; last: number }[]
  expect(left).toEqual({ n: sentRows + 30_000 - left!.first, first: left!.first, last: sentRows + 29_999 })
  // Accepting the body does not evict all existing rows.
  expect(left!.n).toBeGreaterThan(before)
  expect(steps).toBeGreaterThan(10)
  expect(Math.max(mostBytes, memory.usedBytes)).toBeLessThanOrEqual(16 * MIB)
})

/** Returns rows with two values that occur in no other row. */
function distinct(from: number, count: number): string {
  return Array.from({ length: count }, (_, i) => {
    const id = `${(from + i).toString(16).padStart(8, '0')}${'0123456789abcdef'.repeat(2)}`
    return `{"_time":"2026-01-01T00:00:00Z","trace_id":"${id}","span_id":"${id}"}`
  }).join('\n')
}

test('where dictionaries have taken the memory, senders are reported so instead of waiting for segments', async () => {
  const server = await kept(diskFiles, 8 * MIB, 10n ** 18n)
  let refusal: unknown
  for (let from = 0; refusal === undefined && from < 500_000; from += 5000) {
    for (;;) {
      refusal = await send(server.service, distinct(from, 5000)).then(
        () => undefined,
        (error: unknown) => error,
      )
      await server.tables.settled()
      if (!(refusal instanceof HttpFault) || refusal.code !== 'server/busy') break
    }
  }
  expect(refusal).toMatchObject({ status: 503, code: 'server/memory-full', headers: { 'Retry-After': '60' } })
  expect(String(refusal)).toContain('8388608')
  // A smaller body is still accepted.
  await send(server.service, distinct(0, 10))
  await server.stop()
})

test('rows of thousands of epochs take little', () => {
  const table = new MemoryTable(standardCatalog.tables.get('logs') as never)
  for (let epoch = 0; epoch < 2000; epoch++)
    table.writer.appendRows([{ timeNs: BigInt(epoch) << 52n, row: new Map([['content', 'one']]) }])
  expect(table.view.memoryBytes).toBeLessThan(40 * MIB)
})

async function kept(files: Files, storeBytes: number | undefined, age: bigint) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-limits-'))
  folders.push(folder)
  const opened = await openDataFolder(folder, clock.nowNs, { files, diskReserveBytes: 10 * MIB })
  const tenant = newTenant(clock)
  const tables = tablePersister({
    ...opened,
    targets: new Map([['default', tenant]]),
    readers: new FileReaders(),
    cacheBytes: MIB,
    retention: { ageNs: new Map([['logs', age]]), bytes: undefined },
    logBytes: undefined,
    keepsSegments: true,
    nowNs: () => NOW_NS + 86_400_000_000_000n,
    onChange: () => undefined,
    onFailure: (error) => expect.fail(String(error)),
  })
  await replayBatches(opened.batches, () => tenant, tables)
  tables.readBack()
  const memory = new StoreMemory({
    targets: new Map([['default', tenant]]),
    limitBytes: storeBytes ?? Infinity,
    flushForMemory: () => tables.flushForMemory(),
    onDropped: () => expect.fail('rows of a folder leave by retention alone'),
  })
  const service = createIngestService({
    targetOf: () => tenant,
    log: opened.batches,
    watch: tables,
    makeRoom: (...of) => memory.makeRoom(...of),
    nowNs: clock.nowNs,
  })
  const stop = async (): Promise<void> => {
    await tables.close()
    await opened.close()
  }
  return { tenant, tables, service, memory, opened, stop }
}

test('a disk that is full but for its reserve takes no batch, while queries, segments and retention go on', async () => {
  let freeBytes = 11 * MIB
  const server = await kept({ ...diskFiles, space: () => ({ freeBytes, totalBytes: 100 * MIB }) }, undefined, 1n)
  await send(server.service, rows(0, 100))
  freeBytes = 10 * MIB + 100
  const { lastId } = server.opened.batches.extent
  const refusal = send(server.service, rows(100, 100))
  await expect(refusal).rejects.toMatchObject({ status: 507, code: 'durable/disk-reserve' })
  expect(server.opened.batches.extent.lastId).toBe(lastId)
  expect(await counted(server.tenant)).toEqual([{ n: 100, first: 0, last: 99 }])
  server.tenant.store.table('logs').seal()
  server.tables.scheduleFlush()
  await server.tables.settled()
  server.tables.scheduleFlush()
  await server.tables.settled()
  expect(await counted(server.tenant)).toEqual([{ n: 0, first: null, last: null }])
  freeBytes = 11 * MIB
  await send(server.service, rows(200, 100))
  expect(await counted(server.tenant)).toEqual([{ n: 100, first: 200, last: 299 }])
  await server.stop()
})

test('memory that is full has senders wait until rows are in segments, and loses none', async () => {
  const server = await kept(diskFiles, 10 * MIB, 10n ** 18n)
  let refused = 0
  for (let from = 0; from < 100_000; from += 5000) {
    for (;;) {
      try {
        await send(server.service, rows(from, 5000))
        break
      } catch (error) {
        expect(error).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } })
        refused++
        await server.tables.settled()
      }
    }
    expect(server.memory.usedBytes).toBeLessThanOrEqual(10 * MIB)
  }
  expect(refused).toBeGreaterThan(0)
  expect(await counted(server.tenant)).toEqual([{ n: 100_000, first: 0, last: 99_999 }])
  await server.stop()
})
