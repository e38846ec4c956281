// @module-tag slow
import { expect, test } from 'vitest'
import { Instant, tagOf, toText, valueAt, type Value } from '../../../src/data/index.ts'
import { createMemoryStore, standardCatalog, type MemoryTable, type Segment } from '../../../src/store/index.ts'

const startNs = 1_767_225_600_000_000_000n
const ROWS = 2000

/** Values by number of the tail and of the row. Some of them make the column change its encoding while it is filled. */
const fields: Readonly<Record<string, (tail: number, row: number) => Value>> = {
  few: (_, row) => `v${row % 5}`,
  content: (tail, row) => `text ${tail} of row ${row} ${'x'.repeat(row % 50)}`,
  numbers: (tail, row) => tail * 1e6 + row / 4,
  'numbers, then texts': (tail, row) => (row < ROWS - tail * 100 ? row + 0.5 + tail * 3000 : `late ${row}`),
  'texts, then numbers': (tail, row) => (row < 1500 + tail ? `${tail} ${row} ${'y'.repeat(100)}` : row),
  'texts in one, numbers in the next': (tail, row) => (tail % 2 === 0 ? `${row} ${'z'.repeat(120)}` : row * 1.25),
  'every third': (tail, row) => (row % 3 === tail % 3 ? row + tail : null),
  'instants among numbers': (tail, row) => (row % 7 === tail ? new Instant(BigInt(row)) : row * 1.5),
}

function fill(table: MemoryTable, tail: number): void {
  table.writer.appendRows(
    Array.from({ length: ROWS }, (_, row) => ({
      timeNs: startNs + BigInt(tail * ROWS + row),
      row: new Map(Object.entries(fields).map(([name, of]) => [name, of(tail, row)])),
    })),
  )
  table.seal()
}

const told = (value: Value): unknown => (value === null ? null : [tagOf(value), toText(value)])

test.each([true, false])(
  'rows that take the memory of sealed ones are those that were added, with codes: %s',
  (hasCodes) => {
    const newTable = (): MemoryTable => createMemoryStore(standardCatalog, { hasCodes }).table('logs')
    const table = newTable()
    table.sealer.mostSpareBytes = 2 ** 24
    for (let tail = 0; tail < 5; tail++) {
      fill(table, tail)
      const segment = table.segments.all.at(-1) as Segment
      for (const [name, of] of Object.entries(fields)) {
        const column = segment.columns.get(name)?.column
        const found = Array.from({ length: ROWS }, (_, row) => told(column === undefined ? null : valueAt(column, row)))
        expect([name, found]).toEqual([name, Array.from({ length: ROWS }, (_, row) => told(of(tail, row)))])
      }
      if (hasCodes) continue
      const alone = newTable()
      fill(alone, tail)
      const inNewMemory = [...(alone.segments.all[0] as Segment).columns].map(([name, { column }]) => [name, column])
      expect([...segment.columns].map(([name, { column }]) => [name, column])).toEqual(inNewMemory)
    }
  },
)

test('sealed rows leave memory to those that come, until it is let go of', () => {
  const table = createMemoryStore(standardCatalog).table('logs')
  table.sealer.mostSpareBytes = 2 ** 24
  fill(table, 0)
  const withSpare = table.view.memoryBytes
  expect(table.view.usage().memoryBytes).toBe(withSpare)
  table.sealer.mostSpareBytes = 1000
  table.fields.dropSpare()
  const without = table.view.memoryBytes
  expect(without).toBeLessThan(withSpare)
  const [segment] = table.segments.all
  expect(without).toBeGreaterThanOrEqual((segment as Segment).memoryBytes)
  fill(table, 1)
  const withoutSpare = table.view.memoryBytes
  table.fields.dropSpare()
  expect(table.view.memoryBytes).toBe(withoutSpare)
})
