import type { Diagnostic } from '../../base/index.ts'
import type { KitSession } from '../kit/index.ts'

/** Receives each diagnostic. */
export type Report = (diagnostic: Diagnostic) => void

/** Limits on one text. `Infinity` removes a limit. Without the limit `nesting`, the stack may overflow. */
export interface TextLimits {
  /** Maximum length of the text in UTF-8 bytes. */
  readonly textBytes: number
  /** Maximum nesting depth of parentheses and calls. */
  readonly nesting: number
  /** Maximum number of operators. Bounds the depth of recursion over the syntax tree. */
  readonly operators: number
}

export interface Reports {
  /** Called with syntax errors, and with errors in values that the reference implementation detects while parsing. */
  readonly report: Report
  /** Called with semantic errors, which are dropped if there are other errors. */
  readonly reportMeaning: Report
}

const ignored: Report = () => undefined

/** State of the parser for one text. Errors are ignored if no `Reports` are given. */
export class GoSession implements KitSession, Reports {
  readonly source: string
  readonly limits: { readonly depth: number; readonly operators: number }
  readonly report: Report
  readonly reportMeaning: Report
  /** Number of operators parsed so far. Each language defines what counts as an operator. */
  operators = 0

  constructor(source: string, { nesting, operators }: Omit<TextLimits, 'textBytes'>, reports?: Reports) {
    this.source = source
    this.limits = { depth: nesting, operators }
    this.report = reports?.report ?? ignored
    this.reportMeaning = reports?.reportMeaning ?? ignored
  }
}
