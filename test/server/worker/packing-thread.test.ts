import { expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { PackingThread } from '../../../src/server/worker/packing-thread.ts'
import { pieceSizes } from '../../../src/store/segments/codings.ts'
import { fileOf, manyKinds, sealedTable } from '../../store/segments/read-all.ts'

const table = sealedTable(manyKinds(3000))
const segment = present(table.snapshot()[0])
const { name, timeField } = table.definition
const names = { table: name, timeField }

test('gives the file that its caller would make, words included where there are none yet', async () => {
  const thread = new PackingThread()
  const { file, summary } = fileOf(table, segment, pieceSizes)
  expect(segment.words).toBeDefined()
  for (const sent of [segment, { ...segment, words: undefined }, segment]) {
    const packed = await thread.pack(sent, names)
    expect(packed.summary).toEqual(summary)
    expect(Buffer.concat(packed.pieces).equals(file)).toBe(true)
  }
  expect([8191, 8192].map((rows) => thread.takes(rows))).toEqual([false, true])
})

test('one that cannot be packed is refused, as are those behind it; another thread takes the next', async () => {
  const thread = new PackingThread()
  const stored = present(segment.columns.values().next().value)
  const values = Array.from({ length: segment.rowCount }, () => 'x')
  const column = { kind: 'values', length: segment.rowCount, values } as const
  const broken = { ...segment, columns: new Map([['x', { ...stored, column }]]) }
  const answers = await Promise.allSettled([thread.pack(broken, names), thread.pack(segment, names)])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const packed = await thread.pack(segment, names)
  expect(packed.summary).toEqual(fileOf(table, segment, pieceSizes).summary)
  for (let i = 0; i < 2; i++) await expect(thread.pack(broken, names)).rejects.toThrow('has not packed')
  expect(thread.takes(65_536)).toBe(false)
})
