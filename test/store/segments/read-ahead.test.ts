import { afterEach, describe, expect, test, vi } from 'vitest'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { valueAt } from '../../../src/data/index.ts'
import { createEngine } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { MemoryTable } from '../../../src/store/index.ts'
import { BlockCache, type BlockSource } from '../../../src/store/segments/index.ts'
import { fileOf, manyKinds, opened, rowCounter, sealedTable, sourceOf } from './read-all.ts'

const SEGMENTS = 8
const ROWS = 3000

const table = new MemoryTable(sealedTable([]).definition)
const rows = manyKinds(ROWS * SEGMENTS)
  .map(([timeNs, row]) => ({ timeNs, row: new Map(row) }))
  .toSorted((a, b) => (a.timeNs < b.timeNs ? -1 : 1))
for (let from = 0; from < rows.length; from += ROWS) {
  table.writer.appendRows(rows.slice(from, from + ROWS))
  table.seal()
}
const files = table.view.snapshot().map((segment) => fileOf(table, segment))

interface Request {
  readonly file: number
  readonly from: number
  readonly to: number
  readonly isAhead: boolean
}

/** Returns a function that runs a query and returns all values of the answer. */
function reader(from: MemoryTable): (query: string) => Promise<readonly unknown[]> {
  const backends = [columnarBackend({ tables: new Map([['logs', from.view]]) }, standardFunctions)]
  const engine = createEngine({ backends, lint: 'off' })
  return async (query) => {
    const found: unknown[] = []
    for await (const { columns, rowCount } of engine.query(query).batches())
      for (let row = 0; row < rowCount; row++) found.push(columns.map((column) => valueAt(column, row)))
    return found
  }
}

/** Returns a function that counts the matching rows, for which no row is read. */
function counter(from: MemoryTable): (query: string) => Promise<unknown> {
  const read = reader(from)
  return (query) => read(`${query} | stats count() n`)
}

/** Returns the same rows in files, and the requests that these files receive. */
function watched(change = (bytes: Buffer, _file: number) => bytes) {
  const requests: Request[] = []
  const cache = new BlockCache(1 << 26)
  const disk = new MemoryTable(table.definition)
  const segments = files.map(({ file, summary }, number) => {
    const noted = (from: number, length: number, isAhead: boolean): void =>
      void requests.push({ file: number, from, to: Math.min(file.length, from + length), isAhead })
    const plain = sourceOf(change(file, number))
    const source: BlockSource = {
      ...plain,
      crc: summary.crc,
      read: (into, at) => {
        noted(at, into.length, false)
        return plain.read(into, at)
      },
      readAhead: (at, length) => noted(at, length, true),
    }
    return opened(table, source, summary, cache)
  })
  disk.segments.add(segments)
  return { disk, requests, count: rowCounter(disk), counted: counter(disk), read: reader(disk) }
}

/**
 * Returns the row counts of an answer's batches. Each reading of the clock adds 0.6 ms, so that each pull ends as early
 * as it can.
 */
async function batchesOf(from: MemoryTable, query: string): Promise<readonly number[]> {
  const engine = createEngine({
    backends: [columnarBackend({ tables: new Map([['logs', from.view]]) }, standardFunctions)],
    lint: 'off',
  })
  let nowMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 0.6))
  const rowCounts: number[] = []
  for await (const { rowCount } of engine.query(query).batches()) rowCounts.push(rowCount)
  return rowCounts
}

afterEach(() => {
  vi.restoreAllMocks()
})

/** Returns the reads that no earlier prefetch covers completely. */
function waitedFor(requests: readonly Request[]): readonly Request[] {
  return requests.filter(
    (read, i) =>
      !read.isAhead &&
      !requests
        .slice(0, i)
        .some(({ isAhead, file, from, to }) => isAhead && file === read.file && from <= read.from && to >= read.to),
  )
}

const byFile = (requests: readonly Request[]): number[] =>
  Array.from({ length: SEGMENTS }, (_, file) => requests.filter((each) => each.file === file).length)

describe('what a scan needs of later segments is asked for ahead', () => {
  const inMemory = counter(table)

  test.each([
    'request wide',
    'level:error',
    '"took 3 ms"',
    'user1* level:error',
    '-level:error request',
    'request or level:info',
  ])('%s', async (query) => {
    const { requests, counted } = watched()
    expect(await counted(query)).toEqual(await inMemory(query))
    const reads = byFile(requests.filter(({ isAhead }) => !isAhead))
    const waited = byFile(waitedFor(requests))
    // Rows are read newest first, so reads of the oldest segments were prefetched.
    expect(reads[0]).toBeGreaterThan(0)
    expect(waited.slice(0, 2)).toEqual([0, 0])
    expect(waited[SEGMENTS - 1]).toBe(reads[SEGMENTS - 1])
  })

  test.each(['user42 | limit 30', 'user42 | sort by (_time desc) | limit 30'])('%s', async (query) => {
    // With a stopped clock, no request ends before all requests are made.
    vi.spyOn(performance, 'now').mockReturnValue(0)
    const { requests, read } = watched()
    const found = await read(query)
    expect(found).toEqual(await reader(table)(query))
    // Blocks of rows in different places are requested together. Only the reads that lead to them are waited for.
    expect(requests.length).toBeGreaterThan(100)
    expect(waitedFor(requests).length).toBeLessThan(5)
  })

  test('and few rows of several files come in one batch', async () => {
    const { disk } = watched()
    const query = 'user42 | limit 200'
    const inMemory = await batchesOf(table, query)
    const first = await batchesOf(disk, query)
    expect(first.length).toBeLessThan(SEGMENTS / 2)
    const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)
    expect(sumOf(first)).toBe(sumOf(inMemory))
  })

  test('but for a limit that the newest segment meets', async () => {
    const { requests, count } = watched()
    expect(await count('request | limit 3')).toBe(3)
    expect(byFile(requests).slice(0, -1)).toEqual(Array.from({ length: SEGMENTS - 1 }, () => 0))
  })

  test.each([
    'request level:error',
    'user42 level:error',
    'user42 level:error | limit 30',
    'level:error user42 | sort by (_time desc) | limit 20',
    'user1* level:error | limit 50',
    '"took 30 ms" level:info | limit 20',
    'rare:r100 or mixed:text | limit 20',
    'level:error odd:>10 | limit 20',
  ])('and nothing once it is held: %s', async (query) => {
    const { requests, read } = watched()
    // The values must be cached as well, not only the rows. How rows form batches depends on time, and a batch from a
    // single segment prefetches nothing.
    let lookMs = 30
    let nowMs = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += lookMs))
    await read(query)
    await read(query)
    const before = requests.length
    lookMs = 0
    await read(query)
    expect(requests.slice(before)).toEqual([])
  })

  test('and damage is reported for where the scan meets it', async () => {
    const cut = (bytes: Buffer, file: number): Buffer => (file < 5 ? Buffer.alloc(bytes.length) : bytes)
    const { count } = watched(cut)
    expect(await count(`request | limit ${2 * ROWS}`)).toBe(2 * ROWS)
    await expect(count('request')).rejects.toThrow('damaged')
  })
})
