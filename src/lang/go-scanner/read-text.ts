import { nowhere, span, type Diagnostic } from '../../base/index.ts'
import { utf8Length } from '../../data/index.ts'
import { describeStop, FaultList } from '../kit/index.ts'
import type { LimitDiagnostics } from './diagnostics.ts'
import type { Reports, TextLimits } from './session.ts'

/** Parses a text completely. `hasErrors` returns whether an error has been reported so far. */
export type ReadText<A> = (reports: Reports, hasErrors: () => boolean) => A | undefined

export interface ScannedText<A> {
  /** The syntax tree; `undefined` if and only if there is an error. */
  readonly ast: A | undefined
  /**
   * Errors in the order of detection, so the first one is the most useful. Semantic errors are included only if there
   * are no syntax errors.
   */
  readonly diagnostics: readonly Diagnostic[]
}

/** Parses a text within the limits. Never throws for bad input: every error is a diagnostic. */
export function readText<A>(
  text: string,
  limits: TextLimits,
  diagnostic: LimitDiagnostics,
  read: ReadText<A>,
): ScannedText<A> {
  // A UTF-16 unit has at most 3 bytes in UTF-8, so the bytes of most texts need not be counted.
  const bytes = text.length * 3 > limits.textBytes ? utf8Length(text) : text.length
  if (bytes > limits.textBytes) {
    const data = { bytes, limit: limits.textBytes }
    return { ast: undefined, diagnostics: [diagnostic('too-long', data, span(0, text.length))] }
  }
  const faults = new FaultList()
  const meaning = new FaultList()
  const hasErrors = (): boolean => faults.list.length > 0 || meaning.list.length > 0
  let ast: A | undefined
  try {
    ast = read({ report: faults.report, reportMeaning: meaning.report }, hasErrors)
  } catch (error) {
    faults.list.push(
      describeStop(
        error,
        () => diagnostic('too-deep', { limit: limits.nesting }, nowhere),
        () => diagnostic('too-many-errors', undefined, span(text.length, text.length)),
      ),
    )
  }
  const diagnostics = faults.list.length > 0 ? faults.withoutRepeats(text.length) : meaning.list
  return { ast: diagnostics.length === 0 ? ast : undefined, diagnostics }
}
