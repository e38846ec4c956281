// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { foreignTables, type TableMapping } from '../../../../src/backends/sql/index.ts'
import { seededRandom, type Random } from '../../../../src/base/index.ts'
import { nearestFloat, scaledFloat } from '../../../../src/data/index.ts'
import { createEngine, printExplainTree, type Engine } from '../../../../src/engine/index.ts'
import { testbeds } from '../../../../src/fuzz/foreign/index.ts'
import type { ColumnKind, OpenTestbed, Testbed } from '../../../../src/fuzz/foreign/testbed.ts'
import { hasClickHouse, startClickHouse } from '../../../clickhouse/index.ts'

const UNIT_BITS = 1100

/** Reference implementation: adds exactly as integers and rounds once. */
function exactly(kind: 'sum' | 'mean', numbers: readonly number[]): number {
  const total = numbers
    .map(scaledFloat)
    .reduce((sum, { mantissa, exponent }) => sum + (mantissa << BigInt(exponent + UNIT_BITS)), 0n)
  return nearestFloat(total, (kind === 'mean' ? BigInt(numbers.length) : 1n) << BigInt(UNIT_BITS))
}

/** Draws of numbers whose sums are finite, by group name. */
const draws: Readonly<Record<string, (random: Random) => number>> = {
  milliseconds: (random) => Math.round(Math.exp(8 * random.next()) * 1000) / 1000,
  seconds: (random) => random.next() / 100,
  bytes: (random) => Math.floor(random.next() * 1e9),
  signed: (random) => random.next() - 0.5,
  huge: (random) => random.next() * 2 ** 200,
  tiny: (random) => random.next() * 2 ** -300,
  mixed: (random) => (random.next() - 0.5) * 10 ** Math.floor(random.next() * 40 - 20),
  'all the same': () => 0.1,
  zeros: (random) => (random.next() < 0.5 ? 0 : -0),
}

/** Groups with a NaN, an infinity or no value at all, and their expected sum, which is also the expected mean. */
const odd: Readonly<Record<string, { readonly numbers: readonly (number | null)[]; readonly total: number }>> = {
  'an infinity': { numbers: [1, Infinity, 0.5], total: Infinity },
  'a negative infinity': { numbers: [1, -Infinity, 0.5], total: -Infinity },
  'both infinities': { numbers: [Infinity, 1, -Infinity], total: NaN },
  'no number': { numbers: [NaN, NaN], total: NaN },
  'nothing but missing values': { numbers: [null, null], total: NaN },
}

const random = seededRandom(63)
const finite = Object.entries(draws).map(([name, draw]) => ({
  name,
  numbers: Array.from({ length: 400 }, () => draw(random)),
}))
const stored = [
  ...finite.flatMap(({ name, numbers }) => numbers.map((number) => [name, number] as const)),
  // NaN and missing values are ignored.
  ...finite.flatMap(({ name }) => [[name, NaN] as const, [name, null] as const]),
  ...Object.entries(odd).flatMap(([name, { numbers }]) => numbers.map((number) => [name, number] as const)),
]

const kinds: Readonly<Record<string, ColumnKind>> = { at: 'time-ns', name: 'text', x: 'double', seq: 'integer' }

async function engineOver(open: OpenTestbed): Promise<Engine> {
  const columns = Object.entries(kinds).map(([name, kind]) => ({ name, kind, isNullable: name === 'x' }))
  const rows = stored.map(([name, number], i) => [BigInt(i), name, number, BigInt(i)])
  const { engine, source } = await open.create({ name: 'sums', columns, rows })
  const types = new Map((await engine.describe(source)).map(({ name, type }) => [name, type]))
  const nativeType = (column: string): string => types.get(column) ?? ''
  const mapping: TableMapping = {
    name: 'sums',
    source,
    time: { field: '_time', column: 'at', nativeType: nativeType('at'), isNullable: false, unit: 'ns' },
    textField: 'name',
    streamFields: [],
    fields: ['name', 'x'].map((name) => ({
      name,
      column: name,
      path: [],
      type: name === 'x' ? 'number' : 'string',
      nativeType: nativeType(name),
      isNullable: name === 'x',
      aliases: [],
    })),
    attributes: [],
    tieBreak: ['seq'],
    domain: undefined,
    words: undefined,
  }
  const { backend, definitions } = foreignTables(engine, [mapping])
  const catalog = { tables: new Map(definitions.map((each) => [each.name, each])), defaultTable: 'sums' }
  return createEngine({ backends: [backend], catalog, lint: 'off' })
}

const clickHouse = hasClickHouse ? await startClickHouse() : undefined
afterAll(() => clickHouse?.stop())

async function opened(testbed: Testbed): Promise<OpenTestbed | undefined> {
  if (testbed.name !== 'clickhouse' || clickHouse === undefined) return testbed.open()
  const { url, username, password } = clickHouse
  const address = url.replace('//', `//${username}:${encodeURIComponent(password)}@`)
  const before = process.env['SLUICE_TEST_CLICKHOUSE_URL']
  process.env['SLUICE_TEST_CLICKHOUSE_URL'] = address
  const open = await testbed.open()
  if (before === undefined) delete process.env['SLUICE_TEST_CLICKHOUSE_URL']
  return open
}

// SQLite calls Sluice's own sum functions, which are exact.
for (const testbed of testbeds.filter(({ name }) => name !== 'sqlite')) {
  const open = await opened(testbed)
  describe.skipIf(open === undefined)(`sums of floats over ${testbed.name}`, () => {
    let engine: Engine
    beforeAll(async () => {
      if (open !== undefined) engine = await engineOver(open)
    })
    afterAll(() => open?.close())

    test('are within 1e-9 of the sum of absolute values; NaN and missing values do not count', async () => {
      const query = '* | stats by (name) sum(x) total, avg(x) mean'
      const found = new Map((await engine.query(query).toArray()).map((row) => [row['name'], row]))
      for (const { name, numbers } of finite) {
        const row = found.get(name)
        const size = exactly('sum', numbers.map(Math.abs))
        const offBy = [
          Math.abs(Number(row?.['total']) - exactly('sum', numbers)),
          Math.abs(Number(row?.['mean']) - exactly('mean', numbers)),
        ]
        expect(Math.max(...offBy), name).toBeLessThanOrEqual(1e-9 * size)
      }
      for (const [name, { total }] of Object.entries(odd)) {
        expect(found.get(name), name).toMatchObject({ total, mean: total })
      }
    })

    test('are named in `explain`, where sums of whole numbers are not', () => {
      const explained = (query: string): string => printExplainTree(engine.explain(query))
      const note = "sums of floats are the database's own: within 1e-9 of the sum of absolute values"
      expect(explained('* | stats sum(x) total')).toContain(note)
      expect(explained('* | stats count(x) n')).not.toContain(note)
    })

    test('are those of a filter, of no rows and of a window too', async () => {
      const filtered = engine.query(`* | stats sum(x) if (name:="all the same") total, avg(x) if (name:=none) mean`)
      expect((await filtered.toArray())[0]?.['total']).toBeCloseTo(40, 9)
      expect((await engine.query('name:=none | stats sum(x) total, avg(x) mean').toArray())[0]).toEqual({
        total: NaN,
        mean: NaN,
      })
      const running = await engine.query('name:="all the same" | running_stats sum(x) total | fields total').toArray()
      expect(running.map((row) => row['total']).findIndex((total) => Math.abs(Number(total) - 20) < 1e-9)).not.toBe(-1)
    })
  })
}
