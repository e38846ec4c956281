import type { FuzzerDefinition } from '../../../src/fuzz/runner/fuzzer.ts'
import type { ServerFault } from './server.ts'

/** What came of one query. */
export type Compared =
  | { readonly kind: 'equal'; readonly note: string | undefined }
  /** Different, as rulings have it: each by number and words. */
  | { readonly kind: 'ruled'; readonly rules: readonly string[] }
  | { readonly kind: 'different'; readonly failure: string }
  /** The server did not answer, or not in the form that it should. */
  | { readonly kind: 'fault'; readonly fault: ServerFault }

/** One language compared with one server. */
export interface Comparison<Case> {
  readonly definition: FuzzerDefinition<Case, Compared>
  /** Everything that its queries can hold, for the coverage. */
  readonly forms: readonly string[]
}

/** Versions of a case that are tried at most to make it small, and how long: a server may answer slowly. */
export const shrinkBounds = (isModel: boolean): { readonly maxShrinks: number; readonly maxShrinkMs: number } => ({
  maxShrinks: isModel ? 300 : 60,
  maxShrinkMs: 10_000,
})
