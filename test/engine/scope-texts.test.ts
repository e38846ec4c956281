import { describe, expect, test } from 'vitest'
import { SluiceError } from '../../src/base/index.ts'
import { createEngine, type QueryOptions } from '../../src/engine/index.ts'
import { createJson } from '../../src/engine/pipelines/index.ts'

const orders = ['a', 'b', 'A', 'a'].map((tenant, id) => ({ tenant, id, customer: id % 2 }))
const customers = [
  { id: 0, tenant: 'a', name: 'Ann' },
  { id: 1, tenant: 'b', name: 'Ben' },
]
const engine = createEngine({ tables: { orders, customers }, lint: 'off' })

async function ids(text: string, options: QueryOptions): Promise<readonly unknown[]> {
  return (await engine.query(text, options).toArray()).map((row) => row['id'])
}

function errorsOf(run: () => unknown): readonly string[] {
  try {
    run()
  } catch (error) {
    if (error instanceof SluiceError) return error.diagnostics.map(({ code, message }) => `${code} ${message}`)
    throw error
  }
  return []
}

describe('a scope of texts', () => {
  test('shows only matching rows for any query', async () => {
    const scope = { orders: 'tenant:="a"' }
    expect(await ids('*', { scope })).toEqual([0, 3])
    expect(await ids('tenant:="b" or id:>0', { scope })).toEqual([3])
    expect(await ids('*', { scope: engine.scope(scope) })).toEqual([0, 3])
    expect((await createJson(engine).query({}, { scope }).toArray()).length).toBe(2)
  })

  test('hides tables that it does not name, also in joins and subqueries', async () => {
    const scope = { orders: 'tenant:="a"' }
    expect(await ids('*', { scope, table: 'customers' })).toEqual([])
    expect(await ids('customer:in(options(domain=customers) * | fields id)', { scope })).toEqual([])
    expect(
      await ids('customer:in(options(domain=customers) * | fields id)', { scope: { ...scope, customers: 'name:Ben' } }),
    ).toEqual([3])
    expect(await ids('*', { scope: {} })).toEqual([])
  })

  test('shows all rows of a table with `*`', async () => {
    expect(await ids('*', { scope: { orders: '*' } })).toEqual([0, 1, 2, 3])
  })

  test('counts relative times from the time of the query', async () => {
    const dated = createEngine({
      tables: {
        logs: [
          { _time: new Date(1000), n: 1 },
          { _time: new Date(9000), n: 2 },
        ],
      },
    })
    const result = dated.query('* | fields n', { scope: { logs: '_time:5s' }, nowNs: 10_000_000_000n })
    expect(await result.toArray()).toEqual([{ n: 2 }])
  })

  test('that cannot be read is an error when the query is made', () => {
    const found = (scope: unknown): readonly string[] => errorsOf(() => engine.query('*', { scope } as QueryOptions))
    expect(found({ orders: 'tenant:="a' })[0]).toMatch(
      /^engine\/unreadable-scope The scope of `orders` cannot be read: /,
    )
    expect(found({ orders: '' })[0]).toMatch(/^engine\/unreadable-scope .* A filter is missing here/)
    expect(found({ orders: '* | limit 5' })[0]).toMatch(/^engine\/unreadable-scope .*`\|` does not belong here/)
    expect(found({ orders: 'tenant:=$who' })[0]).toMatch(/^engine\/unreadable-scope .*`\$who` has no value/)
    expect(found({ orders: 'customer:in(options(domain=customers) * | fields id)' })[0]).toMatch(
      /^engine\/scope-with-query /,
    )
    expect(found({ order: '*' })).toEqual([
      'engine/unknown-scope-table The scope is about `order`, but there is no such table. Nearest: `orders`.',
    ])
    for (const scope of [{ orders: undefined }, { orders: ['tenant:="a"'] }, 'tenant:="a"', null, [], 5])
      expect(found(scope)[0]).toMatch(/^engine\/not-a-scope /)
  })

  test('is an error in every verb, and when it is read for many queries', () => {
    const scope = { orders: 'tenant:' }
    const verbs = [
      () => engine.scope(scope),
      () => engine.plan('*', { scope }),
      () => engine.explain('*', { scope }),
      () => engine.toSQL('*', { scope }),
      () => createJson(engine).query({}, { scope }),
    ]
    for (const verb of verbs) expect(errorsOf(verb)).not.toEqual([])
  })
})
