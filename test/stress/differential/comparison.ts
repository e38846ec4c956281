import type { FuzzerDefinition } from '../../../src/fuzz/runner/fuzzer.ts'
import type { ServerFault } from './server.ts'

/** The outcome of one query. */
export type Compared =
  | { readonly kind: 'equal'; readonly note: string | undefined }
  /** The answers differ, and rulings explain it: each with its number and text. */
  | { readonly kind: 'ruled'; readonly rules: readonly string[] }
  | { readonly kind: 'different'; readonly failure: string }
  /** The server did not answer, or its answer had the wrong form. */
  | { readonly kind: 'fault'; readonly fault: ServerFault }

/** One language compared with one server. */
export interface Comparison<Case> {
  readonly definition: FuzzerDefinition<Case, Compared>
  /** All forms that its queries can contain, to measure coverage. */
  readonly forms: readonly string[]
}

/** Limits for shrinking a case: the number of smaller versions to try and the time. A server may answer slowly. */
export const shrinkBounds = (isModel: boolean): { readonly maxShrinks: number; readonly maxShrinkMs: number } => ({
  maxShrinks: isModel ? 300 : 60,
  maxShrinkMs: 10_000,
})
