import { expect } from 'vitest'
import { areGuardsKept, bind, planProblems } from '../../src/analyze/index.ts'
import { isSameSchema } from '../../src/data/index.ts'
import { optimize, runRule, type Rule, type RuleContext } from '../../src/optimize/index.ts'
import { printPlan, schemaOf, type LogicalPlan } from '../../src/plan/index.ts'
import { standardCatalog } from '../../src/store/index.ts'
import { functions } from '../analyze/plans.ts'

export const context: RuleContext = {
  functions,
  timeFieldOf: (table) => standardCatalog.tables.get(table)?.timeField,
  textFieldOf: (table) => standardCatalog.tables.get(table)?.textField,
}

export function boundPlan(plan: LogicalPlan): LogicalPlan {
  const { plan: bound, diagnostics } = bind(plan, { catalog: standardCatalog, functions, dialect: 'logsql' })
  expect(diagnostics.filter((d) => d.severity === 'error')).toEqual([])
  return bound
}

/** Checks the requirements on every rule: the plan stays valid, has the same output schema, and keeps all guards. */
export function expectKept(before: LogicalPlan, after: LogicalPlan): void {
  expect(planProblems(after, functions)).toEqual([])
  expect(isSameSchema(schemaOf(after), schemaOf(before)), `${printPlan(before)}\n=>\n${printPlan(after)}`).toBe(true)
  expect(areGuardsKept(before, after)).toBe(true)
}

/** Returns the printed plan after one rule. Applying the rule again must not change it. */
export function after(rule: Rule, plan: LogicalPlan): string {
  const before = boundPlan(plan)
  const once = runRule(rule, before, context)
  expectKept(before, once)
  const twice = runRule(rule, once, context)
  expect(printPlan(twice)).toBe(printPlan(once))
  return `\n${printPlan(once)}\n`
}

/** Returns the printed plan after all rules, and checks the plan after each rule. */
export function optimized(plan: LogicalPlan, disabled: readonly string[] = []): string {
  const before = boundPlan(plan)
  const done = optimize(before, { context, disabled, observe: (step) => expectKept(step.before, step.after) })
  // Optimizing again must not change the plan.
  expect(printPlan(optimize(done, { context, disabled }))).toBe(printPlan(done))
  return `\n${printPlan(done)}\n`
}

/** Removes the indentation of a plan in a template literal. */
export function sheet(text: string): string {
  const lines = text.split('\n').slice(1, -1)
  const indent = Math.min(...lines.map((line) => line.length - line.trimStart().length))
  return `\n${lines.map((line) => line.slice(indent)).join('\n')}\n`
}
