import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../../src/base/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { printExpr } from '../../src/plan/index.ts'
import { checkScopeShape, combineScopes, scopeFaults } from '../../src/policy/scope/index.ts'
import { readPolicyCreate } from '../../src/resources/index.ts'
import { standardCatalog } from '../../src/store/index.ts'

const tools = { catalog: standardCatalog, functions: standardFunctions }

function condition(key: string, value: unknown, op = 'match'): object {
  return { key, origin: 'root', type: 'string', filters: [{ op, value }] }
}

function printOrigin(fault: Diagnostic | undefined): string {
  return fault?.origin.kind === 'json' ? fault.origin.path.join('.') : 'elsewhere'
}

/** Returns the guard of each table as text; `-` if it has none. */
function guards(...stored: readonly unknown[]): Record<string, string> {
  const scope = combineScopes(stored, tools)
  return Object.fromEntries(
    [...standardCatalog.tables.keys()].map((table) => {
      const guard = scope?.(table)
      return [table, guard === undefined ? '-' : printExpr(guard)]
    }),
  )
}

const NOTHING = 'false'
const everywhere = (text: string): Record<string, string> =>
  Object.fromEntries([...standardCatalog.tables.keys()].map((table) => [table, text]))

describe('what says nothing is refused', () => {
  test.each([
    ['contains', ''],
    ['NOTCONTAINS', ''],
    ['startswith', ''],
    ['iendswith', ''],
    ['regex', ''],
    ['regexp', '.*'],
    ['regex', 'a*'],
    ['=~', '^'],
    ['notin', []],
    ['nin', []],
    ['in', []],
    ['match', '*'],
    ['contains', ['a', '']],
  ])('%s %j', (op, value) => {
    const scope = { simple: { conditions: [condition('cluster', value, op)] } }
    const [fault] = checkScopeShape(scope, [])
    expect([fault?.code, printOrigin(fault)]).toEqual(['policy/scope-condition', 'simple.conditions.0.filters.0'])
    expect(guards(scope)).toEqual(everywhere(NOTHING))
  })

  test.each([
    ['contains', 'a'],
    ['regex', '^$'],
    ['regex', '.+x'],
    ['notin', ['a']],
    ['match', ''],
    ['match', 'a*'],
    ['exists', undefined],
  ])('%s %j tells values apart', (op, value) => {
    expect(checkScopeShape({ simple: { conditions: [condition('cluster', value, op)] } }, [])).toEqual([])
  })

  test('a member that stands twice, whatever its letters', () => {
    const conditions = [condition('cluster', 'a')]
    const [fault] = checkScopeShape({ simple: { conditions, Conditions: [] } }, [])
    expect(fault?.code).toBe('policy/scope-twice')
    const body = '{"name":"p","dataScope":{"simple":{"conditions":[{"key":"a","filters":[]}],"conditions":[]}}}'
    expect(() => readPolicyCreate(Buffer.from(body))).toThrow('`conditions` stands twice here')
    expect(() => readPolicyCreate(Buffer.from('{"name":"p","na\\u006de":"q"}'))).toThrow('`name` stands twice here')
    expect(readPolicyCreate(Buffer.from('{"name":"name","role":{"name":"{\\"name\\":1,"}}')).name).toBe('name')
  })
})

const manyPatterns = Array.from({ length: 1001 }, (_, i) => condition('cluster', `[b-d]+${1000 + i}`, '=~'))

test('a new policy has a bounded number of characters of patterns', () => {
  const scope = { advanced: { logs: { groups: [{ operator: 'or', conditions: manyPatterns }] } } }
  const read = (dataScope: object) => readPolicyCreate(Buffer.from(JSON.stringify({ name: 'p', dataScope })))
  expect(() => read(scope)).toThrow('10000 characters of patterns; this one has 10010')
  expect(read({ simple: { conditions: manyPatterns.slice(1) } }).name).toBe('p')
})

test('what is stored is enforced whatever its size', () => {
  const logs = guards({ advanced: { logs: { operator: 'or', conditions: manyPatterns } } }).logs ?? NOTHING
  expect(logs).toContain('[b-d]+2000')
})

