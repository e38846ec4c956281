import { describe, expect, test } from 'vitest'
import { always, nowhere, present } from '../../../src/base/index.ts'
import { sqliteBackend } from '../../../src/backends/sql/index.ts'
import { field, type Value, type ValueTest } from '../../../src/data/index.ts'
import {
  and,
  column,
  literal,
  or,
  test as tested,
  type RecordCatalog,
  type Expr,
  type LogicalPlan,
  type RecordTableDefinition,
} from '../../../src/plan/index.ts'
import { standardCatalog } from '../../../src/store/index.ts'
import { openSqlite, sqliteTelemetry } from '../../../src/store/sqlite/index.ts'
import { scanOf } from './random-plan.ts'
import { answer, functions, logRow, Random } from './support.ts'

const attacks = [
  `'; DROP TABLE logs; --`,
  `" OR 1=1 --`,
  `') UNION SELECT * FROM sqlite_schema --`,
  '`x`',
  '[level]',
  '?1',
  ':name',
  '{0}',
  "\\'; --",
  'a\0b',
  'x" * OR "y',
  'NEAR(a b)',
  'words : x',
  '^x',
  'AND OR NOT',
  '$$;$$',
  '\u2028',
  '-- comment',
  '/* x */',
]

const telemetry = sqliteTelemetry(await openSqlite(':memory:'), standardCatalog)
const sqlite = sqliteBackend(telemetry, functions, { mode: 'in-process' })

/** Returns plans with a string in every position in which a user can write one. */
function plansWith(text: string): readonly LogicalPlan[] {
  const tests: readonly ValueTest[] = [
    { kind: 'equals', value: text, isFolded: true, isTyped: true },
    { kind: 'equals', value: text, isFolded: false, isTyped: false },
    { kind: 'in', values: [text, 'b'], isFolded: true, isTyped: true },
    { kind: 'starts-with', text, isFolded: false },
    { kind: 'compare-text', op: 'gt', text },
    { kind: 'string-range', min: text, max: 'z' },
  ]
  const origin = nowhere
  return [
    ...['level', 'trace_id', 'status', 'undeclared'].flatMap((name) =>
      tests.map((valueTest) => scanOf({ predicate: tested(column(name), valueTest) })),
    ),
    scanOf({ predicate: tested(column(`f ${text}`), { kind: 'empty' }) }),
    scanOf({ guard: tested(column('namespace'), { kind: 'equals', value: text, isFolded: false, isTyped: true }) }),
    { kind: 'project', input: scanOf(), fields: [{ parts: [`f ${text}`] }], origin },
    {
      kind: 'extend',
      input: scanOf(),
      assignments: [{ name: `f ${text}`, expr: literal(`v ${text}`), type: 'any' }],
      origin,
    },
    {
      kind: 'rename',
      input: scanOf(),
      steps: [{ from: { parts: ['level'] }, to: { parts: [`f ${text}`] } }],
      isCopy: false,
      origin,
    },
    {
      kind: 'sort',
      input: scanOf(),
      keys: [{ expr: column(`f ${text}`), direction: 'asc' }],
      offset: 0,
      limit: 3,
      partitionBy: [],
      rankName: `r ${text}`,
      origin,
    },
    { kind: 'distinct', input: scanOf(), keys: [`f ${text}`], hitsName: `h ${text}`, limit: undefined, origin },
  ]
}

