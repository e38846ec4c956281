import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { loadFiles } from '../../../src/sources/files/index.ts'
import { createMemoryStore, standardCatalog, timeNsAt } from '../../../src/store/index.ts'
import { formatRfc3339, parseRfc3339 } from '../../../src/base/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-modified-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const nowNs = parseRfc3339('2026-03-10T12:00:00Z') ?? 0n

/** Returns the times of the rows of several files that a single reader reads in order. */
async function times(...files: readonly (readonly [modified: string, text: string])[]): Promise<readonly string[]> {
  const table = createMemoryStore(standardCatalog).table('logs')
  const paths = files.map(([modified, text], i) => {
    const path = join(folder, `${i}.log`)
    writeFileSync(path, text)
    utimesSync(path, new Date(modified), new Date(modified))
    return path
  })
  await loadFiles(paths, table, { format: 'auto', nowNs })
  return table.view
    .snapshot()
    .flatMap((segment) => Array.from({ length: segment.rowCount }, (_, row) => timeNsAt(segment, row)))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((ns) => formatRfc3339(ns).replace(/\.0+Z$/, 'Z'))
}

test.each([
  ['a time of day', '2023-07-29T18:00:00Z', '16:07:11 INFO up', '2023-07-29T16:07:11Z'],
  ['a time of day before midnight', '2023-07-29T00:10:00Z', '23:50:00 INFO up', '2023-07-28T23:50:00Z'],
  ['a time of day soon after the change', '2023-07-29T18:00:00Z', '18:30:00 INFO up', '2023-07-29T18:30:00Z'],
  ['a date without a year', '2023-07-29T18:00:00Z', 'Jul 29 16:07:11 web app[7]: up', '2023-07-29T16:07:11Z'],
  ['a date of the year before', '2023-01-02T18:00:00Z', 'Dec 31 16:07:11 web app[7]: up', '2022-12-31T16:07:11Z'],
  ['a date without a year, framed', '2023-07-29T18:00:00Z', '<13>Jul 29 16:07:11 web app: up', '2023-07-29T16:07:11Z'],
  ['klog', '2023-07-29T18:00:00Z', 'I0729 16:07:11.000000 7 a.go:1] up', '2023-07-29T16:07:11Z'],
  ['a change in the future', '2027-01-01T00:00:00Z', 'Jul 29 16:07:11 web app[7]: up', '2025-07-29T16:07:11Z'],
])('%s is completed from the last change of its file', async (_, modified, text, expected) => {
  expect(await times([modified, `${text}\n`])).toEqual([expected])
})

test('each file has its own last change, and a record without a time that of reading', async () => {
  const line = 'Jul 29 16:07:11 web app[7]: up\n'
  const files = [
    ['2022-07-30T00:00:00Z', line],
    ['2023-07-30T00:00:00Z', line],
    ['2023-07-30T00:00:00Z', 'no time\n'],
  ] as const
  expect(await times(...files)).toEqual(['2022-07-29T16:07:11Z', '2023-07-29T16:07:11Z', '2026-03-10T12:00:00Z'])
})
