import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { emptyReport, readRecords } from '../../../src/ingest/index.ts'
import { valueAt } from '../../../src/data/index.ts'
import { loadFiles } from '../../../src/sources/files/index.ts'
import { createMemoryStore, standardCatalog, timeNsAt } from '../../../src/store/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-journal-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const nowNs = 1_767_225_600_000_000_000n

function entry(message: string): Buffer {
  const text = Buffer.from(message)
  const head = Buffer.from('__CURSOR=s=1\n__REALTIME_TIMESTAMP=1764497472345678\nPRIORITY=3\nSYSLOG_IDENTIFIER=shop\n')
  if (!message.includes('\n')) return Buffer.concat([head, Buffer.from(`MESSAGE=${message}\n\n`)])
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(text.length))
  return Buffer.concat([head, Buffer.from('MESSAGE\n'), length, text, Buffer.from('\n\n')])
}

test('a file of `journalctl -o export` is its entries', async () => {
  const path = join(folder, 'journal')
  writeFileSync(path, Buffer.concat([entry('one'), entry('two\nlines'), entry('three').subarray(0, -1)]))
  const table = createMemoryStore(standardCatalog).table('logs')
  const { badLines } = await loadFiles([path], table, { format: 'auto', nowNs })
  const rows = table.view.snapshot().flatMap((segment) =>
    Array.from({ length: segment.rowCount }, (_, row) => [
      timeNsAt(segment, row),
      ...['content', 'level', 'workload'].map((name) => {
        const column = segment.columns.get(name)?.column
        return column === undefined ? null : valueAt(column, row)
      }),
    ]),
  )
  expect(badLines).toBe(0)
  expect(rows).toEqual(
    ['one', 'two\nlines', 'three'].map((text) => [1_764_497_472_345_678_000n, text, 'error', 'shop']),
  )
})

test.each([1, 13, 1000])('entries come in pieces of %d bytes, and one that is cut is reported', async (size) => {
  const all = Buffer.concat([entry('one'), entry('two\nlines'), entry('three').subarray(0, 40)])
  const chunks = (async function* () {
    for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size)
  })()
  const report = emptyReport()
  const texts: unknown[] = []
  for await (const records of readRecords(chunks, { format: 'auto', nowNs, report }))
    texts.push(...records.map((record) => record.get('MESSAGE')))
  expect(texts).toEqual(['one', 'two\nlines'])
  expect(report.badLines).toBe(1)
})
