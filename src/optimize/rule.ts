import { Options, SluiceError, nowhere } from '../base/index.ts'
import type { FunctionDefinitions } from '../functions/index.ts'
import type { LogicalPlan } from '../plan/index.ts'
import { optimizeDiagnostic } from './diagnostics.ts'

/** Facts besides the plan that rules and lints may use. Data, clock and caller are never among them. */
export interface RuleContext {
  readonly functions: FunctionDefinitions
  /** Returns the name of a table's time field; `undefined` for an unknown table. */
  readonly timeFieldOf: (table: string) => string | undefined
  /** Returns the name of a table's main text field, which bare words search. */
  readonly textFieldOf: (table: string) => string | undefined
}

/** Reason why a rule or lint cannot have the name; `undefined` if it can. */
export function nameFault(name: string): string | undefined {
  return /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)
    ? undefined
    : 'names are words in small letters with hyphens between'
}

/**
 * One rewrite of plans. A rule keeps the output schema, the rows and their order exactly, and does not change guards.
 * If there is nothing to do, it returns the same object, by which the optimizer knows when to stop.
 */
export interface Rule {
  /** Unique name, by which a caller disables the rule. */
  readonly name: string
  /** One sentence about the rule, shown by `explain --steps`. */
  readonly summary: string
  /**
   * Two log queries for tests: after all other rules, this rule changes the plan of `changes`, and not that of
   * `leaves`.
   */
  readonly examples: { readonly changes: string; readonly leaves: string }
  /** `up`: called for each node after its inputs; `down`: before them; `whole`: once, for the root. */
  readonly direction: 'up' | 'down' | 'whole'
  apply(plan: LogicalPlan, context: RuleContext): LogicalPlan
}

/** Report of one rule that changed the plan. */
export interface OptimizerStep {
  readonly rule: Rule
  /** Number of the run over the list of rules, from 1. */
  readonly pass: number
  readonly before: LogicalPlan
  readonly after: LogicalPlan
}

const ruleOptions = new Options<Rule>(
  {
    name: 'string',
    summary: 'string',
    examples: 'object',
    direction: { words: { up: true, down: true, whole: true } },
    apply: 'function',
  },
  ['name', 'summary', 'examples', 'direction', 'apply'],
)

/**
 * Defines a rule for `extend.rules` of an engine. It runs after the standard ones, and its result is checked each time:
 * a plan with other columns, without a data scope, or that no backend can run is an error that names the rule.
 *
 * Throws SluiceError `optimize/bad-name`.
 */
export function defineRule(rule: Rule): Rule {
  ruleOptions.check(rule, '`defineRule`')
  const why = nameFault(rule.name)
  if (why !== undefined) {
    throw new SluiceError([optimizeDiagnostic('bad-name', { what: 'rule', name: rule.name, why }, nowhere)])
  }
  return Object.freeze({ ...rule, examples: Object.freeze({ ...rule.examples }) })
}
