import { expect, test } from 'vitest'
import { dayStartNs, logRecords, markerWord, traceId } from '../../bench/datasets.ts'
import { LineMaker } from '../../bench/line-maker.ts'
import { parseRfc3339 } from '../../src/base/index.ts'

type Row = Readonly<Record<string, string | number>>

function rowsOf(maker: LineMaker, from: number, to: number, batch: number): readonly Row[] {
  const rows: Row[] = []
  for (let at = from; at < to; at += batch)
    for (const line of maker
      .lines(at, Math.min(to, at + batch))
      .toString()
      .trimEnd()
      .split('\n'))
      rows.push(JSON.parse(line) as Row)
  return rows
}

test('rows have the fields of the data set and times and trace ids of their own', () => {
  const rows = rowsOf(new LineMaker({ rows: 3000, seed: 7 }), 0, 3000, 700)
  expect(rows).toHaveLength(3000)
  const records = logRecords({ rows: 1_000_000, seed: 7 })
  const traces = new Set(Array.from({ length: 750 }, (_, i) => traceId(7, i)))
  for (const [i, row] of rows.entries()) {
    const { value } = records.next() as { readonly value: { readonly content: string; readonly pod: string } }
    expect(row['content']).toBe(i === 1500 ? `${value.content} ${markerWord}` : value.content)
    expect(row['pod']).toBe(value.pod)
    expect(traces).toContain(row['trace_id'])
    const offsetNs = Number((parseRfc3339(String(row['_time'])) ?? 0n) - dayStartNs)
    expect(Math.abs(offsetNs - (i * 86_400e9) / 3000)).toBeLessThanOrEqual(500_000_001)
  }
})

test('the marker word is in one row of a million, whatever the batches are', () => {
  const maker = new LineMaker({ rows: 3_000_000, seed: 1, poolLines: 999 })
  for (const [from, to] of [
    [437_000, 438_000],
    [1_437_519, 1_437_520],
    [2_437_510, 2_437_520],
  ] as const) {
    const marked = rowsOf(maker, from, to, 1000).filter((row) => String(row['content']).includes(markerWord))
    expect(marked).toHaveLength(1)
  }
  expect(maker.lines(437_520, 438_000).includes(markerWord)).toBe(false)
})
