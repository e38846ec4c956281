import { expect, test } from 'vitest'
import { segmentFrame } from '../../../src/backends/columnar/segment-frame.ts'
import { recordIdentity } from '../../../src/backends/columnar/record-hashes.ts'
import { seededRandom } from '../../../src/base/index.ts'
import {
  columnOfValues,
  recordHash,
  valueAt,
  type Column,
  type StoredRow,
  type Value,
} from '../../../src/data/index.ts'
import { baseOf, fuzzRows } from '../../../src/fuzz/dataset.ts'
import { createMemoryStore, standardCatalog } from '../../../src/store/index.ts'

function sorted(rows: readonly StoredRow[]): StoredRow[] {
  return rows.toSorted((a, b) => (a.timeNs === b.timeNs ? a.sequence - b.sequence : a.timeNs < b.timeNs ? -1 : 1))
}

test('records hash alike from columns of every kind and from rows, wherever segments end', () => {
  for (let seed = 1; seed <= 12; seed++) {
    const random = seededRandom(seed)
    const rows = fuzzRows(random, 400, baseOf(random))
    const wanted = sorted(rows).map(({ row }) => recordHash(row))
    for (const cut of [0, Math.floor(rows.length / 3), rows.length]) {
      const table = createMemoryStore(standardCatalog).table('logs')
      table.writer.appendRows(rows.slice(0, cut))
      table.seal()
      table.writer.appendRows(rows.slice(cut))
      const found = table.view.snapshot().flatMap((segment) => {
        const { identity, rowCount } = segmentFrame(segment)
        return Array.from({ length: rowCount }, (_, row) => identity?.(row))
      })
      expect(found.map(String).toSorted()).toEqual(wanted.map(String).toSorted())
    }
  }
})

const values: Value[] = ['a', null, 'b', '', 3, 'a']

function hashesOf(column: Column): number[] {
  const identity = recordIdentity(new Map([['f', column]]))
  return Array.from({ length: column.length }, (_, row) => identity(row))
}

test('columns that no segment has hash by value', () => {
  const whole = columnOfValues(values)
  const wanted = values.map((value) => recordHash(new Map([['f', value]])))
  const rows = Uint32Array.from([5, 0, 3])
  expect(hashesOf(whole)).toEqual(wanted)
  expect(hashesOf({ kind: 'gathered', length: 3, rows, source: whole })).toEqual([5, 0, 3].map((row) => wanted[row]))
  const sparse: Column = { kind: 'sparse', length: 9000, rows: Uint32Array.from([1, 4095, 4096, 8999]), present: whole }
  expect(hashesOf(sparse)).toEqual(
    Array.from({ length: 9000 }, (_, row) => recordHash(new Map([['f', valueAt(sparse, row)]]))),
  )
})
