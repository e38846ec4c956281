import { Options, SluiceError, nowhere } from '../base/index.ts'
import type { FunctionDefinitions } from '../functions/index.ts'
import type { LogicalPlan } from '../plan/index.ts'
import { optimizeDiagnostic } from './diagnostics.ts'

/** What rules and lints may know besides the plan: never the data, the clock or the caller. */
export interface RuleContext {
  readonly functions: FunctionDefinitions
  /** The time field of a table; `undefined` for a table that is not in the catalog. */
  readonly timeFieldOf: (table: string) => string | undefined
  /** The field of a table that bare words search. */
  readonly textFieldOf: (table: string) => string | undefined
}

/** `undefined` when a rule or lint can have the name, else why not. */
export function nameFault(name: string): string | undefined {
  return /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)
    ? undefined
    : 'names are words in small letters with hyphens between'
}

/**
 * One rewrite. It keeps the output schema, the rows and their order exactly, leaves guards alone, and gives the same
 * object back when it has nothing to do: that is how the driver knows that it has come to rest.
 */
export interface Rule {
  /** Unique; what a caller switches off by. */
  readonly name: string
  /** One sentence for `explain --steps`. */
  readonly summary: string
  /** Queries over logs. Once all other rules are at rest, the rule changes the plan of one and leaves that of the other. */
  readonly examples: { readonly changes: string; readonly leaves: string }
  /** `up`: called for each node after its inputs; `down`: before them; `whole`: called once with the root. */
  readonly direction: 'up' | 'down' | 'whole'
  apply(plan: LogicalPlan, context: RuleContext): LogicalPlan
}

/** One rule that changed the plan. */
export interface OptimizerStep {
  readonly rule: Rule
  /** Counted from 1. */
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
 * A rule of a user's own, for `extend.rules` of an engine. It runs behind the standard ones, and what it makes is checked
 * each time: a plan with other columns, without a data scope, or that no backend could run is an error that names it.
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
