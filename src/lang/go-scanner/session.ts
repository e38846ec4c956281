import type { Diagnostic } from '../../base/index.ts'
import type { KitSession } from '../kit/index.ts'

/** Receives each diagnostic. */
export type Report = (diagnostic: Diagnostic) => void

/** Limits on one text. `Infinity` removes a limit; without the limit `nesting`, the stack may overflow. */
export interface TextLimits {
  /** Maximum length of the text, UTF-8 bytes. */
  readonly textBytes: number
  /** Maximum nesting depth of parentheses and calls. */
  readonly nesting: number
  /** Maximum number of operators. What follows the parser recurses over them. */
  readonly operators: number
}

export interface Reports {
  /** Called with errors of tokens and grammar, and of values that the reference checks while it reads. */
  readonly report: Report
  /** Called with errors of meaning, which count only if there is no other. */
  readonly reportMeaning: Report
}

const ignored: Report = () => undefined

/** State of the parser for one text; without reports, for a text whose errors do not matter. */
export class GoSession implements KitSession, Reports {
  readonly source: string
  readonly limits: { readonly depth: number; readonly operators: number }
  readonly report: Report
  readonly reportMeaning: Report
  /** Operators so far; each language says what counts as one. */
  operators = 0

  constructor(source: string, { nesting, operators }: Omit<TextLimits, 'textBytes'>, reports?: Reports) {
    this.source = source
    this.limits = { depth: nesting, operators }
    this.report = reports?.report ?? ignored
    this.reportMeaning = reports?.reportMeaning ?? ignored
  }
}
