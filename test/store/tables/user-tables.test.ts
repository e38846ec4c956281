import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { columnarBackend } from '../../../src/backends/columnar/index.ts'
import { SluiceError, nowhere, spanOf } from '../../../src/base/index.ts'
import { complete, hover } from '../../../src/editor/index.ts'
import { createJson } from '../../../src/engine/pipelines/index.ts'
import { parse } from '../../../src/lang/log/index.ts'
import { Instant, RowWriter } from '../../../src/data/index.ts'
import { createEngine, printExplainTree, type Engine, type QueryOptions, readRows } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import {
  comparisonsOf,
  literal,
  type Estimate,
  type Expr,
  type ScanRequest,
  type Table,
} from '../../../src/plan/index.ts'
import { createMemoryStore, defineTable, standardCatalog, tableSet, type TableInput } from '../../../src/store/index.ts'

function engineOver(inputs: Readonly<Record<string, TableInput>> | readonly Table[]): Engine {
  const set = tableSet(inputs)
  return createEngine({ backends: [columnarBackend(set, standardFunctions)], catalog: set.catalog, lint: 'off' })
}

async function linesOf(engine: Engine, text: string, options: QueryOptions = {}): Promise<readonly string[]> {
  const lines: string[] = []
  const writer = new RowWriter('native')
  for await (const row of readRows(engine.query(text, options).batches())) lines.push(writer.row(row))
  return lines
}

async function explained(engine: Engine, text: string): Promise<readonly string[]> {
  return printExplainTree(engine.query(text).explain()).split('\n')
}

const orders = [
  { id: 1, total: 20, who: 'Ann', ship: { city: 'Bern', zip: 3000 }, tags: ['new', 'eu'] },
  { id: 2, total: 5, who: 'Bob' },
  { id: 3, total: 70, who: 'ann', ship: { city: 'Rome' }, note: null, open: true },
]

describe('an array of objects', () => {
  const engine = engineOver({ orders })

  test('rows keep their order and their fields; nested ones are flattened as in JSON lines', async () => {
    expect(await linesOf(engine, '*')).toEqual([
      '{"id":1,"total":20,"who":"Ann","ship.city":"Bern","ship.zip":3000,"tags":["new","eu"]}',
      '{"id":2,"total":5,"who":"Bob"}',
      '{"id":3,"total":70,"who":"ann","ship.city":"Rome","open":true}',
    ])
  })

  test('bare words search every field, as words of a text', async () => {
    expect(await linesOf(engine, 'bern | fields id')).toEqual(['{"id":1}'])
    expect(await linesOf(engine, 'eu | fields id')).toEqual(['{"id":1}'])
    expect(await linesOf(engine, '!ann | fields id')).toEqual(['{"id":2}'])
  })

  test('no range of times applies, and filters by time find nothing', async () => {
    expect(await linesOf(engine, '* | stats count() n', { range: { startNs: 5n, endNs: 6n } })).toEqual(['{"n":3}'])
    expect(await linesOf(engine, '_time:5m')).toEqual([])
  })

  test('limits and offsets count in the order given; sorts are stable', async () => {
    expect(await linesOf(engine, '* | offset 1 | limit 1 | fields id')).toEqual(['{"id":2}'])
    expect(await linesOf(engine, '* | sort by (open) | fields id')).toEqual(['{"id":3}', '{"id":1}', '{"id":2}'])
    expect(await linesOf(engine, 'total:>10 | sort by (total desc) | fields id, ship.city')).toEqual([
      '{"id":3,"ship.city":"Rome"}',
      '{"id":1,"ship.city":"Bern"}',
    ])
  })

  test('only the fields that a query needs are read, and explain says so', async () => {
    expect(await explained(engine, 'who:ann | stats sum(total)')).toEqual([
      'aggregate sum(total) as sum  [columnar]',
      '  scan orders always columns=(total) where who = i:"ann"  [columnar]',
      '    - reads only total, who',
      '    - tested above the table: who = i:"ann"',
    ])
  })

  test('rows that came later are read by the next query', async () => {
    const rows: object[] = []
    const growing = engineOver({ rows })
    expect(await linesOf(growing, '*')).toEqual([])
    rows.push({ a: 1 })
    expect(await linesOf(growing, '*')).toEqual(['{"a":1}'])
  })

  test('dates, big integers, functions and `toJSON` are read as what they are', async () => {
    const engineOfOdd = engineOver({
      odd: [
        {
          at: new Date(0),
          big: 2n ** 60n,
          small: 7n,
          minus: -0,
          lost: undefined,
          call: () => 1,
          inner: { toJSON: () => ({ x: 1 }) },
          list: [new Date(0), 2n ** 60n, undefined],
          bad: new Date(NaN),
        },
      ],
    })
    expect(await linesOf(engineOfOdd, '*')).toEqual([
      '{"at":"1970-01-01T00:00:00.000000000Z","big":1152921504606846976,"small":7,"minus":0,"inner.x":1,"list":["1970-01-01T00:00:00.000000000Z",1152921504606846976,null]}',
    ])
  })

  test('a row that is not an object, and one that contains itself, are errors that name it', async () => {
    const circle: Record<string, unknown> = { id: 1 }
    circle['self'] = [circle]
    const later = [{ id: 1 }]
    const mixed = engineOver({ later, others: () => [{ id: 1 }, 7 as unknown as object] })
    await expect(linesOf(mixed, '*', { table: 'others' })).rejects.toThrow('Row 1 of the table `others` is a number')
    later.push(circle as never)
    await expect(linesOf(mixed, '*')).rejects.toThrow('Row 1 of the table `later` is nested too deeply')
  })
})

