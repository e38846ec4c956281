import { describe, expect, test } from 'vitest'
import { Budget, always, nowhere, parseRfc3339 } from '../../../src/base/index.ts'
import { rowsBackend, type QueryContext } from '../../../src/backends/index.ts'
import {
  field,
  Instant,
  rowsOf,
  type Row,
  type Schema,
  type StoredRow,
  type Value,
  type ValueTest,
} from '../../../src/data/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import {
  and,
  column,
  fieldPattern,
  literal,
  not,
  test as testOf,
  type AggregateCall,
  type Expr,
  type LogicalPlan,
  type Scan,
} from '../../../src/plan/index.ts'

const BASE_NS = parseRfc3339('2026-01-01T00:00:00Z') ?? 0n
const schema: Schema = {
  fields: [
    field('_time', 'time', 'dynamic'),
    field('level', 'string', 'dynamic'),
    field('content', 'string', 'dynamic'),
  ],
  isOpen: true,
}

function stored(seconds: number, sequence: number, fields: Record<string, Value>): StoredRow {
  const timeNs = BASE_NS + BigInt(seconds) * 1_000_000_000n
  return { timeNs, sequence, row: new Map<string, Value>([['_time', new Instant(timeNs)], ...Object.entries(fields)]) }
}

const logs: readonly StoredRow[] = [
  stored(1, 1, { level: 'error', content: 'Connection refused', host: 'a', ms: 10 }),
  stored(3, 2, { level: 'warn', content: 'slow request', host: 'b', ms: '20' }),
  stored(2, 3, { level: 'error', content: 'timeout', host: 'a', ms: 5.5, code: '' }),
  stored(3, 4, { level: 'info', content: 'ok', ms: 7, zone: 'z', app: 'x' }),
]

const scan: Scan = {
  kind: 'scan',
  table: 'logs',
  tableSchema: schema,
  range: always,
  predicate: undefined,
  guard: undefined,
  columns: undefined,
  origin: nowhere,
}

const equals = (name: string, value: Value): Expr =>
  testOf(column(name), { kind: 'equals', value, isFolded: true, isTyped: true })

function context(limits: Partial<Budget['limits']> = {}): QueryContext {
  const budget = new Budget({ memoryBytes: 1e8, timeoutMs: 10_000, scanRows: 1e6, ...limits }, () => 0)
  return { budget, nowNs: BASE_NS, range: always, batchRows: 2 }
}

async function rowsFor(plan: LogicalPlan, using = context()): Promise<Row[]> {
  const rows: Row[] = []
  for await (const batch of rowsBackend(new Map([['logs', logs]]), standardFunctions)
    .prepare(plan, using)
    .run()) {
    expect(batch.rowCount).toBeLessThanOrEqual(2)
    rows.push(...rowsOf(batch))
  }
  return rows
}

/** Returns one line per row, without the time. */
async function answer(plan: LogicalPlan): Promise<string[]> {
  const show = (value: Value): string =>
    typeof value === 'string'
      ? value
      : value instanceof Instant
        ? `@${Number(value.ns - BASE_NS) / 1e9}`
        : JSON.stringify(value)
  return (await rowsFor(plan)).map((row) =>
    [...row]
      .filter(([name]) => name !== '_time')
      .map(([name, value]) => `${name}=${show(value)}`)
      .join(' '),
  )
}

function call(fn: string, args: readonly Expr[] = [], extra: Partial<AggregateCall> = {}): AggregateCall {
  return { fn, args, params: [], limit: undefined, orderBy: [], filter: undefined, origin: nowhere, ...extra }
}

function aggregate(keys: readonly string[], aggregates: Record<string, AggregateCall>): LogicalPlan {
  return {
    kind: 'aggregate',
    input: scan,
    keys: keys.map((name) => ({ name, expr: column(name), type: 'any' })),
    aggregates: Object.entries(aggregates).map(([name, c]) => ({ name, call: c, type: 'any' })),
    origin: nowhere,
  }
}

