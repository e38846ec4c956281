import { SluiceError, checkpoint } from '../base/index.ts'
import { rewriteDown, rewriteUp, type LogicalPlan } from '../plan/index.ts'
import { optimizeDiagnostic } from './diagnostics.ts'
import { rules as standardRules } from './rules/index.ts'
import type { OptimizerStep, Rule, RuleContext } from './rule.ts'
import { rewriteFaults } from './sound.ts'
import { watcher } from './watch.ts'

export interface OptimizeOptions {
  readonly context: RuleContext
  /** Rules in the order in which they run. Default: the standard rules. */
  readonly rules?: readonly Rule[]
  /** Names of rules to skip; `*` skips all. */
  readonly disabled?: readonly string[]
  /** Called after each rule that changed the plan. */
  readonly observe?: (step: OptimizerStep) => void
  /** Maximum number of times that the whole list of rules is run. */
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

const standard: ReadonlySet<Rule> = new Set(standardRules)

/** Runs a user's rule and checks its result. A fault becomes an error that names the rule. */
function runUserRule(rule: Rule, plan: LogicalPlan, context: RuleContext): LogicalPlan {
  let after: LogicalPlan
  let faults: readonly string[]
  try {
    after = runRule(rule, plan, context)
    faults = after === plan ? [] : rewriteFaults(plan, after, context.functions)
  } catch (error) {
    const data = { rule: rule.name, cause: error instanceof Error ? error.message : String(error) }
    throw new SluiceError([optimizeDiagnostic('failed-rule', data, plan.origin)])
  }
  if (faults.length > 0) {
    throw new SluiceError([optimizeDiagnostic('unsound-rule', { rule: rule.name, faults }, plan.origin)])
  }
  return after
}

/** Returns the enabled rules, in order. */
export function activeRules(options: Pick<OptimizeOptions, 'rules' | 'disabled'>): readonly Rule[] {
  const { rules = standardRules, disabled = [] } = options
  if (disabled.includes('*')) return []
  return disabled.length === 0 ? rules : rules.filter((rule) => !disabled.includes(rule.name))
}

/**
 * Runs the list of rules until a run changes nothing, at most `maxPasses` times. The rules never change the answer, so
 * any subset of them is valid and stopping early costs only speed.
 *
 * Throws SluiceError, with the name of the rule, if a user's rule fails or makes an invalid plan.
 */
export function optimize(plan: LogicalPlan, options: OptimizeOptions): LogicalPlan {
  const rules = activeRules(options)
  let current = plan
  for (let pass = 1; pass <= (options.maxPasses ?? DEFAULT_MAX_PASSES); pass++) {
    const start = current
    for (const rule of rules) {
      const before = current
      current = (standard.has(rule) ? runRule : runUserRule)(rule, before, options.context)
      checkpoint()
      if (current === before) continue
      const step: OptimizerStep = { rule, pass, before, after: current }
      watcher()?.(step, () => rewriteFaults(before, step.after, options.context.functions))
      options.observe?.(step)
    }
    if (current === start) break
  }
  return current
}
