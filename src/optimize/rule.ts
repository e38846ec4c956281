import type { Functions } from '../functions/index.ts'
import type { LogicalPlan } from '../plan/index.ts'

/** What rules and lints may know besides the plan: never the data, the clock or the caller. */
export interface RuleContext {
  readonly functions: Functions
  /** The time field of a table; `undefined` for a table that is not in the catalog. */
  readonly timeFieldOf: (table: string) => string | undefined
  /** The field of a table that bare words search. */
  readonly textFieldOf: (table: string) => string | undefined
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
