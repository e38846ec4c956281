import { expect, test } from 'vitest'
import { Instant, type Row } from '../../src/data/index.ts'
import { shapeWays } from '../../src/cli/shape-ways.ts'
import { lawBreaks } from '../../src/fuzz/runner/index.ts'
import { shapesDefinition, shapesFuzzer, writers, type ShapeCase, type ShapeWays } from '../../src/fuzz/shapes/index.ts'

test('records of every writer in every packing are stored as they were drawn', { tags: ['slow'] }, async () => {
  const report = await shapesFuzzer(shapeWays).run({ runs: 300, seed: 4_000_000, maxFailures: 3 })
  expect(report.failures).toEqual([])
  const wanted = [
    ...writers.map(({ name }) => `as ${name}`),
    ...['identity', ...shapeWays.packings].map((packing) => `in ${packing}`),
  ]
  expect(wanted.filter((use) => (report.uses.get(use) ?? 0) < 3)).toEqual([])
})

const given: ShapeCase = {
  writer: 'JSON lines',
  packing: 'gzip',
  pieces: 2,
  seed: 1,
  records: [
    {
      ns: 1_700_000_000_123_000_000n,
      text: 'did it',
      level: 'warn',
      service: 'shop',
      trace: 'ab'.repeat(16),
      amount: 7,
    },
  ],
}

test.each<[string, (row: Row) => Row | undefined, RegExp]>([
  ['lost', () => undefined, /0 rows, not 1/],
  ['at another time', (row) => new Map([...row, ['_time', new Instant(1n)]]), /time 1, not/],
  ['with another text', (row) => new Map([...row, ['content', 'did']]), /content "did", not "did it"/],
  ['without its level', (row) => new Map([...row, ['level', null]]), /level null, not "warn"/],
  ['of another service', (row) => new Map([...row, ['workload', 'api']]), /workload "api"/],
  ['of another trace', (row) => new Map([...row, ['trace_id', 'x']]), /trace_id "x"/],
  ['with another number', (row) => new Map([...row, ['amount', 8]]), /amount "8", not 7/],
])('a record that is stored %s is found', async (_, change, message) => {
  const ways: ShapeWays = {
    ...shapeWays,
    store: async (payload) => (await shapeWays.store(payload)).flatMap((row) => change(row) ?? []),
  }
  const { law } = shapesDefinition(ways).laws[0]!
  expect(await lawBreaks(shapesDefinition(ways), law, given)).toMatch(message)
  expect(await lawBreaks(shapesDefinition(shapeWays), law, given)).toBeUndefined()
})

test('a case that is kept reads back, and a smaller one is smaller', () => {
  const { write, read, smaller } = shapesDefinition(shapeWays)
  expect(read(JSON.parse(JSON.stringify(write(given))))).toEqual(given)
  expect([...smaller(given)].map(({ packing, pieces, records }) => [packing, pieces, records[0]?.text])).toEqual([
    ['identity', 2, 'did it'],
    ['gzip', 1, 'did it'],
    ['gzip', 2, 'did'],
  ])
})
