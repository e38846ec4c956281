import { sample } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SluiceError } from '../../src/base/index.ts'
import { createEngine } from '../../src/engine/index.ts'
import { logQueries, queryText, type QueryParts, type SchemaOptions } from '../../src/fuzz/index.ts'
import { fieldNames } from '../../src/fuzz/dataset.ts'

const orders = [
  { _time: '2026-11-02T08:00:00Z', code: 200, state: 'paid', note: 'left at the door', 'the cost': 5 },
  { _time: '2026-11-02T09:00:00Z', code: 404, state: 'lost', note: 'door was shut', 'the cost': 2.5 },
]
const engine = createEngine({ tables: { orders, customers: orders.slice(1) }, lint: 'off' })
const plain = { code: [200, 404], state: ['paid', 'lost'], note: 'text', 'the cost': 'number' } as const
const timed = { _time: ['2026-11-02T08:00:00Z'], ...plain }
const tables = ['orders', 'customers'] as const

function drawn(options: SchemaOptions, numRuns = 500): readonly QueryParts[] {
  return sample(logQueries(options), { numRuns, seed: 1 })
}

const texts = (options: SchemaOptions): string => drawn(options).map(queryText).join('\n')

/** Returns the distinct matches of a pattern, so that a failure does not print the whole text. */
const found = (text: string, pattern: RegExp): readonly string[] => [...new Set(text.match(pattern))]

/**
 * Returns the error codes of rejected queries. A few are expected, because the generator may request a column that an
 * earlier pipe removed.
 */
async function refusals(queries: readonly QueryParts[]): Promise<readonly string[]> {
  const codes: string[] = []
  for (const query of queries)
    try {
      await engine.query(queryText(query), { dialect: query.dialect }).toArray()
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      codes.push(error.code)
    }
  return codes
}

describe('queries over fields and tables of the caller', () => {
  test.each([
    ['fields and tables', { fields: plain, tables }],
    ['times', { fields: timed, tables }],
    ['no table', { fields: plain }],
    ['one field', { fields: { code: 'number' } }],
    ['a field whose name needs quotes', { fields: { 'the cost': [5, 2.5] } }],
  ] as const)('%s: an engine with them runs nearly all', async (_, options) => {
    const queries = drawn(options, 150)
    const codes = await refusals(queries)
    expect(codes.length / queries.length).toBeLessThan(0.05)
    expect(codes).not.toContain('analyze/unknown-table')
    expect(codes).not.toContain('analyze/name-text-field')
    expect(codes).not.toContain('analyze/unknown-stream-field')
  })

  test('names and values are the given ones', () => {
    const all = texts({ fields: plain, tables })
    for (const part of ['code:"200"', 'state:paid', 'note:', '"the cost"', 'from customers ', 'domain=orders'])
      expect(all).toContain(part)
    // `a`, `level` and `content` also occur as result names.
    const ofLogs = fieldNames.filter((name) => !['a', 'level', 'content'].includes(name))
    expect(found(all, new RegExp(`(?<![\\w"])(${[...ofLogs, 'logs'].join('|')})(?![\\w"])`, 'g'))).toEqual([])
  })

  test('times are drawn where `_time` is a field, around the first of its values', () => {
    expect(texts({ fields: timed })).toMatch(/_time:(>|<|=|\[|\()+=?"?2026-11-0/)
    expect(found(texts({ fields: plain }), /.{20}\b_time\b.{20}/g)).toEqual([])
  })

  test('no table is named unless one is given', () => {
    expect(found(texts({ fields: plain }), /\bfrom (logs|orders)\b|domain=/g)).toEqual([])
  })

  test('an empty list of tables: none is named', () => {
    expect(found(texts({ tables: [] }), /\bfrom (logs|undefined)\b|domain=/g)).toEqual([])
  })

  test('tables alone: queries over logs of another name', () => {
    const all = texts({ tables: ['audit'] })
    expect(all).toContain('from audit ')
    expect(all).toContain('workload')
    expect(found(all, /from logs|domain=logs/g)).toEqual([])
  })
})

describe('fields and tables that cannot be drawn are refused', () => {
  test.each([
    [{ fields: {} }, 'needs one field at least beside `_time`, not an object.'],
    [{ fields: { _time: ['2026-11-02T08:00:00Z'] } }, 'needs one field at least beside `_time`, not an object.'],
    [{ fields: { code: [] } }, 'needs values of `code`, `text` or `number`, not a list.'],
    [{ fields: { code: 'int' } }, 'needs values of `code`, `text` or `number`, not the string `int`.'],
    [{ fields: { code: [{}] } }, 'needs values of `code`, `text` or `number`, not a list.'],
    [{ fields: { _time: ['noon'] } }, 'needs times of `_time` as RFC 3339, not a list.'],
    [{ fields: { _time: 'text' } }, 'needs times of `_time` as RFC 3339, not the string `text`.'],
    [{ fields: ['code'] }, 'The option `fields` of `logQueries` is a list; it must be an object.'],
    [{ tables: 'orders' }, 'The option `tables` of `logQueries` is the string `orders`; it must be a list.'],
    [{ tables: [''] }, 'needs names of tables, not the string ``.'],
    [{ field: {} }, 'Did you mean `fields`?'],
  ])('%j', (options, message) => {
    expect(() => logQueries(options as SchemaOptions)).toThrow(message)
  })
})
