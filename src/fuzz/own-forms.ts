import type { StatsGenerator } from './stats-calls.ts'
import type { PipeGenerator, Writer } from './writer.ts'

/** Generators of what a user has defined beside the standard language. */
export interface OwnForms {
  readonly pipes: readonly PipeGenerator[]
  readonly stats: readonly StatsGenerator[]
  /** Calls in `math`, with operands that the expression around them supplies. */
  readonly math: readonly { readonly name: string; readonly write: (w: Writer, operand: () => string) => string }[]
}

export const noForms: OwnForms = { pipes: [], stats: [], math: [] }
