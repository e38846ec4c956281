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

/** Checks the requirements for every rule: a valid plan, the same output schema, and all guards kept. */
export function expectKept(before: LogicalPlan, after: LogicalPlan): void {
  expect(planProblems(after, functions)).toEqual([])
  expect(isSameSchema(schemaOf(after), schemaOf(before)), `${printPlan(before)}\n=>\n${printPlan(after)}`).toBe(true)
  expect(areGuardsKept(before, after)).toBe(true)
}

/** The printed plan after one rule, which must then have nothing more to do. */
export function after(rule: Rule, plan: LogicalPlan): string {
  const before = boundPlan(plan)
  const once = runRule(rule, before, context)
  expectKept(before, once)
  const twice = runRule(rule, once, context)
  expect(printPlan(twice)).toBe(printPlan(once))
  return `\n${printPlan(once)}\n`
}

/** The printed plan after all rules, checked after each. */
export function optimized(plan: LogicalPlan, disabled: readonly string[] = []): string {
  const before = boundPlan(plan)
  const done = optimize(before, { context, disabled, observe: (step) => expectKept(step.before, step.after) })
  // At rest: another run changes nothing.
  expect(printPlan(optimize(done, { context, disabled }))).toBe(printPlan(done))
  return `\n${printPlan(done)}\n`
}

/** A plan as a test writes it: indented, with a line break at both ends. */
export function sheet(text: string): string {
  const lines = text.split('\n').slice(1, -1)
  const indent = Math.min(...lines.map((line) => line.length - line.trimStart().length))
  return `\n${lines.map((line) => line.slice(indent)).join('\n')}\n`
}
