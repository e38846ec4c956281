import { expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { SegmentSender, TableReplica, type OpenStored } from '../../../src/store/index.ts'
import { BlockCache, openSegment } from '../../../src/store/segments/index.ts'
import { fileOf, manyKinds, sealedTable, sourceOf } from './read-all.ts'

test('other threads are informed of segments in files without a read of any', () => {
  const table = sealedTable(manyKinds(100))
  const { definition } = table
  const { file, summary } = fileOf(table, present(table.view.snapshot()[0]))
  let reads = 0
  const open: OpenStored = {
    segment: ({ id }, { textField }, dictionaryOf) => {
      const plain = sourceOf(file)
      const read = (into: Uint8Array, at: number): number => {
        reads++
        return plain.read(into, at)
      }
      return openSegment({
        id,
        source: { ...plain, read },
        summary,
        textField,
        dictionaryOf,
        cache: new BlockCache(1 << 20),
      })
    },
    dictionary: () => {
      throw new Error('no dictionary is told')
    },
  }
  const replica = new TableReplica(definition, open)
  const nothing = { table: definition.name, dictionaries: [], segments: [], columns: [] }
  const stored = { id: 1, path: 'logs-1.part', bytes: file.length, crc: 0, number: 0, rowGroup: summary }
  replica.apply({ ...nothing, stored: [[7, stored]], order: [7] })
  const sent = new SegmentSender().send(replica.segments())
  expect(sent?.news.files.map(({ file: { path } }) => path)).toEqual(['logs-1.part'])
  expect(reads).toBe(0)
  expect(present(replica.segments()[0]).columns.size).toBeGreaterThan(5)
  expect(reads).toBeGreaterThan(0)
})
