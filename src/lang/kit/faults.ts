import { MAX_FAULTS, spanOf, type Diagnostic } from '../../base/index.ts'
import { LimitFault } from './parser.ts'

/** Thrown by the list of a text with too many errors, so that the rest is not read. */
class TooManyErrorsError extends Error {}

/** The errors of one text, at most `MAX_FAULTS`. */
export class FaultList {
  readonly list: Diagnostic[] = []

  /** Adds an error. Throws what `describeStop` takes if there are too many. */
  readonly report = (fault: Diagnostic): void => {
    if (this.list.length === MAX_FAULTS) throw new TooManyErrorsError()
    this.list.push(fault)
  }

  /** Errors without those that only follow from earlier ones: at the same position, or at the end of the text. */
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

/** Returns the error for which a parser stopped; an overflow of the stack is a text too deep. Throws all other errors. */
export function describeStop(error: unknown, tooDeep: () => Diagnostic, tooManyErrors: () => Diagnostic): Diagnostic {
  if (error instanceof LimitFault) return error.diagnostic
  if (error instanceof RangeError) return tooDeep()
  if (error instanceof TooManyErrorsError) return tooManyErrors()
  throw error
}