describe('an array with times and texts', () => {
  const engine = engineOver({
    events: [
      { timestamp: '2026-01-01T00:00:00Z', msg: 'pool full' },
      { timestamp: '2026-01-03T00:00:00Z', msg: 'pool empty' },
      { timestamp: '2026-01-02T00:00:00Z', msg: 'first' },
      { timestamp: '2026-01-02T00:00:00Z', msg: 'second' },
      { msg: 'never' },
    ],
  })

  test('rows come newest first, the latest given first; those without a time last', async () => {
    expect(await linesOf(engine, '* | fields msg')).toEqual(
      ['pool empty', 'second', 'first', 'pool full', 'never'].map((msg) => `{"msg":"${msg}"}`),
    )
  })

  test('`_time` is the time, whatever it is called, and words search the text', async () => {
    expect(await linesOf(engine, 'pool _time:2026-01-03 | fields _time')).toEqual([
      '{"timestamp":"2026-01-03T00:00:00.000000000Z"}',
    ])
    const range = { startNs: 0n, endNs: BigInt(Date.parse('2026-01-02T00:00:00Z')) * 1_000_000n }
    expect(await linesOf(engine, '* | fields msg', { range })).toEqual(['{"msg":"pool full"}'])
  })

  test('rows are put in order only where the order matters', async () => {
    expect(await explained(engine, '* | limit 2')).toContain('    - newest first is requested')
    expect((await explained(engine, '* | stats count()')).join()).not.toContain('newest first')
  })

  test('a text in the time field that is not a time stands beside it', async () => {
    const odd = engineOver([
      defineTable({
        name: 'odd',
        timeField: 'at',
        scan: () => [
          { at: 'soon', n: 1 },
          { at: 1_767_225_600, n: 2 },
        ],
      }),
    ])
    expect(await linesOf(odd, '*')).toEqual([
      '{"at":"2026-01-01T00:00:00.000000000Z","n":2}',
      '{"at.text":"soon","n":1}',
    ])
  })
})

