import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { Budget, always, betweenTurns, collect } from '../../../src/base/index.ts'
import { Instant, JsonText, rowsOf, type Column, type RecordBatch, type Value } from '../../../src/data/index.ts'
import { createEngine, defaultEngineLimits } from '../../../src/engine/index.ts'
import type { ScanRequest } from '../../../src/plan/index.ts'
import { defineTable, tableOf } from '../../../src/store/index.ts'
import { ArrayColumns, batchesOfArray } from '../../../src/store/tables/array-columns.ts'

type Members = Record<string, unknown>

function request(columns?: readonly string[], memoryBytes = defaultEngineLimits.memoryBytes): ScanRequest {
  const budget = new Budget({ ...defaultEngineLimits, memoryBytes }, () => 0)
  const { signal } = new AbortController()
  return { columns, predicate: [], range: always, order: 'any', limitRows: undefined, signal, budget }
}

/** Returns the values of the rows, sorted by field name. */
function valuesOf(
  batches: Iterable<RecordBatch>,
  columns?: readonly string[],
): readonly (readonly [string, Value])[][] {
  return [...batches].flatMap((batch) =>
    Array.from(rowsOf(batch), (row) =>
      [...row]
        .filter(([name, value]) => value !== null && columns?.includes(name) !== false)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
  )
}

const numbered = (count: number): Members[] => Array.from({ length: count }, (_, n) => ({ n, name: `n${n % 7}` }))
const { definition } = tableOf('rows', numbered(1))
const columnsIn = (batches: Iterable<RecordBatch>): readonly (Column | undefined)[] =>
  Array.from(batches, ({ columns }) => columns[0])

describe('columns of an array', () => {
  test('are made once, and made again only where a row was changed', () => {
    const rows = numbered(5000)
    const first = columnsIn(batchesOfArray(rows, definition, request(['n'])))
    expect(columnsIn(batchesOfArray(rows, definition, request(['n', 'name'])))).toEqual(first)
    const changed = (): readonly number[] => {
      const next = columnsIn(batchesOfArray(rows, definition, request(['n'])))
      return next.flatMap((column, i) => (column === first[i] ? [] : [i]))
    }
    expect(changed()).toEqual([])
    Object.assign(rows[3000] as Members, { name: 'other' })
    expect(changed()).toEqual([])
    Object.assign(rows[3000] as Members, { n: -1 })
    const chunkOf3000 = 11
    expect(changed()).toEqual([chunkOf3000])
    rows.push({ n: 5000 })
    expect(changed()).toEqual([chunkOf3000, first.length - 1])
  })

  test('are shared by engines over the same array', () => {
    const rows = numbered(100)
    const read = (): readonly (Column | undefined)[] =>
      columnsIn(tableOf('rows', rows).scan(request(['n'])).batches as Iterable<RecordBatch>)
    const [first] = read()
    expect(first).toBeDefined()
    expect(read()[0]).toBe(first)
  })

  test('take no more memory than they may: those not read for longest are dropped', () => {
    const rows = numbered(4000).map((row) => ({ ...row, text: `${String(row['n'])} `.repeat(20) }))
    const columns = new ArrayColumns(160_000)
    const read = (name: string): number => [...batchesOfArray(rows, definition, request([name]), columns)].length
    read('name')
    const bytesOfName = columns.keptBytes
    expect(bytesOfName).toBeGreaterThan(32_000)
    read('n')
    expect(columns.keptBytes).toBeGreaterThan(bytesOfName)
    read('text')
    expect(columns.keptBytes).toBeLessThanOrEqual(160_000)
    for (const name of ['n', 'name', 'text', 'n']) read(name)
    expect(columns.keptBytes).toBeLessThanOrEqual(160_000)
    expect(valuesOf(batchesOfArray(rows, definition, request(['text']), columns), ['text'])[3999]).toEqual([
      ['text', '3999 '.repeat(20)],
    ])
  })

  test('of values that come and go do not grow: the dictionary begins anew', () => {
    const columns = new ArrayColumns()
    const rows: Members[] = []
    const bytes: number[] = []
    for (let round = 0; round < 40; round++) {
      for (let n = 0; n < 100; n++) rows.push({ id: `round ${round} row ${n}` })
      if (rows.length > 1000) rows.splice(0, 100)
      expect(valuesOf(batchesOfArray(rows, definition, request(), columns)).length).toBe(rows.length)
      bytes.push(columns.keptBytes)
    }
    expect(Math.max(...bytes.slice(25))).toBeLessThanOrEqual(Math.max(...bytes.slice(10, 25)))
  })

  test('are charged while they are made', () => {
    const rows = numbered(1000).map((row) => ({ ...row, text: 'x'.repeat(10_000) }))
    const limited = request(['text'], 1_000_000)
    expect(() => [...batchesOfArray(rows, definition, limited)]).toThrow('memory limit')
    expect(limited.budget.usedBytes).toBe(0)
  })
})

describe('answers are those of the objects as they stand', () => {
  const at = new Date('2026-01-01T00:00:00Z')
  const list = ['a']
  const rows: Members[] = [{ at, user: { name: 'Ann' }, n: 1, list }, { n: 2 }, { n: 3 }]
  const engine = createEngine({ tables: { rows: defineTable({ name: 'rows', timeField: 'at', scan: () => rows }) } })
  const answer = (text: string): Promise<readonly object[]> => engine.query(text).toArray()
  const sum = async (): Promise<unknown> => (await answer('* | stats sum(n) n')).map((row) => Object.values(row)[0])

  test.each<[title: string, change: () => void, text: string, expected: object[]]>([
    ['before any change', () => undefined, '* | stats sum(n) n', [{ n: 6 }]],
    ['a row that was added', () => rows.push({ n: 4 }), '* | stats sum(n) n', [{ n: 10 }]],
    [
      'a member that was set',
      () => (rows[1] = Object.assign(rows[1] as Members, { n: 20 })),
      '* | stats sum(n) n',
      [{ n: 28 }],
    ],
    ['a row that was replaced', () => (rows[2] = { n: 30 }), '* | stats sum(n) n', [{ n: 55 }]],
    [
      'a member that is new',
      () => Object.assign(rows[1] as Members, { late: 'yes' }),
      'late:yes | fields n',
      [{ n: 20 }],
    ],
    ['a member that was deleted', () => delete (rows[1] as Members)['late'], 'late:yes | fields n', []],
    [
      'a member of an object inside',
      () => Object.assign(rows[0]?.['user'] as Members, { name: 'Bob' }),
      'user.name:bob | fields n',
      [{ n: 1 }],
    ],
    ['an item of a list', () => list.push('b'), 'b | fields n', [{ n: 1 }]],
    ['a date that was set', () => at.setUTCFullYear(2027), '_time:2027 | fields n', [{ n: 1 }]],
    [
      'rows that were put in another order',
      () => rows.splice(0, rows.length, ...rows.toReversed()),
      'n:>20 | fields n',
      [{ n: 30 }],
    ],
    ['rows that were removed', () => rows.splice(0, 3), '* | stats count() n', [{ n: 1 }]],
  ])('%s', async (_, change, text, expected) => {
    await sum()
    change()
    expect(await answer(text)).toEqual(expected)
  })
})

class Order {
  total = 5
  readonly #hidden = 1
  get hidden(): number {
    return this.#hidden
  }
}

const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, true, false, 0, -0, NaN, 1, 1.5, Infinity, '', 'a', 'b', 2n ** 60n, 7n),
  fc.constantFrom<unknown>(Symbol('s'), () => 1, new Date(NaN), new Instant(5n), new JsonText('1.50')),
  fc.integer({ min: 0, max: 1e12 }).map((ms) => new Date(ms)),
  fc.constantFrom('2026-01-01T00:00:00Z', 'no time', 'é', '\ud800'),
)
const nestedName = fc.constantFrom('a', 'b', 'a.b', 'at', 'text', '__proto__', 'constructor', 'toJSON')
const member = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    { weight: 8, arbitrary: scalar },
    { weight: 2, arbitrary: fc.dictionary(nestedName, tie('value'), { maxKeys: 3 }) },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 2 }) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(new Order(), new Map([['a', 1]]), { toJSON: () => ({ b: 2 }) }) },
  ),
})).value
const name = fc.constantFrom('a', 'b', 'a.b', 'a.b.a', 'at', 'at.text', 'string_attributes', 'constructor', 'c')
const object = fc.oneof(
  { weight: 6, arbitrary: fc.dictionary(name, scalar, { maxKeys: 4 }) },
  { weight: 6, arbitrary: fc.dictionary(name, member, { maxKeys: 4 }) },
  { weight: 1, arbitrary: fc.constant(null).map(() => new Order() as unknown as Members) },
  { weight: 1, arbitrary: fc.constant(null).map(() => Object.assign(new Error('e'), { a: 1 }) as unknown as Members) },
)
const change = fc.oneof(
  fc.record({ kind: fc.constantFrom('push', 'replace', 'remove', 'reverse'), row: fc.nat(), object }),
  fc.record({ kind: fc.constantFrom('set', 'delete'), row: fc.nat(), name, value: member }),
)
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

