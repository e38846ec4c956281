import { describe, expect, test } from 'vitest'
import { createLanguage } from '../../../src/editor/index.ts'
import { createEngine } from '../../../src/engine/index.ts'
import { canon, parse } from '../../../src/lang/log/index.ts'

const orders = [
  { id: 1, text: 'from alice' },
  { id: 2, from: 'alice', text: 'other' },
]
const customers = [
  { id: 1, name: 'Ann', vip: true },
  { id: 2, name: 'Bob', vip: false },
]
const engine = createEngine({ tables: { orders, customers }, lint: 'off' })

function ids(source: string): Promise<unknown> {
  return engine
    .query(`* | join by (id) (${source}) inner | fields id`)
    .toArray()
    .then((rows) => rows.map(({ id }) => id))
}

describe('from in front of a query in parentheses', () => {
  test.each<readonly [string, readonly number[]]>([
    ['from customers', [1, 2]],
    ['from customers | filter vip:true', [1]],
    ['from customers vip:true', [1]],
    ['from customers not vip:true', [2]],
    ['from customers (vip:true or id:2)', [1, 2]],
    ['FROM "customers" vip:true | fields id', [1]],
    ['from customers options(time_offset=0s) vip:true', [1]],
    ['from customers | join by (id) (from orders alice) inner', [1]],
  ])('%s names the table', async (source, expected) => {
    expect(await ids(source)).toEqual(expected)
  })

  test.each<readonly [string, readonly number[]]>([
    ['from:alice', [2]],
    ['from', [1]],
    ['from | fields id', [1]],
    ['from and alice', [1]],
    ['from or other', [1, 2]],
    ['from id:1', [1]],
    ['from cust*', []],
    ['from*', [1]],
    ['"from" alice', [1]],
    ['alice from', [1]],
  ])('%s is a filter', async (source, expected) => {
    expect(await ids(source)).toEqual(expected)
  })

  test('names the table in union and in', async () => {
    expect(await engine.query('alice | union (from customers vip:true) | fields name').toArray()).toEqual([
      { name: null },
      { name: 'Ann' },
    ])
    const found = await engine.query('id:in (from customers vip:true | fields id) | fields id').toArray()
    expect(found).toEqual([{ id: 1 }])
  })

  test('is a word at the start of a text, and in LogsQL', async () => {
    expect(await engine.query('from alice | fields id').toArray()).toEqual([{ id: 1 }])
    const { ast, diagnostics } = parse('* | join by (id) (from customers | fields id)', { dialect: 'logsql' })
    expect(diagnostics).toEqual([])
    expect(canon(ast, 'logsql')).not.toContain('(from customers')
  })

  test.each([
    ['* | union (options(domain=customers) *)', '* | union (from customers)'],
    ['* | union (options(domain=customers) * | limit 1)', '* | union (from customers | limit 1)'],
    ['* | union (from "customers" vip:true)', '* | union (from customers vip:true)'],
    ['* | union (from "two words" * | fields *)', '* | union (from "two words" | fields *)'],
    ['* | union (from "by" id:1)', '* | union (from "by" id:1)'],
    ['* | union (from and customers)', '* | union ("from" and customers)'],
  ])('%s is printed as %s', (text, printed) => {
    const once = canon(parse(text).ast)
    expect(once).toBe(printed)
    expect(canon(parse(once).ast)).toBe(once)
  })

  test.each([
    ['* | union (from nope | limit 1)', 'There is no table named `nope`.'],
    ['* | union (from customers options(domain=orders) id:1)', 'The query names two tables.'],
  ])('%s is an error', (text, message) => {
    const [first] = engine.check(text)
    expect(first).toMatchObject({ message, severity: 'error', origin: { kind: 'text' } })
  })

  test('completes and explains the names of tables', () => {
    const language = createLanguage({ catalog: engine.catalog })
    const text = '* | join by (id) (from cus'
    expect(language.complete(text, text.length).items.map(({ label }) => label)).toEqual(['customers'])
    expect(language.hover('* | union (from customers)', 18)?.text).toContain('**table `customers`**')
  })
})
