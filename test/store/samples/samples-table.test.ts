import { expect, test } from 'vitest'
import { Labels } from '../../../src/data/index.ts'
import { createEngine, printExplainTree } from '../../../src/engine/index.ts'
import { filedStore } from '../../../src/fuzz/promql/filed-store.ts'
import { SampleStore, samplesTableOf } from '../../../src/store/index.ts'

const store = new SampleStore()
const up = (zone: string): Labels => Labels.of({ __name__: 'up', zone })
store.writer.append(up('eu'), { timeMs: 1000, value: 1 })
store.writer.append(up('eu'), { timeMs: 2000, value: 0 })
store.writer.append(up('eu'), { timeMs: 3000, value: NaN, isStale: true })
store.writer.append(up('EU'), { timeMs: 2500, value: 3 })
store.writer.append(Labels.of({ __name__: 'load', host: 'a' }), { timeMs: 1500, value: 0.5 })
const engine = createEngine({ tables: [samplesTableOf(store.reader)], lint: 'off' })

test('samples are rows with their labels, newest first; staleness markers are none', async () => {
  const rows = await engine.query('* | fields _time, __name__, zone, value').toArray()
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['1970-01-01T00:00:02.500000000Z', 'up', 'EU', 3],
    ['1970-01-01T00:00:02.000000000Z', 'up', 'eu', 0],
    ['1970-01-01T00:00:01.500000000Z', 'load', null, 0.5],
    ['1970-01-01T00:00:01.000000000Z', 'up', 'eu', 1],
  ])
})

test.each([
  ['zone:=eu', 2],
  ['zone:eu', 3],
  ['!zone:=eu', 2],
  ['zone:""', 1],
  ['value:>0.7', 2],
  ['metric:=up value:<2', 2],
  ['value:=0', 1],
])('%s finds %i rows', async (text, count) => {
  expect(await engine.query(`${text} | stats count() n`).toArray()).toEqual([{ n: count }])
})

test('a range takes its start and leaves its end', async () => {
  const count = async (startNs: bigint, endNs: bigint) =>
    engine.query('* | stats count() n', { range: { startNs, endNs } }).toArray()
  expect(await count(1_000_000_000n, 2_000_000_000n)).toEqual([{ n: 2 }])
  expect(await count(1_000_000_001n, 2_000_000_001n)).toEqual([{ n: 2 }])
})

test('the source decides conditions on labels', () => {
  const tree = printExplainTree(engine.query('zone:=eu value:>0').explain())
  expect(tree).toMatch(/the table decides: zone = .*\(exact\)/)
  expect(tree).toMatch(/tested above the table: value/)
})

test('what lies in files is charged before it is read, for as long as its rows come', async () => {
  const samples = Array.from({ length: 20_000 }, (_, i) => ({ labels: up('eu'), timeMs: i * 1000, value: i }))
  const filed = createEngine({ tables: [samplesTableOf(filedStore(samples).reader)], lint: 'off' })
  const counted = (memoryBytes: number) =>
    filed.query('* | stats by (zone) count() n', { limits: { memoryBytes, batchRows: 10 } }).toArray()
  expect(await counted(1 << 22)).toEqual([{ zone: 'eu', n: 20_000 }])
  await expect(counted(200_000)).rejects.toMatchObject({ code: 'budget/memory' })
})
