import type { Dialect } from '../../plan/index.ts'

export interface FeatureExample {
  readonly query: string
  /** Describes the query in one sentence without a full stop. */
  readonly text: string
  /** Only for this dialect. Default: both. */
  readonly dialect?: Dialect
}

export interface FeatureDoc {
  /** One sentence. */
  readonly summary: string
  /** Syntax, with options in square brackets. */
  readonly form: string
  readonly examples: readonly FeatureExample[]
}
