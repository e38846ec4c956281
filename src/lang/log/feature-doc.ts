import type { Dialect } from '../../plan/index.ts'

export interface FeatureExample {
  readonly query: string
  /** Sentence that describes the example query, without a full stop. */
  readonly text: string
  /** Dialect to which the example is limited. Default: both dialects. */
  readonly dialect?: Dialect
}

export interface FeatureDoc {
  /** Describes the feature in one sentence. */
  readonly summary: string
  /** Syntax, with options in square brackets. */
  readonly form: string
  readonly examples: readonly FeatureExample[]
}