const project = (input: LogicalPlan, ...names: string[]): LogicalPlan => ({
  kind: 'project',
  input,
  fields: names.map((name) => fieldPattern(...name.split('*'))),
  origin: nowhere,
})

describe('rows backend', () => {
  test('a scan gives the newest first, then the latest ingested; whole rows in answer order', async () => {
    expect(await answer(scan)).toEqual([
      'level=info content=ok app=x ms=7 zone=z',
      'level=warn content=slow request host=b ms=20',
      'level=error content=timeout code= host=a ms=5.5',
      'level=error content=Connection refused host=a ms=10',
    ])
  })

  test('range, guard and predicate of a scan', async () => {
    const range = { startNs: BASE_NS + 1_000_000_000n, endNs: BASE_NS + 3_000_000_000n }
    expect(await answer({ ...scan, range, columns: ['ms'] })).toEqual(['ms=5.5', 'ms=10'])
    expect(
      await answer({ ...scan, guard: equals('host', 'a'), predicate: equals('ms', '10.0'), columns: ['ms'] }),
    ).toEqual(['ms=10'])
  })

  test.each<[string, Expr, string[]]>([
    ['and', and([equals('level', 'ERROR'), equals('host', 'a')]), ['timeout', 'Connection refused']],
    ['no and', and([]), ['ok', 'slow request', 'timeout', 'Connection refused']],
    ['not keeps rows that lack the field', not(equals('host', 'a')), ['ok', 'slow request']],
    [
      'missing and empty are one',
      testOf(column('code'), { kind: 'empty' }),
      ['ok', 'slow request', 'timeout', 'Connection refused'],
    ],
    [
      'any field',
      {
        kind: 'any-field',
        fields: fieldPattern('', ''),
        except: [],
        test: { kind: 'phrase', text: 'x', isFolded: true },
        origin: nowhere,
      },
      ['ok'],
    ],
    [
      'any field by prefix',
      { kind: 'any-field', fields: fieldPattern('z', ''), except: [], test: { kind: 'empty' }, origin: nowhere },
      [],
    ],
    ['literal', literal(false), []],
  ])('filter: %s', async (_, predicate, contents) => {
    const plan: LogicalPlan = { kind: 'filter', input: scan, predicate, origin: nowhere }
    expect(await answer(project(plan, 'content'))).toEqual(contents.map((text) => `content=${text}`))
  })

  test('case and bucket', async () => {
    const value: Expr = {
      kind: 'case',
      branches: [
        {
          when: equals('level', 'error'),
          value: {
            kind: 'bucket',
            arg: column('ms'),
            bucket: { kind: 'number', step: 10, offset: 0 },
            origin: nowhere,
          },
        },
      ],
      otherwise: literal('none'),
      origin: nowhere,
    }
    const plan: LogicalPlan = {
      kind: 'extend',
      input: scan,
      assignments: [
        { name: 'b', expr: value, type: 'any' },
        { name: 'c', expr: column('b'), type: 'any' },
      ],
      origin: nowhere,
    }
    expect(await answer(project(plan, 'b', 'c'))).toEqual(['b=none c=none', 'b=none c=none', 'b=0 c=0', 'b=10 c=10'])
  })

  test('project, drop, rename and copy', async () => {
    expect(await answer(project(scan, 'nope', 'z*', 'h*'))).toEqual([
      'nope=null zone=z',
      'nope=null host=b',
      'nope=null host=a',
      'nope=null host=a',
    ])
    const drop: LogicalPlan = {
      kind: 'drop',
      input: scan,
      fields: [fieldPattern('c', ''), fieldPattern('host')],
      origin: nowhere,
    }
    expect((await answer(drop))[0]).toBe('level=info app=x ms=7 zone=z')
    const rename: LogicalPlan = {
      kind: 'rename',
      input: scan,
      steps: [
        { from: fieldPattern('ms'), to: fieldPattern('level') },
        { from: fieldPattern('app'), to: fieldPattern('q') },
      ],
      isCopy: false,
      origin: nowhere,
    }
    expect(await answer(project(rename, 'level', 'q', 'ms'))).toEqual([
      'level=7 q=x ms=null',
      'level=20 q=null ms=null',
      'level=5.5 q=null ms=null',
      'level=10 q=null ms=null',
    ])
    expect((await answer(project({ ...rename, isCopy: true }, 'level', 'ms')))[0]).toBe('level=7 ms=7')
  })

  test('groups come out by key, the empty key last and printed as null', async () => {
    expect(
      await answer(
        aggregate(['host'], {
          n: call('count'),
          s: call('sum', [column('ms')]),
          e: call('count', [], { filter: equals('level', 'error') }),
          q: call('quantile', [column('ms')], { params: [0.5] }),
          v: call('values', [column('ms')], { limit: 1 }),
        }),
      ),
    ).toEqual([
      'host=a n=2 s=15.5 e=2 q=10 v={"json":"[5.5]"}',
      'host=b n=1 s=20 e=0 q=20 v={"json":"[\\"20\\"]"}',
      'host=null n=1 s=7 e=0 q=7 v={"json":"[7]"}',
    ])
    expect(await answer(aggregate([], { n: call('count') }))).toEqual(['n=4'])
  })

  test('an aggregate of nothing has one row without keys, none with keys', async () => {
    const none: Scan = { ...scan, predicate: literal(false) }
    const over = (plan: LogicalPlan): LogicalPlan => (plan.kind === 'aggregate' ? { ...plan, input: none } : plan)
    const calls = {
      n: call('count'),
      s: call('sum', [column('ms')]),
      m: call('min', [column('ms')]),
      u: call('uniq_values', [column('ms')]),
    }
    expect(await answer(over(aggregate([], calls)))).toEqual(['n=0 s=null m=null u={"json":"[]"}'])
    expect(await answer(over(aggregate(['host'], calls)))).toEqual([])
  })

  test('columns by pattern, and functions of the registry', async () => {
    const all: Expr = { kind: 'columns', fields: fieldPattern('', ''), origin: nowhere }
    const m: Expr = { kind: 'columns', fields: fieldPattern('m', ''), origin: nowhere }
    expect(
      await answer(
        aggregate(['level'], {
          r: call('row_max', [column('ms'), all]),
          s: call('sum', [m]),
          len: call('sum_len', [column('host')]),
        }),
      ),
    ).toEqual([
      'level=error r={"json":"{\\"_time\\":\\"2026-01-01T00:00:01.000000000Z\\",\\"level\\":\\"error\\",\\"content\\":\\"Connection refused\\",\\"host\\":\\"a\\",\\"ms\\":10}"} s=15.5 len=2',
      'level=info r={"json":"{\\"_time\\":\\"2026-01-01T00:00:03.000000000Z\\",\\"level\\":\\"info\\",\\"content\\":\\"ok\\",\\"app\\":\\"x\\",\\"ms\\":7,\\"zone\\":\\"z\\"}"} s=7 len=0',
      'level=warn r={"json":"{\\"_time\\":\\"2026-01-01T00:00:03.000000000Z\\",\\"level\\":\\"warn\\",\\"content\\":\\"slow request\\",\\"host\\":\\"b\\",\\"ms\\":\\"20\\"}"} s=20 len=1',
    ])
  })

  test('distinct', async () => {
    const plan: LogicalPlan = {
      kind: 'distinct',
      input: scan,
      keys: ['host'],
      hitsName: 'hits',
      limit: undefined,
      origin: nowhere,
    }
    expect(await answer(plan)).toEqual(['host=a hits=2', 'host=b hits=1', 'host=null hits=1'])
    expect(await answer({ ...plan, limit: 1, hitsName: undefined })).toEqual(['host=a'])
  })

  test('sort keeps ties in input order, empty last; top-k by partition with rank', async () => {
    const sort = (extra: object): LogicalPlan => ({
      kind: 'sort',
      input: scan,
      keys: [{ expr: column('host'), direction: 'desc' }],
      offset: 0,
      limit: undefined,
      partitionBy: [],
      rankName: undefined,
      origin: nowhere,
      ...extra,
    })
    expect(await answer(project(sort({}), 'content'))).toEqual([
      'content=slow request',
      'content=timeout',
      'content=Connection refused',
      'content=ok',
    ])
    expect(
      await answer(
        project(
          sort({
            keys: [{ expr: column('ms'), direction: 'asc' }],
            limit: 1,
            partitionBy: [column('host')],
            rankName: 'pos',
          }),
          'ms',
          'pos',
        ),
      ),
    ).toEqual(['ms=5.5 pos=1', 'ms=7 pos=1', 'ms=20 pos=1'])
    expect(await answer(project(sort({ keys: [], offset: 1, limit: 2 }), 'content'))).toEqual([
      'content=timeout',
      'content=ok',
    ])
  })

  test('limit and limit by', async () => {
    expect(
      await answer(project({ kind: 'limit', input: scan, offset: 1, limit: 2, origin: nowhere }, 'content')),
    ).toEqual(['content=slow request', 'content=timeout'])
    expect(
      await answer(project({ kind: 'limit', input: scan, offset: 3, limit: undefined, origin: nowhere }, 'ms')),
    ).toEqual(['ms=10'])
    expect(
      await answer(
        project(
          { kind: 'limit-by', input: scan, keys: [column('level')], offset: 0, limit: 1, origin: nowhere },
          'level',
        ),
      ),
    ).toEqual(['level=info', 'level=warn', 'level=error'])
  })

  const owners: LogicalPlan = {
    kind: 'values',
    outputSchema: { fields: [field('h'), field('owner'), field('ms')], isOpen: false },
    rows: [
      new Map<string, Value>([
        ['h', 'a'],
        ['owner', 'ann'],
        ['ms', 1],
      ]),
      new Map<string, Value>([
        ['h', 'c'],
        ['owner', 'cid'],
      ]),
      new Map<string, Value>([
        ['h', ''],
        ['owner', 'nobody'],
      ]),
      new Map<string, Value>([
        ['h', 'a'],
        ['owner', 'ada'],
      ]),
    ],
    origin: nowhere,
  }

  test.each<['inner' | 'left' | 'right' | 'full' | 'cross', string[]]>([
    ['inner', ['null/nobody', 'a/ann', 'a/ada', 'a/ann', 'a/ada']],
    ['left', ['null/nobody', 'b/null', 'a/ann', 'a/ada', 'a/ann', 'a/ada']],
    ['right', ['null/nobody', 'a/ann', 'a/ada', 'a/ann', 'a/ada', 'c/cid']],
    ['full', ['null/nobody', 'b/null', 'a/ann', 'a/ada', 'a/ann', 'a/ada', 'c/cid']],
  ])('%s join', async (type, pairs) => {
    const plan: LogicalPlan = {
      kind: 'join',
      left: scan,
      right: owners,
      type,
      on: [{ left: 'host', right: 'h' }],
      prefix: undefined,
      prefixMode: 'collision',
      origin: nowhere,
    }
    const rows = await rowsFor(project(plan, 'host', 'owner'))
    expect(rows.map((row) => [row.get('host') || null, row.get('owner')].map(String).join('/'))).toEqual(pairs)
  })

  test('cross join and the names of the right side', async () => {
    const left: LogicalPlan = { kind: 'limit', input: scan, offset: 0, limit: 2, origin: nowhere }
    const cross: LogicalPlan = {
      kind: 'join',
      left,
      right: owners,
      type: 'cross',
      on: [],
      prefix: 'r',
      prefixMode: 'collision',
      origin: nowhere,
    }
    const rows = await answer(project(cross, 'content', 'owner', 'r.ms', 'ms'))
    expect(rows).toHaveLength(8)
    expect(rows[0]).toBe('content=ok owner=ann r.ms=1 ms=7')
    const without: LogicalPlan = { ...cross, prefix: undefined }
    expect((await answer(project(without, 'ms')))[0]).toBe('ms=7')
    const all: LogicalPlan = { ...cross, prefix: 'r_', prefixMode: 'all' }
    expect((await answer(project(all, 'r_owner', 'owner')))[0]).toBe('r_owner=ann owner=null')
  })

  test('union and sample', async () => {
    const union: LogicalPlan = { kind: 'union', inputsList: [project(scan, 'level'), owners], origin: nowhere }
    expect(await answer(union)).toHaveLength(8)
    const some = async (mode: 'one-in' | 'rows', n: number): Promise<string[]> =>
      answer(project({ kind: 'sample', input: scan, mode, n, origin: nowhere }, 'content'))
    expect(await some('one-in', 1)).toHaveLength(4)
    expect(await some('rows', 3)).toHaveLength(3)
    expect(await some('rows', 9)).toHaveLength(4)
    const two = await some('rows', 2)
    expect(await some('rows', 3)).toEqual(expect.arrayContaining(two))
  })

  test('windows', async () => {
    const plan: LogicalPlan = {
      kind: 'window',
      input: scan,
      partitionBy: [column('level')],
      orderBy: [{ expr: column('_time'), direction: 'asc' }],
      calls: [
        { name: 'run', type: 'any', frame: 'running', call: call('sum', [column('ms')]) },
        { name: 'all', type: 'any', frame: 'partition', call: call('count') },
        { name: 'was', type: 'any', frame: 'running', call: call('first', [column('content')]) },
      ],
      origin: nowhere,
    }
    expect(await answer(project(plan, 'run', 'all', 'was'))).toEqual([
      'run=7 all=1 was=ok',
      'run=20 all=1 was=slow request',
      'run=15.5 all=2 was=Connection refused',
      'run=10 all=2 was=Connection refused',
    ])
  })

  test('budget: rows, cancellation and memory', async () => {
    await expect(rowsFor(scan, context({ scanRows: 3 }))).rejects.toMatchObject({ code: 'budget/rows' })
    const guarded = { ...scan, guard: equals('level', 'error') }
    expect(await rowsFor(guarded, context({ scanRows: 2 }))).toHaveLength(2)
    await expect(rowsFor(guarded, context({ scanRows: 1 }))).rejects.toMatchObject({ code: 'budget/rows' })
    await expect(rowsFor(scan, context({ memoryBytes: 10 }))).rejects.toMatchObject({ code: 'budget/memory' })
    const cancelled = context()
    cancelled.budget.cancel()
    await expect(rowsFor(scan, cancelled)).rejects.toMatchObject({ code: 'budget/cancelled' })
  })

  test('what it cannot take, and what it measured', async () => {
    const backend = rowsBackend(new Map([['logs', logs]]), standardFunctions)
    expect(backend.accept(scan)).toEqual({ kind: 'whole' })
    expect(backend.accept({ ...scan, table: 'spans' })).toMatchObject({
      kind: 'not',
      reason: 'the row model has no table spans',
    })
    const prepared = backend.prepare({ kind: 'limit', input: scan, offset: 0, limit: 1, origin: nowhere }, context())
    expect(prepared.explain().measured).toBeUndefined()
    for await (const batch of prepared.run()) expect(batch.rowCount).toBe(1)
    expect(prepared.explain()).toMatchObject({
      kind: 'limit',
      owner: 'rows',
      measured: { rows: 1 },
      inputs: [{ kind: 'scan', measured: { rows: 4 } }],
    })
  })
})

test('the model and the compiled tests agree', async () => {
  const tests: readonly ValueTest[] = [
    { kind: 'phrase', text: 'request', isFolded: true },
    { kind: 'phrase-prefix', text: 'REQ', isFolded: true },
    { kind: 'glob', parts: ['', 'o', ''], isFolded: true },
    { kind: 'range', min: 6, max: 10, isMinIncluded: true, isMaxIncluded: false },
  ]
  const { compileTest } = await import('../../../src/data/index.ts')
  for (const valueTest of tests) {
    for (const name of ['content', 'ms']) {
      const plan: LogicalPlan = {
        kind: 'filter',
        input: scan,
        predicate: testOf(column(name), valueTest),
        origin: nowhere,
      }
      const expected = logs.filter(({ row }) => compileTest(valueTest)(row.get(name) ?? null)).length
      expect((await rowsFor(plan)).length).toBe(expected)
    }
  }
})
