import { Options, SluiceError, nowhere } from '../base/index.ts'
import type { FunctionDefinitions } from '../functions/index.ts'
import type { LogicalPlan } from '../plan/index.ts'
import { optimizeDiagnostic } from './diagnostics.ts'

/** Facts that rules and lints may use besides the plan. They never include data, the clock or the caller. */
export interface RuleContext {
  readonly functions: FunctionDefinitions
  /** Returns the name of a table's time field; `undefined` for an unknown table. */
  readonly timeFieldOf: (table: string) => string | undefined
  /** Returns the name of a table's main text field, which bare words search. */
  readonly textFieldOf: (table: string) => string | undefined
}

/** Returns the reason why a rule or lint cannot have the name; `undefined` if it can. */
export function nameFault(name: string): string | undefined {
  return /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)
    ? undefined
    : 'names are words in small letters with hyphens between'
}

/**
 * One rewrite of plans. A rule preserves the output schema, the rows, their order and all guards. A rule that has
 * nothing to change must return the same object, which tells the optimizer when to stop.
 */
export interface Rule {
  /** Unique name with which a caller can disable the rule. */
  readonly name: string
  /** One sentence about the rule, shown by `explain --steps`. */
  readonly summary: string
  /**
   * Two log queries for tests. After all other rules have run, this rule must change the plan of `changes`, and must
   * leave the plan of `leaves` unchanged.
   */
  readonly examples: { readonly changes: string; readonly leaves: string }
  /**
   * The order of calls. `up`: for each node after its inputs. `down`: for each node before its inputs. `whole`: once,
   * for the root.
   */
  readonly direction: 'up' | 'down' | 'whole'
  apply(plan: LogicalPlan, context: RuleContext): LogicalPlan
}

/** A change that one rule made to the plan. */
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
 * Defines a rule for the `extend.rules` option of an engine. The rule runs after the standard rules, and its result is
 * checked each time. A result with other columns, without a data scope, or that no backend can run is an error that
 * names the rule.
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
