import type { FuzzerDefinition } from '../../../src/fuzz/runner/fuzzer.ts'
import type { ServerFault } from './server.ts'

/** The outcome of one query. */
export type Compared =
  | { readonly kind: 'equal'; readonly note: string | undefined }
  /**
   * The answers differ, and deliberate differences explain it. Each entry of `rules` has the number and text of one.
   */
  | { readonly kind: 'ruled'; readonly rules: readonly string[] }
  | { readonly kind: 'different'; readonly failure: string }
  /** The server did not answer, or its answer had the wrong form. */
  | { readonly kind: 'fault'; readonly fault: ServerFault }

/** One language compared with one server. */
export interface Comparison<Case> {
  readonly definition: FuzzerDefinition<Case, Compared>
  /** All language forms that the queries can contain, to measure coverage. */
  readonly forms: readonly string[]
}

/**
 * Returns the limits for shrinking a case: the number of smaller cases to try, and the time. A server may answer
 * slowly, so it gets fewer tries than the model.
 */
export const shrinkBounds = (isModel: boolean): { readonly maxShrinks: number; readonly maxShrinkMs: number } => ({
  maxShrinks: isModel ? 300 : 60,
  maxShrinkMs: 10_000,
})
