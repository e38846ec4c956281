import { describe, expect, test } from 'vitest'
import { createEngine } from '../../../src/engine/index.ts'
import { printExplainTree } from '../../../src/engine/explain.ts'
import { printPlan } from '../../../src/plan/index.ts'
import { defineTable } from '../../../src/store/index.ts'
import { columnarOver, mixedRows, sqliteOver } from '../../engine/data.ts'
import { sheet } from '../checked.ts'

const rows = mixedRows(200)
const engine = createEngine({ backends: [columnarOver(rows)], lint: 'off' })

function planOf(query: string): string {
  return `\n${printPlan(engine.query(query).plan)}\n`
}

describe('equal parts are one', () => {
  test('in a union: the second place names the part', () => {
    const query = '* | stats by (pod) count() as n | union (* | stats by (pod) count() as n | filter n:>3)'
    expect(planOf(query)).toBe(
      sheet(`
        union 2 inputs
          aggregate by (pod) count() as n  part 1
            scan logs always columns=(pod)
          filter n in (3, +Inf]
            aggregate by (pod) count() as n  = part 1
      `),
    )
  })
  test('but for what chance has a say in', () => {
    const query = '* | math rand() as r | fields r | union (* | math rand() as r | fields r)'
    expect(planOf(query)).toBe(
      sheet(`
        union 2 inputs
          extend r = rand()
            scan logs always columns=()  part 1
          extend r = rand()
            scan logs always columns=()  = part 1
      `),
    )
  })
  test('not where one reads other rows', () => {
    const query = 'level:error | stats by (pod) count() as n | union (level:warn | stats by (pod) count() as n)'
    expect(planOf(query)).not.toContain('part 1')
  })
})

describe('what is one part is computed once', () => {
  const query =
    '* | stats by (a) sum(duration_ms) as n | join by (a) (* | stats by (a) sum(duration_ms) as n) prefix "r"'

  test('as explain says, with one scan of each row', async () => {
    const scanned = async (disabledRules: readonly string[]): Promise<number> => {
      const result = engine.query(query, { disabledRules })
      await result.toArray()
      return result.statistics().scannedRows
    }
    expect(await scanned(['share-parts'])).toBe(2 * (await scanned([])))
    expect(printExplainTree(engine.query(query).explain())).toContain(
      'stands at 2 places of the plan and is computed once',
    )
  })
  test('a list of `in` that is asked for twice', async () => {
    const twice = 'pod:in(level:error | fields pod) or a:in(level:error | fields pod)'
    const result = engine.query(twice)
    const answer = await result.toArray()
    expect(answer.length).toBeGreaterThan(0)
    expect(printExplainTree(result.explain()).match(/subquery: ran first/g)).toHaveLength(1)
    expect(answer).toEqual(await engine.query(twice, { disabledRules: ['*'] }).toArray())
  })
  test('by another backend, whose rows come up once', async () => {
    const sqlite = await sqliteOver(rows)
    const over = createEngine({ backends: [sqlite], upper: columnarOver([]), lint: 'off' })
    const shared = '* | math rand() * 0 as z, duration_ms + z as d | stats by (pod) count() as n'
    const both = `${shared} | union (${shared})`
    expect(await over.query(both).toArray()).toEqual(await engine.query(both).toArray())
    await sqlite.close()
  })
})

test('a table that makes its rows is read once', async () => {
  let reads = 0
  const ticks = defineTable({
    name: 'ticks',
    *scan() {
      reads++
      for (let i = 0; i < 10; i++) yield { i, parity: i % 2 === 0 ? 'even' : 'odd' }
    },
  })
  const own = createEngine({ tables: { ticks }, lint: 'off' })
  const query = 'parity:even | fields i | union (parity:even | fields i)'
  const expected = await own.query(query, { disabledRules: ['share-parts'] }).toArray()
  expect(expected).toHaveLength(10)
  expect(reads).toBe(2)
  reads = 0
  expect(await own.query(query).toArray()).toEqual(expected)
  expect(reads).toBe(1)
})