describe('an async generator', () => {
  let ended = 0
  let made = 0
  async function* counted(): AsyncGenerator<object> {
    try {
      for (let n = 0; ; n++) {
        made++
        yield { n, kind: n % 2 === 0 ? 'even' : 'odd' }
      }
    } finally {
      ended++
    }
  }
  const engine = engineOver({ numbers: counted })

  test('a limit over an endless source ends, and the source is informed', async () => {
    made = ended = 0
    expect(await linesOf(engine, '* | limit 3 | fields n')).toEqual(['{"n":0}', '{"n":1}', '{"n":2}'])
    expect(ended).toBe(1)
    expect(made).toBeLessThan(8)
  })

  test('filters and row-wise pipes between stream as well', async () => {
    made = ended = 0
    expect(await linesOf(engine, 'kind:odd n:>10 | math n * 2 as m | fields m | limit 2')).toEqual([
      '{"m":22}',
      '{"m":26}',
    ])
    expect(ended).toBe(1)
    expect(made).toBeLessThan(64)
  })

  test('explain says which rows and fields it is asked for', async () => {
    expect(await explained(engine, 'kind:odd | fields n | limit 2')).toEqual([
      'project n  [columnar]',
      '  limit 2  [columnar]',
      '    scan numbers always columns=(n) where kind = i:"odd"  [columnar]',
      '      - reads only n, kind',
      '      - tested above the table: kind = i:"odd"',
    ])
    expect(await explained(engine, '* | limit 2')).toContain('    - at most 2 rows are requested')
  })

  test('time limits and cancelling hold while rows are waited for', async () => {
    async function* stuck(): AsyncGenerator<object> {
      yield { n: 1 }
      await new Promise(() => {})
    }
    const waiting = engineOver({ stuck })
    await expect(linesOf(waiting, '*', { limits: { timeoutMs: 50 } })).rejects.toMatchObject({
      code: 'budget/deadline',
    })
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 30)
    await expect(linesOf(waiting, '*', { signal: controller.signal })).rejects.toMatchObject({
      code: 'budget/cancelled',
    })
    await expect(linesOf(engine, 'n:<0', { limits: { timeoutMs: 50 } })).rejects.toMatchObject({
      code: 'budget/deadline',
    })
  })

  test('memory and rows are counted', async () => {
    await expect(linesOf(engine, '* | sort by (n desc)', { limits: { memoryBytes: 200_000 } })).rejects.toMatchObject({
      code: 'budget/memory',
    })
    await expect(linesOf(engine, '* | stats count()', { limits: { scanRows: 1000 } })).rejects.toMatchObject({
      code: 'budget/rows',
    })
  })

  test.each([
    '* | sort by (rank desc, at) limit 7',
    'rank:<40 | limit 9',
    '* | sort by (name) offset 1 limit 5',
    '* | sort by (at) limit 3',
  ])('of many rows in any order those are held that may come out: %s', async (text) => {
    const rows = Array.from({ length: 30_000 }, (_, i) => ({
      at: new Date(Date.UTC(2026, 2, 1) + ((i * 7919) % 1000) * 1000),
      rank: (i * 31) % 97,
      name: `name ${(i * 17) % 89}`,
      ...(i % 5 === 0 ? {} : { n: i }),
    }))
    const names = { name: 't', timeField: 'at', textField: 'name' }
    const given = engineOver([defineTable({ ...names, scan: () => rows })])
    const newestFirst = rows.toReversed().sort((a, b) => b.at.getTime() - a.at.getTime())
    const inOrder = { rows: newestFirst, applied: { order: true } }
    const held = engineOver([defineTable({ ...names, scan: () => inOrder })])
    const found = await linesOf(given, text, { limits: { memoryBytes: 3_000_000 } })
    expect(found).toEqual(await linesOf(held, text))
    expect(found.length).toBeGreaterThan(2)
  })

  test('rows are charged before they are a batch', async () => {
    let given = 0
    const wide = engineOver({
      *wide() {
        for (; given < 2000; given++) yield { text: 'x'.repeat(10_000) }
      },
    })
    // The limit applies while a batch is filled, not only after it.
    const limits = { memoryBytes: 2_000_000 }
    await expect(linesOf(wide, '* | stats max(text)', { limits })).rejects.toMatchObject({ code: 'budget/memory' })
    expect(given).toBeGreaterThan(127)
    expect(given).toBeLessThan(200)
  })

  test('the signal of a scan is aborted when the query has ended', async () => {
    const signals: AbortSignal[] = []
    const told = engineOver([
      defineTable({
        name: 'told',
        scan: ({ signal }) => {
          signals.push(signal)
          return [{ n: 1 }]
        },
      }),
    ])
    await linesOf(told, '*')
    expect(signals.map((signal) => signal.aborted)).toEqual([true])
  })

  test('a promise of rows is waited for, and one that fails names the table', async () => {
    async function* later(): AsyncGenerator<object> {
      yield { n: 3 }
    }
    const tables = engineOver({
      array: async () => [{ n: 1 }, { n: 2 }],
      lazy: async () => later(),
      failing: () => Promise.reject(new Error('no such host')),
      no: (async () => 7) as never,
    })
    expect(await linesOf(tables, '*', { table: 'array' })).toEqual(['{"n":1}', '{"n":2}'])
    expect(await linesOf(tables, '* | stats sum(n) n', { table: 'array' })).toEqual(['{"n":3}'])
    expect(await linesOf(tables, '*', { table: 'lazy' })).toEqual(['{"n":3}'])
    expect(await linesOf(tables, '* | limit 0', { table: 'failing' })).toEqual([])
    await expect(linesOf(tables, '*', { table: 'failing' })).rejects.toThrow(
      '`failing` could not be read: no such host',
    )
    await expect(linesOf(tables, '*', { table: 'no' })).rejects.toMatchObject({ code: 'table/not-rows' })
    const told = defineTable({
      name: 'told',
      scan: ({ predicate }) => ({ rows: Promise.resolve([{ n: 5 }]), applied: { predicate } }),
    })
    expect(await linesOf(engineOver([told]), '*')).toEqual(['{"n":5}'])
  })

  test('explanations say what a table is', async () => {
    const paid = defineTable({ name: 'paid', summary: 'Orders that were paid.', scan: () => [] })
    expect(await explained(engineOver([paid]), '* | limit 1')).toContainEqual(
      expect.stringContaining('- paid: Orders that were paid.'),
    )
  })

  test('an error of the source names the table and stands at its place', async () => {
    async function* broken(): AsyncGenerator<object> {
      yield { n: 1 }
      throw new Error('the tape is torn')
    }
    const failing = engineOver({ broken })
    await expect(linesOf(failing, '*')).rejects.toThrow(SluiceError)
    await expect(linesOf(failing, '*')).rejects.toThrow('The table `broken` could not be read: the tape is torn')
    await expect(linesOf(engineOver({ no: (() => 7) as never }), '*')).rejects.toMatchObject({ code: 'table/not-rows' })
  })
})

