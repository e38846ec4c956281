import { expect, test } from 'vitest'
import { seededRandom } from '../../../../src/base/index.ts'
import { columnarBackend } from '../../../../src/backends/columnar/index.ts'
import { createEngine } from '../../../../src/engine/index.ts'
import { standardFunctions } from '../../../../src/functions/index.ts'
import type { ExplainTree } from '../../../../src/plan/index.ts'
import { createMemoryStore, standardCatalog } from '../../../../src/store/index.ts'

const ROWS = 9000
const SEGMENT_ROWS = 3000
const random = seededRandom(41)

/**
 * Rows of segments that overlap in time; some stay unsealed. A trace has about twelve rows, and one row in fifty
 * contains the word.
 */
const rows = Array.from({ length: ROWS }, (_, place) => ({
  place,
  timeNs: BigInt((place % SEGMENT_ROWS) * 10 + random.below(10)),
  trace: `t${random.below(ROWS / 12)}`,
  content: `row of the ${random.below(50) === 0 ? 'needle' : 'hay'}${random.below(4) === 0 ? ' twice' : ''}`,
}))
const store = createMemoryStore(standardCatalog)
const table = store.table('logs')
for (let at = 0; at < ROWS; at += SEGMENT_ROWS) {
  if (at > 0) table.seal()
  table.writer.appendRows(
    rows.slice(at, at + SEGMENT_ROWS).map(({ place, timeNs, trace, content }) => ({
      timeNs,
      row: new Map<string, string | number>([
        ['place', place],
        ['trace', trace],
        ['content', content],
      ]),
    })),
  )
}
const engine = createEngine({ backends: [columnarBackend(store, standardFunctions)], lint: 'off' })

type Row = (typeof rows)[number]

function expected(holds: (row: Row) => boolean, range = { startNs: 0n, endNs: 1_000_000n }): readonly number[] {
  return rows
    .filter((row) => holds(row) && row.timeNs >= range.startNs && row.timeNs < range.endNs)
    .toSorted((a, b) => (a.timeNs === b.timeNs ? b.place - a.place : a.timeNs < b.timeNs ? 1 : -1))
    .map(({ place }) => place)
}

async function asked(query: string, range = { startNs: 0n, endNs: 1_000_000n }) {
  const result = engine.query(`${query} | fields place`, { range })
  const places = (await result.toArray()).map((row) => row['place'])
  return { places, tree: result.explain() }
}

const conditions: readonly (readonly [string, (row: Row) => boolean])[] = [
  ['needle', ({ content }) => content.includes('needle')],
  ['NEEDLE', ({ content }) => content.includes('needle')],
  ['twice', ({ content }) => content.includes('twice')],
  ['needle twice', ({ content }) => content.includes('needle') && content.includes('twice')],
  ['trace:=t7', ({ trace }) => trace === 't7'],
  ['hay', ({ content }) => content.includes('hay')],
  ['twice hay', ({ content }) => content.includes('twice') && content.includes('hay')],
  ['needle place:>4000', ({ content, place }) => content.includes('needle') && place > 4000],
  [
    'trace:=t8 place:<5000 hay',
    ({ trace, content, place }) => trace === 't8' && place < 5000 && content.includes('hay'),
  ],
  ['trace:=t9 -hay', ({ trace, content }) => trace === 't9' && !content.includes('hay')],
  ['trace:=t8 hay', ({ trace, content }) => trace === 't8' && content.includes('hay')],
  ['trace:in(t7, t8)', ({ trace }) => trace === 't7' || trace === 't8'],
  ['trace:=nowhere', () => false],
  ['nowhere', () => false],
]

test.each(conditions)('newest rows of %s, whole and page by page', async (query, holds) => {
  const all = expected(holds)
  expect((await asked(`${query} | sort by (_time desc)`)).places).toEqual(all)
  for (const offset of [0, 1, 5, 64, 170]) {
    const page = await asked(`${query} | sort by (_time desc) | offset ${offset} | limit 7`)
    expect(page.places).toEqual(all.slice(offset, offset + 7))
  }
})

test.each(conditions)('newest rows of %s within a time range', async (query, holds) => {
  for (const range of [
    { startNs: 4_001n, endNs: 25_003n },
    { startNs: 29_000n, endNs: 29_500n },
  ]) {
    expect((await asked(`${query} | sort by (_time desc) | limit 50`, range)).places).toEqual(
      expected(holds, range).slice(0, 50),
    )
  }
})

test('rows that a join leaves out are not among those listed', async () => {
  const all = expected(({ content, trace }) => content.includes('needle') && /^t[1-3]$/u.test(trace))
  const { places } = await asked(
    'needle | join by (trace) (trace:in(t1, t2, t3) | fields trace | uniq by (trace)) inner',
  )
  expect(new Set(places)).toEqual(new Set(all))
})

test('a question that is asked again sees rows that have come and segments that were skipped before', async () => {
  const own = createMemoryStore(standardCatalog)
  const logs = own.table('logs')
  const add = (content: string, timeNs: bigint): void =>
    logs.writer.appendRows([{ timeNs, row: new Map([['content', content]]) }])
  const again = createEngine({ backends: [columnarBackend(own, standardFunctions)], lint: 'off' }).query(
    'needle | sort by (_time desc) | limit 3 | fields content',
    { range: { startNs: 0n, endNs: 1_000_000n } },
  )
  const contents = async () => (await again.toArray()).map((row) => row['content'])
  const skipped = () => {
    const sum = (tree: ExplainTree): number =>
      (tree.measured?.counters['segmentsSkipped'] ?? 0) + tree.inputs.reduce((all, input) => all + sum(input), 0)
    return sum(again.explain())
  }
  for (let segment = 0; segment < 6; segment++) {
    add(segment === 2 ? 'old needle' : 'hay', BigInt(segment * 10))
    logs.seal()
  }
  for (let run = 0; run < 3; run++) {
    expect(await contents()).toEqual(['old needle'])
    expect(skipped()).toBe(5)
  }
  add('new needle', 35n)
  expect(await contents()).toEqual(['new needle', 'old needle'])
  logs.seal()
  expect(await contents()).toEqual(['new needle', 'old needle'])
  expect(await contents()).toEqual(['new needle', 'old needle'])
  logs.segments.replace(new Set([logs.segments.all[2]!]), [])
  expect(await contents()).toEqual(['new needle'])
})