function apply(rows: Members[], made: Change): void {
  const row = made.row % Math.max(1, rows.length)
  if ('object' in made) {
    if (made.kind === 'push' || rows.length === 0) rows.push(made.object)
    else if (made.kind === 'replace') rows[row] = made.object
    else if (made.kind === 'remove') rows.splice(row, 1)
    else rows.splice(0, rows.length, ...rows.toReversed())
  } else if (rows[row] !== undefined) {
    if (made.kind === 'delete') delete rows[row][made.name]
    else rows[row][made.name] = made.value
  }
}

property.prop([
  fc.array(object, { maxLength: 12 }),
  fc.array(change, { maxLength: 5 }),
  fc.option(fc.subarray(['a', 'b', 'a.b', 'a.b.a', 'at', 'at.text', 'c', 'constructor', 'total', 'hidden', 'text']), {
    nil: undefined,
  }),
  fc.constantFrom('at', undefined),
])(
  'columns have the values of rows read one by one, whatever was changed in between',
  async (rows, changes, columns, at) => {
    const spec = { name: 'rows', ...(at === undefined ? {} : { timeField: at }) }
    const byRow = defineTable({
      ...spec,
      *scan() {
        yield* rows
      },
    })
    const byColumn = defineTable({ ...spec, scan: () => rows })
    const read = async (table: typeof byRow): Promise<unknown> =>
      valuesOf(await collect(betweenTurns(table.scan(request(columns)).batches)), columns)
    expect(await read(byColumn)).toEqual(await read(byRow))
    for (const made of changes) {
      apply(rows, made)
      expect(await read(byColumn)).toEqual(await read(byRow))
    }
  },
)