describe('queries inside name any table', () => {
  const people = [
    { who: 'Ann', town: 'Bern' },
    { who: 'Bob', town: 'Rome' },
  ]
  // `traces` is also the name of a built-in domain.
  const set = tableSet({ orders, people, traces: [{ who: 'Cid', total: 1 }] })
  const engine = createEngine({ tables: { orders, people, traces: [{ who: 'Cid', total: 1 }] }, lint: 'off' })
  const json = createJson(engine)

  test.each([
    ['* | join by (who) (options(domain=people) *) inner | fields town', ['{"town":"Bern"}', '{"town":"Rome"}']],
    ['* | filter who:in(options(domain="people") town:Rome | fields who) | fields id', ['{"id":2}']],
    ['* | union (options(domain=traces) *) | stats count() n', ['{"n":4}']],
    ['options(domain=people) bern | fields who', ['{"who":"Ann"}']],
  ])('%s', async (text, lines) => expect(await linesOf(engine, text)).toEqual(lines))

  test('structured queries too, and back', async () => {
    const body = { union: { leftPipeline: { domain: 'orders' }, rightPipeline: { domain: 'people' } } }
    expect(await json.query(body).toArray()).toHaveLength(5)
    const text = json.toText(body)
    expect(text).toContain('domain=people')
    expect(await engine.query(text).toArray()).toHaveLength(5)
    expect(await json.query(json.fromText(text)).toArray()).toHaveLength(5)
    expect(() => json.query({ domain: 'peple' })).toThrow('There is no domain `peple`.')
  })

  test('a name that no table has is marked, with those there are', () => {
    const text = '* | union (options(domain=peple) *)'
    const [first] = engine.check(text)
    expect(first).toMatchObject({
      code: 'analyze/unknown-table',
      message: 'There is no table named `peple`. Nearest: `people`.',
      notes: ['The tables are `orders`, `people`, `traces`.'],
    })
    expect(first && spanOf(first.origin)).toEqual({ start: 26, end: 31 })
    expect(parse('options(domain=$d) *', { parameters: { d: 'people' } }).diagnostics[0]?.code).toBe(
      'log/parameter-as-name',
    )
  })

  test('rows that a scope hides stay hidden', async () => {
    const scope = (table: string): Expr | undefined => (table === 'people' ? literal(false) : undefined)
    expect(await linesOf(engine, '* | union (options(domain=people) *) | stats count() n', { scope })).toEqual([
      '{"n":3}',
    ])
    expect(await linesOf(engine, 'who:in(options(domain=people) * | fields who) | fields id', { scope })).toEqual([])
  })

  test('they are completed and explained', () => {
    const options = { catalog: set.catalog, functions: standardFunctions }
    const text = '* | union (options(domain=pe'
    expect(complete(text, text.length, options).items.map(({ label }) => label)).toEqual(['people'])
    expect(hover(`${text}ople) *)`, 28, options)?.text).toContain('table `people`')
  })
})

