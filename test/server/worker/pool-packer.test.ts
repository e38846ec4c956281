import { expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { PoolPacker } from '../../../src/server/worker/pool-packer.ts'
import { pieceSizes } from '../../../src/store/segments/codings/codings.ts'
import { runBackground } from '../../../src/workers/background.ts'
import { partOf, manyKinds, sealedTable } from '../../store/segments/read-all.ts'

const table = sealedTable(manyKinds(3000))
const segment = present(table.view.snapshot()[0])
const { name, timeField } = table.definition
const names = { table: name, timeField }

test('a worker packs the file that its caller would make, words included where there are none yet', async () => {
  const packer = new PoolPacker(runBackground)
  const { file, summary } = partOf(table, segment, pieceSizes)
  expect(segment.words).toBeDefined()
  for (const sent of [segment, { ...segment, words: undefined }, segment]) {
    const packed = await packer.pack(sent, names)
    expect(packed.summary).toEqual(summary)
    expect(Buffer.concat(packed.chunks).equals(file)).toBe(true)
  }
  expect([8191, 8192].map((rows) => packer.takes(rows))).toEqual([false, true])
})

test('a segment that cannot be packed is refused, and the workers are left alone after five', async () => {
  const packer = new PoolPacker(runBackground)
  const stored = present(segment.columns.values().next().value)
  const values = Array.from({ length: segment.rowCount }, () => 'x')
  const column = { kind: 'values', length: segment.rowCount, values } as const
  const broken = { ...segment, columns: new Map([['x', { ...stored, column }]]) }
  await expect(packer.pack(broken, names)).rejects.toThrow('packed')
  const packed = await packer.pack(segment, names)
  expect(packed.summary).toEqual(partOf(table, segment, pieceSizes).summary)
  for (let i = 0; i < 4; i++) await expect(packer.pack(broken, names)).rejects.toThrow('packed')
  expect(packer.takes(65_536)).toBe(false)
})

test('a segment is refused where no worker comes', async () => {
  await expect(new PoolPacker((port) => port.close()).pack(segment, names)).rejects.toThrow('packed')
})