describe('what several policies let through together', () => {
  test('no policy at all lets nothing through', () => {
    expect(guards()).toEqual(everywhere(NOTHING))
  })

  test.each([
    [undefined],
    [{}],
    [null],
    [{ simple: {} }],
    [{ simple: { operator: 'and', conditions: [] } }],
    [{ advanced: {} }],
  ])('a scope of %j restricts nothing', (stored) => {
    expect(combineScopes([stored], tools)).toBeUndefined()
    expect(combineScopes([{ simple: { disabled: true } }, stored], tools)).toBeUndefined()
  })

  test('simple holds for every kind of data, under the names of each table', () => {
    const found = guards({ simple: { conditions: [condition('cluster', 'c1')] } })
    expect(found['logs']).toContain('cluster')
    expect(found['clusters']).toContain('name')
    expect(new Set(Object.values(found)).has('-')).toBe(false)
  })

  test('advanced: a missing kind is unrestricted, a disabled one has nothing, clusters follow the workloads', () => {
    const found = guards({
      advanced: { logs: { conditions: [condition('namespace', 'shop')] }, workloads: { disabled: true } },
    })
    expect(found).toMatchObject({ events: '-', spans: '-', samples: '-', workloads: NOTHING, clusters: NOTHING })
    expect(found['logs']).toContain('namespace')
  })

  test('policies are a union: one without conditions allows all rows of its kind', () => {
    const shop = { simple: { conditions: [condition('namespace', 'shop')] } }
    const pay = { advanced: { logs: { conditions: [condition('namespace', 'pay')] }, metrics: { disabled: true } } }
    const found = guards(shop, pay)
    expect(found['events']).toBe('-')
    expect(found['logs']).toMatch(/shop.* or .*pay/i)
    expect(found['samples']).toMatch(/shop/)
    expect(found['samples']).not.toMatch(/pay/)
  })

  test('environment and service mean what the table declares', () => {
    expect(guards({ simple: { conditions: [condition('environment', 'prod')] } })['logs']).toMatch(/^env /)
    expect(guards({ simple: { conditions: [condition('service', 'api')] } })['logs']).toMatch(/^workload /)
    expect(guards({ simple: { conditions: [condition('environment', 'prod')] } })['samples']).toMatch(/^environment /)
  })

  const notUnderstood: readonly (readonly [string, unknown])[] = [
    ['a text', 'everything'],
    ['a list', []],
    ['an unknown operator', { simple: { conditions: [condition('a', 'b', 'almost')] } }],
    ['an unknown member', { simple: { conditions: [condition('a', 'b')], except: [] } }],
    ['a misplaced group', { logs: { conditions: [] } }],
    ['a misspelt kind', { advanced: { log: {} } }],
    ['an unknown operator of a group', { simple: { operator: 'xor', conditions: [condition('a', 'b')] } }],
    ['a condition without a column', { simple: { conditions: [{ filters: [{ op: 'eq', value: 1 }] }] } }],
    ['a condition without filters', { simple: { conditions: [{ key: 'a', filters: [] }] } }],
    ['a value of no use', { simple: { conditions: [condition('a', {}, 'eq')] } }],
    ['an unknown type', { simple: { conditions: [{ ...condition('a', 'b'), type: 'money' }] } }],
    ['a pattern that is none', { simple: { conditions: [condition('a', '(', 'regex')] } }],
    ['both kinds', { simple: { conditions: [condition('a', 'b')] }, advanced: { logs: { disabled: true } } }],
    ['disabled further in', { simple: { groups: [{ disabled: true, conditions: [condition('a', 'b')] }] } }],
    ['an additional filter', { simple: { conditions: [{ ...condition('a', 'b'), additionalFilter: 'c:d' }] } }],
  ]

  test.each(notUnderstood)('%s is not understood and hides everything', (_, stored) => {
    expect(guards(stored)).toEqual(everywhere(NOTHING))
  })

  test.each(notUnderstood)('%s opens nothing beside another policy', (_, stored) => {
    const shop = { simple: { conditions: [condition('namespace', 'shop')] } }
    expect(guards(shop, stored)).toEqual(guards(shop))
  })

  test('a table that nobody declares has nothing to see', () => {
    const scope = combineScopes([{ simple: { conditions: [condition('a', 'b')] } }], tools)
    expect(printExpr(scope?.('secrets') ?? { kind: 'literal', value: true, origin: { kind: 'none' } })).toBe(NOTHING)
  })

  test('faults are reported once, however many tables they concern', () => {
    const faults = scopeFaults({ simple: { conditions: [{ key: 'a', filters: [{ op: 'almost', value: 1 }] }] } }, tools)
    expect(faults.map(({ code }) => code)).toEqual(['json/unknown-operator'])
    expect(checkScopeShape({ simple: { groups: [{ conditions: [{ key: 'a' }] }] } }, ['dataScope'])[0]?.origin).toEqual(
      {
        kind: 'json',
        path: ['dataScope', 'simple', 'groups', 0, 'conditions', 0],
      },
    )
  })
})
