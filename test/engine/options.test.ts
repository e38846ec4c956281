import { describe, expect, test } from 'vitest'
import { sqliteStatements } from '../../src/backends/sql/index.ts'
import { createLanguage } from '../../src/editor/index.ts'
import { createEngine, type QueryOptions } from '../../src/engine/index.ts'
import { createJson } from '../../src/engine/pipelines/index.ts'
import { createServer } from '../../src/server/index.ts'

const engine = createEngine({ tables: { orders: [{ tenant: 'a' }, { tenant: 'b' }] } })
const json = createJson(engine)
const misspelt = { scopes: { orders: 'tenant:="a"' } } as QueryOptions

describe('options that there are not', () => {
  test.each([
    ['query', () => engine.query('*', misspelt)],
    ['explain', () => engine.explain('*', misspelt)],
    ['plan', () => engine.plan('*', misspelt)],
    ['check', () => engine.check('*', misspelt)],
    ['parse', () => engine.parse('*', misspelt)],
    ['format', () => engine.format('*', misspelt)],
    ['toSQL', () => engine.toSQL('*', { ...misspelt, compiler: sqliteStatements() })],
    ['query of a Pipeline', () => json.query({}, misspelt)],
    ['explain of a Pipeline', () => json.explain({}, misspelt)],
  ])('are refused by %s, so that a misspelt scope shows no row', (_, call) => {
    expect(call).toThrow('`scopes` is not an option of a query. Did you mean `scope`?')
  })

  test('are refused where engines, languages and servers are made', async () => {
    expect(() => createEngine({ table: {} } as object)).toThrow('Did you mean `tables`?')
    expect(() => createEngine({ limits: { answerRow: 1 } } as object)).toThrow('Did you mean `limits.answerRows`?')
    expect(() => createLanguage({ extends: {} } as object)).toThrow('Did you mean `extend`?')
    await expect(createServer({ requirePolicies: true } as object)).rejects.toThrow('Did you mean `requirePolicy`?')
    const keys = [{ key: 'a key that is long enough', role: ['read'] }]
    await expect(createServer({ keys })).rejects.toThrow('`role` is not an option of the key at position 0')
  })

  test('all methods accept the options of all others', async () => {
    const options = { compiler: sqliteStatements(), overLimit: 'partial', scope: undefined } as const
    expect(await engine.query('* | count()', options).toArray()).toEqual([{ count: 2 }])
    expect(engine.check('*', options)).toEqual([])
  })

  test('a call without a text is reported', () => {
    const call = engine.query.bind(engine) as (text?: unknown, options?: unknown) => unknown
    expect(() => call()).toThrow('`engine.query` needs a query text, not nothing.')
    expect(() => call('*', 'orders')).toThrow('The options of a query must be an object, not the string `orders`.')
  })
})

test.each([
  [{ batchRows: 0.5 }, 'The option `limits.batchRows` of a query is `0.5`; it must be a whole number above 0.'],
  [{ batchRows: 0 }, 'The option `limits.batchRows` of a query is `0`; it must be a whole number above 0.'],
  [
    { memoryBytes: Number.NaN },
    'The option `limits.memoryBytes` of a query is `NaN`; it must be a number that is not below 0.',
  ],
  [{ answerRows: -1 }, 'The option `limits.answerRows` of a query is `-1`; it must be a number that is not below 0.'],
])('a limit that bounds nothing: %j', (limits, message) => {
  const engine = createEngine({ tables: { orders: [{ id: 1 }] } })
  expect(() => engine.query('*', { limits })).toThrow(message)
})