/** Returns a table over SQLite that pushes down fields, comparisons of numbers and times, order and limits. */
function sqliteTable(db: DatabaseSync, name: string, numbers: readonly string[], timeField: string): Table {
  const statements: string[] = []
  const sqlOf = (filter: Expr): string | undefined => {
    const all = comparisonsOf(filter)?.map(({ field, op, value }) => {
      const number = value instanceof Instant ? Number(value.ns) / 1e9 : Number(value)
      return numbers.includes(field) && Number.isFinite(number) ? `"${field}" ${op} ${number}` : undefined
    })
    return all === undefined || all.includes(undefined) ? undefined : all.join(' AND ') || 'TRUE'
  }
  const grade = (filter: Expr) => (sqlOf(filter) === undefined ? 'none' : 'exact')
  const scan = ({ columns, predicate, range, order, limitRows }: ScanRequest) => {
    const where = [
      ...predicate.map(sqlOf),
      `"${timeField}" BETWEEN ${Number(range.startNs) / 1e9} AND ${Number(range.endNs) / 1e9}`,
    ]
    const known = columns?.filter((column) => [...numbers, 'who'].includes(column))
    const sql = [
      `SELECT ${known?.map((column) => `"${column}"`).join(', ') ?? '*'} FROM "${name}" WHERE ${where.join(' AND ')}`,
      order === 'newest-first' ? ` ORDER BY "${timeField}" DESC, rowid DESC` : '',
      limitRows === undefined ? '' : ` LIMIT ${limitRows}`,
    ].join('')
    statements.push(sql)
    const rows = db.prepare(sql).iterate() as Iterable<object>
    return { rows, applied: { predicate, order: order === 'newest-first' } }
  }
  return Object.assign({ statements }, defineTable({ name, timeField, aliases: { buyer: 'who' }, grade, scan }))
}

const scope: Expr = { kind: 'literal', value: true, origin: nowhere }