describe('what a user writes never becomes part of a statement', () => {
  test('its text is the same whatever the values and names are', () => {
    const harmless = plansWith('error').map((plan) => sqlite.compile(plan).sql)
    for (const attack of attacks) {
      expect(
        plansWith(attack).map((plan) => sqlite.compile(plan).sql),
        attack,
      ).toEqual(harmless)
    }
    for (const sql of harmless) expect(sql).not.toContain('error')
  })

  test('any text can be searched for as words', async () => {
    telemetry.append('logs', [logRow(0, 5n, { content: attacks.join(' ') })])
    const random = new Random(3)
    const pieces = [...attacks, '"', '*', '(', ')', ' AND ', ' OR ', 'NOT', '^', ':', '+', '\ud83d', '😀', '\0', '-']
    for (let i = 0; i < 500; i++) {
      const text = random.some(pieces, 1 + random.below(4)).join('')
      const kind = random.pick(['phrase', 'phrase-prefix', 'contains'] as const)
      const rows = await answer(
        sqlite,
        scanOf({ predicate: tested(column('content'), { kind, text, isFolded: true }) }),
      )
      expect(rows.length).toBeLessThanOrEqual(1)
    }
    for (const attack of attacks) {
      const found = scanOf({ predicate: tested(column('content'), { kind: 'contains', text: attack, isFolded: true }) })
      expect(await answer(sqlite, found), attack).toHaveLength(1)
    }
  })

  test('names of tables and columns come from the allow-list', async () => {
    const nasty: RecordTableDefinition = {
      name: 'x"; DROP TABLE y; --',
      schema: {
        fields: [
          field('_time', 'time'),
          ...attacks.map((name) => field(name, 'string')),
          field('rowid', 'string'),
          field('C0', 'string'),
        ],
        isOpen: true,
      },
      timeField: '_time',
      textField: present(attacks[0]),
      aliases: new Map(),
      streamFields: [],
      domain: 'logs',
    }
    const catalog: RecordCatalog = { tables: new Map([[nasty.name, nasty]]), defaultTable: nasty.name }
    const store = sqliteTelemetry(await openSqlite(':memory:'), catalog)
    const row: [string, Value][] = [...attacks, 'rowid', 'C0'].map((name, i) => [name, `value ${i}`])
    store.append(nasty.name, [logRow(0, 1n, Object.fromEntries(row))])
    const backend = sqliteBackend(store, functions, { mode: 'in-process' })
    const plan = scanOf({ table: nasty.name, tableSchema: nasty.schema, range: always })
    const statement = backend.compile(plan).sql
    expect(statement).toMatch(/^[a-zA-Z0-9_ ,.()&>\n]*$/)
    const [found] = await answer(backend, plan)
    expect(found?.slice(1)).toEqual(row)
  })
})

describe('large queries stay inside the limits of SQLite', () => {
  const equals = (name: string, value: Value): Expr =>
    tested(column(name), { kind: 'equals', value, isFolded: false, isTyped: true })

  test('4,096 alternatives and as many conditions', async () => {
    const terms = Array.from({ length: 4096 }, (_, i) => equals(i % 2 === 0 ? 'trace_id' : 'undeclared', `v${i}`))
    expect(await answer(sqlite, scanOf({ predicate: or(terms) }))).toHaveLength(0)
    expect(await answer(sqlite, scanOf({ predicate: and(terms) }))).toHaveLength(0)
  })

  test('a list of 60,000 values, and many lists', async () => {
    const values = Array.from({ length: 60_000 }, (_, i) => `value ${i}`)
    telemetry.append('logs', [logRow(1, 6n, { span_id: 'value 59999', status: 503 })])
    const listed = (name: string, some: readonly Value[]): Expr =>
      tested(column(name), { kind: 'in', values: some, isFolded: false, isTyped: true })
    expect(await answer(sqlite, scanOf({ predicate: listed('span_id', values) }))).toHaveLength(1)
    const many = Array.from({ length: 400 }, (_, i) => listed(`f${i}`, values.slice(0, 300)))
    expect(await answer(sqlite, scanOf({ predicate: or([...many, equals('status', 503)]) }))).toHaveLength(1)
  })

  test('128 groups inside each other', async () => {
    let deep: Expr = equals('status', 503)
    for (let i = 0; i < 128; i++) {
      deep =
        i % 2 === 0
          ? { kind: 'not', arg: or([equals('level', `l${i}`), deep]), origin: nowhere }
          : and([deep, equals('undeclared', '')])
    }
    const rows = await answer(sqlite, scanOf({ predicate: deep }))
    expect(rows.length).toBeLessThanOrEqual(2)
  })
})
