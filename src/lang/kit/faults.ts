import { MAX_FAULTS, spanOf, type Diagnostic } from '../../base/index.ts'
import { LimitFault } from './parser.ts'

/** Thrown when a text has too many errors, so that the remainder is not parsed. */
class TooManyErrorsError extends Error {}

/** The errors of one text, at most `MAX_FAULTS`. */
export class FaultList {
  readonly list: Diagnostic[] = []

  /** Adds an error. Throws `TooManyErrorsError`, which `describeStop` handles, if there are too many. */
  readonly report = (fault: Diagnostic): void => {
    if (this.list.length === MAX_FAULTS) throw new TooManyErrorsError()
    this.list.push(fault)
  }

  /**
   * Returns the errors without consequential ones: those at the same position as an earlier error, or at the end of the
   * text after an earlier error.
   */
  withoutRepeats(textEnd: number): readonly Diagnostic[] {
    const seen = new Set<number | undefined>()
    return this.list.filter((fault, i) => {
      const start = spanOf(fault.origin)?.start
      if (seen.has(start) || (i > 0 && start === textEnd)) return false
      seen.add(start)
      return true
    })
  }
}

/**
 * Returns the diagnostic for an error that stopped a parser: too many errors, or a stack overflow, which means too deep
 * nesting. Rethrows all other errors.
 */
export function describeStop(error: unknown, tooDeep: () => Diagnostic, tooManyErrors: () => Diagnostic): Diagnostic {
  if (error instanceof LimitFault) return error.diagnostic
  if (error instanceof RangeError) return tooDeep()
  if (error instanceof TooManyErrorsError) return tooManyErrors()
  throw error
}