describe('a table that knows how many rows it has', () => {
  let rows: Estimate = { value: 70_000, source: 'exact' }
  const known = defineTable({
    name: 'known',
    timeField: 'at',
    scan: () => {
      throw new Error('it was read')
    },
  })
  const engine = engineOver([{ ...known, stats: () => ({ rows }) }])

  test('all rows are counted without a scan, as the table knows them when the query runs', async () => {
    rows = { value: 70_000, source: 'exact' }
    expect(await linesOf(engine, '* | stats count() n')).toEqual(['{"n":70000}'])
    expect(await linesOf(engine, '* | math 2 as two | stats count() n, sum(two) s')).toEqual(['{"n":70000,"s":140000}'])
    rows = { value: 0, source: 'exact' }
    expect(await linesOf(engine, '* | stats count() n')).toEqual(['{"n":0}'])
    expect(await explained(engine, '* | stats count() n')).toContain(
      '    - counted without a scan when the table knows its number of rows',
    )
  })

  test.each([
    ['a guess', '* | stats count() n', { value: 7, source: 'estimate' }, {}],
    ['no number of rows', '* | stats count() n', { value: -1, source: 'exact' }, {}],
    ['a condition', 'a:1 | stats count() n', { value: 7, source: 'exact' }, {}],
    ['a field that is read', '* | stats count(a) n', { value: 7, source: 'exact' }, {}],
    ['a sample', '* | sample 2 | stats count() n', { value: 7, source: 'exact' }, {}],
    ['a range', '* | stats count() n', { value: 7, source: 'exact' }, { range: { startNs: 0n, endNs: 9n } }],
    ['a data scope', '* | stats count() n', { value: 7, source: 'exact' }, { scope: () => scope }],
  ] as const)('%s needs the rows', async (_, text, estimate, options) => {
    rows = estimate
    await expect(linesOf(engine, text, options as QueryOptions)).rejects.toThrow('it was read')
  })
})

describe('a SQLite file that is not ours', () => {
  const db = new DatabaseSync(':memory:')
  db.exec(`CREATE TABLE orders (id INTEGER, at INTEGER, total REAL, who TEXT);
    INSERT INTO orders VALUES (1, 1767225600, 20, 'Ann'), (2, 1767312000, 5, 'Bob'), (3, 1767312000, 70, 'ann'), (4, 1767398400, NULL, 'Cy')`)
  const table = sqliteTable(db, 'orders', ['id', 'at', 'total'], 'at') as Table & { readonly statements: string[] }
  const engine = engineOver([table])
  const answered = async (text: string, options?: QueryOptions) => {
    table.statements.length = 0
    const lines = await linesOf(engine, text, options)
    return { lines, sql: table.statements.join().replaceAll(/"at" BETWEEN \S+ AND \S+/g, 'TIMES') }
  }

  test('fields, conditions, order and limit are left to SQLite', async () => {
    expect(await answered('total:>4 | fields id | limit 2')).toEqual({
      lines: ['{"id":3}', '{"id":2}'],
      sql: 'SELECT "id", "at", "total" FROM "orders" WHERE "total" > 4 AND TIMES ORDER BY "at" DESC, rowid DESC LIMIT 2',
    })
    expect(await answered('total:<50 buyer:ann | stats count() n')).toEqual({
      lines: ['{"n":1}'],
      sql: 'SELECT "total", "who" FROM "orders" WHERE "total" < 50 AND TIMES',
    })
  })

  test('explain says what SQLite decides and what is tested above', async () => {
    expect(await explained(engine, 'total:<50 buyer:ann | fields id')).toEqual([
      'project id  [columnar]',
      '  scan orders always columns=(id) where (total in [-Inf, 50) and who = i:"ann")  [columnar]',
      '    - reads only id, at, total, who',
      '    - the table decides: total in [-Inf, 50) (exact)',
      '    - tested above the table: who = i:"ann"',
      '    - newest first is requested',
    ])
  })

  test('gives what the same rows in the memory store give', async () => {
    const store = createMemoryStore(standardCatalog)
    const rows = db.prepare('SELECT * FROM orders').all() as { at: number; id: number; total: number; who: string }[]
    store
      .table('logs')
      .writer.appendRows(
        rows.map(({ at, ...rest }) => ({ timeNs: BigInt(at) * 1_000_000_000n, row: new Map(Object.entries(rest)) })),
      )
    const memory = createEngine({ backends: [columnarBackend(store, standardFunctions)], lint: 'off' })
    for (const text of [
      '* | fields id',
      'total:>4 | fields id | limit 2',
      'total:=5 | fields id',
      '!total:* | fields id',
      'total:range[5, 20] | stats by (who) sum(total) s',
      '_time:2026-01-02 | fields id',
      '* | stats by (_time:1d) count() n | fields n',
      '* | join by (id) (total:>10 | fields id, total) prefix "r." | fields id, r.total',
      'id:in(total:>10 | fields id) | fields id',
    ]) {
      expect(await linesOf(engine, text), text).toEqual(await linesOf(memory, text))
    }
  })

  test('a data scope holds whatever the table says', async () => {
    const lying = engineOver([
      {
        ...table,
        grade: () => 'exact',
        scan: (request) => ({
          ...table.scan({ ...request, predicate: [] }),
          applied: { predicate: request.predicate, order: true },
        }),
      },
    ])
    const guard: Expr = {
      kind: 'test',
      arg: { kind: 'column', name: 'who', origin: { kind: 'nowhere' } as never },
      test: { kind: 'equals', value: 'ann', isFolded: true, isTyped: true },
      origin: { kind: 'nowhere' } as never,
    }
    const scope = () => guard
    expect(await linesOf(lying, '* | fields id', { scope })).toEqual(['{"id":3}', '{"id":1}'])
    expect(await linesOf(lying, '* | limit 1 | fields id', { scope })).toEqual(['{"id":3}'])
  })
})

