import { describe, expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { always, applyFix, isError } from '../../src/base/index.ts'
import { columnarBackend } from '../../src/backends/columnar/index.ts'
import { createEngine, type Engine } from '../../src/engine/index.ts'
import { PATIENCE_MS } from '../harness/patience.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { canon, parse } from '../../src/lang/log/index.ts'
import type { DataScope } from '../../src/policy/index.ts'
import { column, test as testOf } from '../../src/plan/index.ts'
import { createMemoryStore, standardCatalog } from '../../src/store/index.ts'
import { mistakes } from '../lang/log/mistakes/index.ts'

const fixture = new URL('../../fixtures/logs/payments-pool-exhausted.ndjson', import.meta.url)

/** Time limit for reading rows for advice, so long that it never applies. */
const limits = { adviceMs: PATIENCE_MS }

function engineOver(lines: string): Engine {
  const store = createMemoryStore(standardCatalog)
  store.table('logs').writer.appendJsonLines(Buffer.from(lines), { nowNs: 0n })
  return createEngine({ backends: [columnarBackend(store, standardFunctions)], limits })
}

const demo = engineOver(readFileSync(fixture, 'utf8'))

async function told(engine: Engine, query: string, options = {}): Promise<readonly string[]> {
  const result = engine.query(query, { ...options, range: always })
  await result.toArray()
  return (await result.advice(query)).map(({ message }) => message)
}

const canonical = (text: string): string => canon(parse(text).ast, 'native')

describe('names that no row has', () => {
  test.each(mistakes.filter(({ kind }) => kind === 'fields' || kind === 'values'))(
    '$query',
    async ({ query, meant }) => {
      const [first] = await demo.query(query).advice(query)
      expect(first?.severity).toBe('warning')
      const fix = first?.fixes[0]
      const made = fix === undefined ? query : applyFix(query, fix)
      expect(parse(made).diagnostics.some(isError)).toBe(false)
      expect(meant.map(canonical)).toContain(canonical(made))
      // If the rows are in memory, the same message comes immediately.
      expect(demo.check(query).map(({ message }) => message)).toContain(first?.message)
    },
  )

  test.each([
    ['levl:error', 'No row has the field `levl`. Nearest: `level` (604 rows).'],
    ['level:eror', 'No row has `eror` as `level`. Nearest: `error` (31 rows).'],
    [
      'colour:red',
      'No row has the field `colour`. There are `_time` (604 rows), `cluster` (604 rows), `content` (604 rows), `env` (604 rows), `level` (604 rows), `namespace` (604 rows).',
    ],
    [
      'level:catastrophe',
      'No row has `catastrophe` as `level`. There are `info` (410 rows), `debug` (147 rows), `error` (31 rows), `warn` (16 rows).',
    ],
  ])('%s', async (query, message) => {
    const found = await told(demo, query)
    expect(found[0]?.replaceAll(/\((\d+)/g, '(N')).toBe(message.replaceAll(/\((\d+)/g, '(N'))
  })

  test.each([
    ['err.message:exhausted', ['err.message:*exhausted*']],
    ['err.message:"POOL ex" | limit 1', ['err.message:*"POOL ex"* | limit 1']],
    ['-err.message:exhausted', ['-err.message:*exhausted*']],
    ['err.message:timeou', ['err.message:timeout', 'err.message:*timeou*']],
    // `=` and lists match whole values on purpose, so there is no advice.
    ['err.message:=exhausted', []],
    ['err.message:in(exhausted, full)', []],
    ['err.message:elsewhere', []],
  ])('%s may be meant of values that contain it', async (query, made) => {
    const engine = engineOver('{"err.message":"pool exhausted"}\n{"err.message":"timeout"}\n')
    const [first] = await engine.query(query).advice(query)
    expect(first?.code).toBe('analyze/unseen-value')
    const fixed = (first?.fixes ?? []).map((fix) => applyFix(query, fix))
    expect(fixed).toEqual(made)
    for (const text of fixed) expect(await told(engine, text)).toEqual([])
  })

  test.each([
    'version:* level:error',
    '* | extract "order <id> " | filter id:*',
    '* | math duration_ms * 2 as twice | sort by (twice)',
    '* | unpack_json | filter whatever:x',
    '* | unpack_json result_prefix "j." | filter j.whatever:x',
    '* | rename version as release | filter release:v1',
    '* | copy version as a, a as b | filter b:*',
    '* | stats by (level) count() as n | sort by (n)',
    '* | math 1 as a, a + 1 as b',
    'level:ERROR',
    'level:in(error, warn)',
    'status:501',
    'trace_id:0123456789abcdef0123456789abcdef',
    'error -level:debug',
    '_stream:{workload="payments"}',
    'container:x',
    '*:nothing',
  ])('%s is as it should be', async (query) => expect(await told(demo, query)).toEqual([]))

  test('fields of an unpacking are unknown unless it lists them', async () => {
    expect(await told(demo, '* | unpack_json fields (a) | filter levl:x')).toHaveLength(1)
    expect(await told(demo, '* | unpack_json fields (a) | filter a:x')).toEqual([])
  })

  test.each([
    ['{workload!~"a-shopp|b", namespace="shopp"}', ['{workload!~"a-shopp|b", namespace="shop"}']],
    ['{workload!~"a shopp|b", namespace=shopp}', []],
    ['{workload!~"shopp", namespace="shopp"}', []],
    ['{workload!~"shopp-[ab]", namespace="shopp"}', ['{workload!~"shopp-[ab]", namespace="shop"}']],
    ['content:!"eror-code" level:eror', ['content:!"eror-code" level:error']],
  ])('a fix of %s replaces no part of another value', (query, made) => {
    const fixes = demo.check(query).flatMap(({ fixes: offered }) => offered)
    expect(fixes.map((fix) => applyFix(query, fix))).toEqual(made)
  })

  test('an empty table says nothing', async () => expect(await told(engineOver(''), 'levl:x')).toEqual([]))

  test('rows of other backends are read for it, and say the same', async () => {
    const found = await demo.query('*').toArray()
    const read = createEngine({ tables: { logs: found }, limits })
    for (const query of ['levl:error', 'level:eror', 'level:error', 'version:*', '* | stats avg(duration)'])
      expect(await told(read, query), query).toEqual(await told(demo, query))
  })
})

describe('under a data scope', () => {
  const lines = [
    { _time: '2026-01-01T00:00:00Z', level: 'info', team: 'a', seen: 1 },
    { _time: '2026-01-01T00:00:01Z', level: 'fatal', team: 'b', secret: 1 },
  ]
    .map((record) => JSON.stringify(record))
    .join('\n')
  const engine = engineOver(lines)
  const guard = testOf(column('team'), { kind: 'equals', value: 'a', isFolded: false, isTyped: false })
  const scope: DataScope = () => guard

  test.each([
    ['secre:*', 'secret'],
    ['secret:*', 'No row has the field `secret`'],
    ['level:fatl', '`fatal`'],
    ['level:fatal', 'No row has `fatal` as `level`'],
  ])('%s', async (query, text) => {
    const open = await told(engine, query)
    const scoped = await told(engine, query, { scope })
    const isMissing = text.startsWith('No row')
    expect(open.join().includes(text)).toBe(!isMissing)
    expect(scoped.join().includes(text)).toBe(isMissing)
  })
})

describe('hostile queries', () => {
  const flat = (messages: readonly string[]): number => messages.reduce((sum, { length }) => sum + length, 0)

  test('only a few of very many unknown fields are reported', async () => {
    const names = Array.from({ length: 1000 }, (_, i) => `f${i}x`)
    const query = `* | fields ${names.join(', ')}`
    const messages = await told(demo, query)
    expect(messages).toHaveLength(8)
  })

  test('with very long names are reported in short', async () => {
    const messages = await told(demo, `${'n'.repeat(50_000)}:x level:"${'v'.repeat(10_000)}"`)
    expect(messages).toHaveLength(1)
    expect(flat(messages)).toBeLessThan(500)
  })
})

describe('a range that has no row', () => {
  const day = engineOver('{"_time":"2026-03-10T10:00:00.5Z","a":1}\n{"_time":"2026-03-10T11:00:00Z","a":2}\n')
  const rows = '; the rows lie between 2026-03-10T10:00:00Z and 2026-03-10T11:00:00Z.'
  const advice = async (query: string, options = {}): Promise<readonly string[]> =>
    (await day.query(query, options).rowAdvice()).map(({ message }) => message)

  test.each([
    ['_time:>=2026-03-11', `No row lies at or after 2026-03-11T00:00:00Z${rows}`],
    ['_time:<2026-03-01', `No row lies before 2026-03-01T00:00:00Z${rows}`],
    [
      '_time:[2026-03-10T10:10:00Z, 2026-03-10T10:20:00Z) | stats count()',
      `No row lies between 2026-03-10T10:10:00Z and 2026-03-10T10:20:00Z${rows}`,
    ],
  ])('%s', async (query, message) => {
    expect(await advice(query)).toEqual([message])
  })

  test.each(['*', '_time:2026-03-10', 'a:3 _time:2026-03-10', '* | join by (a) (_time:2025)'])(
    'is not told of %s',
    async (query) => {
      expect(await advice(query)).toEqual([])
    },
  )

  test('is reported for the range of a request, and not to callers with a scope', async () => {
    const range = { startNs: 0n, endNs: 1_000_000_000n }
    expect(await advice('*', { range })).toEqual([
      `No row lies between 1970-01-01T00:00:00Z and 1970-01-01T00:00:01Z${rows}`,
    ])
    expect(await advice('*', { range, scope: { logs: '*' } })).toEqual([])
  })
})

describe('texts among the numbers of a sum', () => {
  const lines = ['10', '"12,50 EUR"', '"7"', '"10KB"', '""', 'null', '"n/a"'].map(
    (amount, i) => `{"a":"${i % 2}","n":${i},"amount":${amount}}\n`,
  )
  const engine = engineOver(lines.join(''))

  async function sums(engine: Engine, query: string, options = {}): Promise<readonly string[]> {
    return (await engine.query(query, options).rowAdvice()).map(({ message }) => message)
  }

  test.each([
    ['* | stats sum(amount)', '`sum` leaves out 2 values of `amount` that are no number, such as `n/a`.'],
    ['n:<4 | stats avg(amount) x', '`avg` leaves out 1 value of `amount` that is no number, such as `12,50 EUR`.'],
    [
      '* | stats by (a) count(), sum(amount) if (n:<4) as s | sort by (s)',
      '`sum` leaves out 1 value of `amount` that is no number, such as `12,50 EUR`.',
    ],
  ])('are told of %s', async (query, message) => {
    expect(await sums(engine, query)).toEqual([message])
  })

  test.each([
    '* | stats sum(n), avg(n)',
    'amount:>0 | stats sum(amount)',
    '* | stats max(amount), count(amount)',
    '* | extract "x<amount>" | stats sum(amount)',
  ])('are not told of %s', async (query) => {
    expect(await sums(engine, query)).toEqual([])
  })

  test('are not shown to a caller with a scope', async () => {
    expect(await sums(engine, '* | stats sum(amount)', { scope: { logs: '*' } })).toEqual([])
  })
})
