// @module-tag slow
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Budget, SluiceError } from '../../../../src/base/index.ts'
import { duckdbEngine } from '../../../../src/backends/sql/engines/duckdb.ts'
import type { ForeignEngine, ForeignStatement } from '../../../../src/backends/sql/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-duckdb-memory-'))
let engine: ForeignEngine

beforeAll(async () => {
  engine = await duckdbEngine({ memoryBytes: 100 * 2 ** 20, threads: 1, scratch: { folder, bytes: 0 } })
})
afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

/** Returns a statement with sorted rows, all of which the database holds in memory until the last one is read. */
const sorted = (rows: number): ForeignStatement => ({
  sql: `SELECT md5(range::VARCHAR) || range AS t FROM range(${rows}) ORDER BY t`,
  parameters: [],
  forms: ['text'],
})

async function run(statement: ForeignStatement, onFirst?: () => Promise<void>): Promise<number> {
  const limits = { memoryBytes: 2 ** 30, timeoutMs: 600_000, scanRows: Infinity }
  const budget = new Budget(limits, () => performance.now())
  let rows = 0
  for await (const { rowCount } of engine.run(statement, { budget, batchRows: 1024 })) {
    if (rows === 0) await onFirst?.()
    rows += rowCount
  }
  return rows
}

const codeOf = (running: Promise<number>): Promise<unknown> =>
  running.catch((error: unknown) => (error instanceof SluiceError ? [error.code, error.message] : error))

test('a statement that alone needs more memory than DuckDB may have ends with the limit', async () => {
  expect(await codeOf(run(sorted(3_000_000)))).toEqual([
    'budget/memory',
    'The query needs more than its memory limit of 100 MiB.',
  ])
})

test('a statement that finds no memory while another has it is tried again when that has ended', async () => {
  const ROWS = 700_000
  let second: Promise<unknown> | undefined
  const first = await run(sorted(ROWS), async () => {
    second = codeOf(run(sorted(ROWS)))
    // Within this time the second statement reaches the memory limit and waits for the first.
    await new Promise((resolve) => setTimeout(resolve, 500))
  })
  expect([first, await second]).toEqual([ROWS, ROWS])
})
