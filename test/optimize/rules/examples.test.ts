import { describe, expect, test } from 'vitest'
import { createEngine } from '../../../src/engine/index.ts'
import { standardFunctions } from '../../../src/functions/index.ts'
import { optimize, rules, runRule, type RuleContext } from '../../../src/optimize/index.ts'
import { printPlan, type LogicalPlan } from '../../../src/plan/index.ts'
import { columnarOver, mixedRows, rowsOver } from '../../engine/data.ts'
import { context as standard } from '../checked.ts'

const context: RuleContext = { ...standard, functions: standardFunctions }
const rows = mixedRows(60)
const model = createEngine({ backends: [rowsOver(rows)], lint: 'off' })
const columnar = createEngine({ backends: [columnarOver(rows)], lint: 'off' })

describe.each(rules.map((rule) => [rule.name, rule] as const))('%s', (name, rule) => {
  /** Optimizes a query with every rule except the tested one. */
  const planOf = (query: string): LogicalPlan =>
    optimize(model.plan(query, { disabledRules: ['*'] }).bound, { context, disabled: [name] })

  test('changes the plan that it says it changes, and then has nothing more to do', () => {
    const before = planOf(rule.examples.changes)
    const after = runRule(rule, before, context)
    expect(printPlan(after)).not.toBe(printPlan(before))
    expect(runRule(rule, after, context)).toBe(after)
  })

  test('leaves the plan that it says it leaves', () => {
    const plan = planOf(rule.examples.leaves)
    expect(printPlan(runRule(rule, plan, context))).toBe(printPlan(plan))
    expect(runRule(rule, plan, context)).toBe(plan)
  })

  test.each([rule.examples.changes, rule.examples.leaves])('answers alike with it and without: %s', async (query) => {
    const expected = (await model.query(query, { disabledRules: ['*'] }).toArray()).map((row) => JSON.stringify(row))
    for (const engine of [model, columnar]) {
      for (const disabledRules of [[], [name]]) {
        const answer = await engine.query(query, { disabledRules }).toArray()
        expect(answer.map((row) => JSON.stringify(row))).toEqual(expected)
      }
    }
  })
})
