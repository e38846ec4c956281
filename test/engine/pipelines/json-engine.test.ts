import { describe, expect, test } from 'vitest'
import { sqliteStatements } from '../../../src/backends/sql/index.ts'
import { SluiceError } from '../../../src/base/index.ts'
import { createEngine } from '../../../src/engine/index.ts'
import { createJson } from '../../../src/engine/pipelines/index.ts'
import { columnarOver, mixedRows } from '../data.ts'

const engine = createEngine({ backends: [columnarOver(mixedRows(300))], lint: 'off' })
const json = createJson(engine)

const errors = {
  filters: { operator: 'and', conditions: [{ key: 'level', filters: [{ op: 'eq', value: 'error' }] }] },
  selectors: [{ key: 'pod' }, { key: '*', processors: [{ op: 'count' }], alias: 'n' }],
  groupBy: [{ key: 'pod' }],
  orderBy: [{ selector: { key: 'pod' } }],
}

function codeOf(work: () => unknown): string {
  try {
    work()
    return 'no error'
  } catch (error) {
    return error instanceof SluiceError ? error.code : String(error)
  }
}

describe('Pipeline objects in the verbs of an engine', () => {
  test('answer as the text that they become', async () => {
    const text = json.toText(errors)
    const found = await json.query(errors).toArray()
    expect(found.length).toBeGreaterThan(1)
    expect(found).toEqual(await engine.query(text).toArray())
    expect(await json.query(json.fromText(text)).toArray()).toEqual(found)
  })

  test('are checked, with the path from their own root', () => {
    expect(json.check(errors)).toEqual([])
    const [unknown] = json.check({ orderBy: [{ selector: { key: 'pod' }, direction: 'up' }] })
    expect(unknown).toMatchObject({ severity: 'error', origin: { path: ['orderBy', 0, 'direction'] } })
    const [operator] = json.check({ domain: 'nothing' })
    expect(operator).toMatchObject({ origin: { path: ['domain'] } })
    expect(codeOf(() => json.query('level:error'))).toMatch(/^wire\//)
    expect(codeOf(() => json.fromText('level:('))).toMatch(/^log\//)
  })

  test('are laid out, planned, explained and written as SQL', () => {
    const laid = json.format({ LIMIT: 5 })
    expect(laid).toBe('{\n  "limit": 5\n}')
    expect(json.format(JSON.parse(laid))).toBe(laid)
    expect(json.explain(errors).owner).toBe('columnar')
    expect(json.plan(errors).schema.fields.map(({ name }) => name)).toEqual(['pod', 'n'])
    const compiler = sqliteStatements()
    expect(json.toSQL(errors, { compiler })).toEqual(engine.toSQL(json.toText(errors), { compiler }))
  })
})

test('members that there are not are refused at their path, so that a misspelt filter shows no row', () => {
  const engine = createJson(createEngine({ tables: { orders: [{ tenant: 'a' }, { tenant: 'b' }] } }))
  const body = { filters: { conditions: [{ keys: 'tenant', filters: [{ op: 'eq', value: 'a' }] }] } }
  for (const call of [
    () => engine.query(body),
    () => engine.parse(body),
    () => engine.explain(body),
    () => engine.toText(body),
    () => engine.format(body),
  ]) {
    expect(call).toThrow('There is no member `keys` here.')
  }
  const [first] = engine.check({ FILTERS: {}, orderby: [], limt: 1 })
  expect(first).toMatchObject({ code: 'wire/unknown-member', origin: { path: ['limt'] } })
  expect(first?.notes[0]).toContain('Did you mean `limit`?')
})