describe('several tables', () => {
  test('are joined, and two of one name or none are refused', async () => {
    const engine = engineOver({
      orders,
      people: [
        { who: 'Ann', born: 1980 },
        { who: 'Bob', born: 1990 },
      ],
    })
    expect(engine.catalog.defaultTable).toBe('orders')
    expect(await linesOf(engine, '* | fields born', { table: 'people' })).toEqual(['{"born":1980}', '{"born":1990}'])
    expect(() => tableSet({})).toThrow('There is no table')
    const one = defineTable({ name: 'a', scan: () => [] })
    expect(() => tableSet([one, one])).toThrow('Two tables are named `a`')
  })

  test('pipes that read the text field must name a field where there is none', () => {
    expect(() => engineOver({ orders }).query('* | extract "<a> <b>"')).toThrow('the field to read must be named')
  })
})

test.each([false, true, 'Exact', '', null, undefined, Promise.resolve('exact')])(
  'a grade that is none: %j',
  async (given) => {
    const table = defineTable({
      name: 'x',
      fields: ['a'],
      grade: () => given as never,
      scan: () => [{ a: 1 }, { a: 2 }, { a: 3 }],
    })
    const asked = async (): Promise<unknown> =>
      createEngine({ tables: { x: table } })
        .query('a:>2')
        .toArray()
    await expect(asked()).rejects.toThrow('`grade` of the table `x` gave ')
  },
)

describe('a source that never waits lets timers and signals act', () => {
  const endless = function* (): Generator<object> {
    for (let i = 0; ; i++) yield { i }
  }
  const endlessAsync = async function* (): AsyncGenerator<object> {
    yield* endless()
  }
  test.each([
    ['an iterable', endless],
    ['an async iterable', endlessAsync],
  ])('%s', async (_, scan) => {
    const engine = createEngine({ tables: { o: defineTable({ name: 'o', scan }) } })
    const end = new AbortController()
    setTimeout(() => end.abort(), 20)
    const counting = engine.query('* | stats count()', { signal: end.signal }).toArray()
    await expect(counting).rejects.toMatchObject({ diagnostics: [{ code: 'budget/cancelled' }] })
  })
})
