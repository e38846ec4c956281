import { rewriteDown, rewriteUp, type LogicalPlan } from '../plan/index.ts'
import { rules as allRules } from './rules/index.ts'
import type { Rule, RuleContext } from './rule.ts'

/** One rule that changed the plan. */
export interface OptimizerStep {
  readonly rule: Rule
  /** Counted from 1. */
  readonly pass: number
  readonly before: LogicalPlan
  readonly after: LogicalPlan
}

export interface OptimizeOptions {
  readonly context: RuleContext
  /** The ordered list; the standard one unless given. */
  readonly rules?: readonly Rule[]
  /** Names of rules to leave out; `*` leaves out all. */
  readonly disabled?: readonly string[]
  /** Called after each rule that changed the plan. */
  readonly observe?: (step: OptimizerStep) => void
  /** Passes over the list at most. */
  readonly maxPasses?: number
}

export const DEFAULT_MAX_PASSES = 8

export function runRule(rule: Rule, plan: LogicalPlan, context: RuleContext): LogicalPlan {
  const apply = (node: LogicalPlan): LogicalPlan => rule.apply(node, context)
  switch (rule.direction) {
    case 'up':
      return rewriteUp(plan, apply)
    case 'down':
      return rewriteDown(plan, apply)
    case 'whole':
      return rule.apply(plan, context)
  }
}

/** The rules in force, in order. */
export function activeRules(options: Pick<OptimizeOptions, 'rules' | 'disabled'>): readonly Rule[] {
  const { rules = allRules, disabled = [] } = options
  if (disabled.includes('*')) return []
  return disabled.length === 0 ? rules : rules.filter((rule) => !disabled.includes(rule.name))
}

/**
 * Runs the list until a pass changes nothing, at most `maxPasses` times. Any subset of the rules gives a plan with the
 * same answer; stopping early costs speed only.
 */
export function optimize(plan: LogicalPlan, options: OptimizeOptions): LogicalPlan {
  const rules = activeRules(options)
  let current = plan
  for (let pass = 1; pass <= (options.maxPasses ?? DEFAULT_MAX_PASSES); pass++) {
    const start = current
    for (const rule of rules) {
      const before = current
      current = runRule(rule, before, options.context)
      if (current !== before) options.observe?.({ rule, pass, before, after: current })
    }
    if (current === start) break
  }
  return current
}
