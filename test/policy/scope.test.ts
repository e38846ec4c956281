import { describe, expect, test } from 'vitest'
import { standardFunctions } from '../../src/functions/index.ts'
import { printExpr } from '../../src/plan/index.ts'
import { checkScopeShape, combineScopes, scopeFaults } from '../../src/policy/scope/index.ts'
import { standardCatalog } from '../../src/store/index.ts'

const tools = { catalog: standardCatalog, functions: standardFunctions }

function condition(key: string, value: unknown, op = 'match'): object {
  return { key, origin: 'root', type: 'string', filters: [{ op, value }] }
}

/** What each table's guard says; `-` where there is none. */
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

  test('policies are a union: one that allows everything opens the kind, others add up', () => {
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

  test('faults are told once, however many tables they concern', () => {
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
