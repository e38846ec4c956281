import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SluiceError } from '../../../src/base/index.ts'
import { openBatchLog, type Batch } from '../../../src/store/durable/index.ts'
import { openSqlite } from '../../../src/store/sqlite/index.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-batch-log-'))
  path = join(folder, 'batches.db')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function batch(text: string, table = 'logs'): Batch {
  return { backend: 'default', table, format: 'ndjson', receivedNs: 9223372036854775807n, payload: Buffer.from(text) }
}

async function codeOf(work: () => unknown): Promise<string> {
  try {
    await work()
  } catch (error) {
    if (error instanceof SluiceError) return error.code
    throw error
  }
  return 'none'
}

test('batches come back in the order they were acknowledged, small and packed ones alike', async () => {
  const log = await openBatchLog(path)
  const long = '{"a":1}\n'.repeat(1000)
  await Promise.all([log.append(batch('one')), log.append(batch(long, 'spans')), log.append(batch('three'))])
  await log.close()
  const again = await openBatchLog(path)
  const found = [...again.replay()].map((b) => [b.table, b.receivedNs, Buffer.from(b.payload).toString()])
  await again.close()
  expect(found).toEqual([
    ['logs', 9223372036854775807n, 'one'],
    ['spans', 9223372036854775807n, long],
    ['logs', 9223372036854775807n, 'three'],
  ])
})

test('close takes along what waits; afterwards batches are refused', async () => {
  const log = await openBatchLog(path)
  const under = log.append(batch('waiting'))
  await log.close()
  await under
  expect(await codeOf(() => log.append(batch('late')))).toBe('durable/closed')
  const again = await openBatchLog(path)
  expect([...again.replay()]).toHaveLength(1)
  await again.close()
})

test('a changed payload, table or time is found by the checksum', async () => {
  const log = await openBatchLog(path)
  await log.append(batch('payload'))
  await log.close()
  for (const change of ["payload = x'00'", "kind = 'spans'", 'received_ns = 1']) {
    const copy = join(folder, 'copy.db')
    writeFileSync(copy, readFileSync(path))
    const connection = await openSqlite(copy)
    connection.exec(`UPDATE batches SET ${change}`)
    connection.close()
    const damaged = await openBatchLog(copy)
    expect(await codeOf(() => [...damaged.replay()])).toBe('durable/damaged')
    await damaged.close()
  }
})

test('a file of a later release is refused', async () => {
  const connection = await openSqlite(path)
  connection.pragma('user_version = 99')
  connection.close()
  expect(await codeOf(() => openBatchLog(path))).toBe('durable/newer-version')
})

test('a second opener is refused while the first is there', async () => {
  const log = await openBatchLog(path)
  await log.append(batch('one'))
  expect(await codeOf(() => openBatchLog(path))).toBe('durable/in-use')
  await log.close()
  const again = await openBatchLog(path)
  expect([...again.replay()]).toHaveLength(1)
  await again.close()
})

test('a batch that went missing is found', async () => {
  const log = await openBatchLog(path)
  for (const text of ['one', 'two', 'three']) await log.append(batch(text))
  await log.close()
  const connection = await openSqlite(path)
  connection.exec('DELETE FROM batches WHERE id = 2')
  connection.close()
  const damaged = await openBatchLog(path)
  expect(await codeOf(() => [...damaged.replay()])).toBe('durable/damaged')
  await damaged.close()
})

test('bytes changed anywhere in the file never give other rows without a word', async () => {
  const log = await openBatchLog(path)
  for (let i = 0; i < 40; i++) await log.append(batch(`${'x'.repeat(900)}${i}`))
  await log.close()
  const original = readFileSync(path)
  const outcomes = new Set<string>()
  const copy = join(folder, 'mutated.db')
  for (let i = 0; i < 60; i++) {
    const bytes = Buffer.from(original)
    const at = Math.floor((i / 60) * bytes.length) + (i % 7)
    bytes[at] = (bytes[at] ?? 0) ^ (1 + (i % 255))
    writeFileSync(copy, bytes)
    rmSync(`${copy}-wal`, { force: true })
    rmSync(`${copy}-shm`, { force: true })
    const outcome = await codeOf(async () => {
      const mutated = await openBatchLog(copy)
      try {
        const found = [...mutated.replay()].map((b) => Buffer.from(b.payload).toString())
        expect(found).toEqual(Array.from({ length: 40 }, (_, n) => `${'x'.repeat(900)}${n}`))
      } finally {
        await mutated.close()
      }
    })
    outcomes.add(outcome)
  }
  expect([...outcomes].filter((code) => code !== 'none' && !/^(durable|sqlite)\//.test(code))).toEqual([])
  expect(outcomes.size).toBeGreaterThan(1)
})
