import type { Dialect } from '../../plan/index.ts'

export interface FeatureExample {
  readonly query: string
  /** What the query does, as one sentence without a full stop. */
  readonly text: string
  /** Only this dialect takes it; without it both do. */
  readonly dialect?: Dialect
}

export interface FeatureDoc {
  /** One sentence. */
  readonly summary: string
  /** The written form, options in square brackets. */
  readonly form: string
  readonly examples: readonly FeatureExample[]
}
