import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildConsole, sizesOfConsole, type ConsoleSizes } from '../../tools/console.ts'

/**
 * Budgets in bytes after gzip. They leave about 2 % of slack, so that larger growth needs a decision. The goal is 360
 * kB for the engine and 450 kB for everything else.
 */
const BUDGET_BYTES: ConsoleSizes = {
  firstRows: 70_000,
  language: 256_000,
  otherLanguages: 52_000,
  engine: 413_000,
  withoutEngine: 527_000,
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-console-sizes-'))
let sizes: ConsoleSizes
beforeAll(async () => {
  await buildConsole(folder)
  sizes = sizesOfConsole(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(Object.keys(BUDGET_BYTES) as (keyof ConsoleSizes)[])('%s of the console stays within its budget', (part) => {
  expect(sizes[part]).toBeGreaterThan(10_000)
  expect(sizes[part]).toBeLessThanOrEqual(BUDGET_BYTES[part])
})
