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
  /** Maximum number of operators. Code that processes the tree recurses over them. */
  readonly operators: number
}

export interface Reports {
  /** Called with syntax errors, and with errors in values that the reference implementation detects while parsing. */
  readonly report: Report
  /** Called with semantic errors, which are used only if there are no others. */
  readonly reportMeaning: Report
}

const ignored: Report = () => undefined

/** State of the parser for one text. Without reports, errors are ignored. */
export class GoSession implements KitSession, Reports {
  readonly source: string
  readonly limits: { readonly depth: number; readonly operators: number }
  readonly report: Report
  readonly reportMeaning: Report
  /** Number of operators so far. Each language defines what counts as one. */
  operators = 0

  constructor(source: string, { nesting, operators }: Omit<TextLimits, 'textBytes'>, reports?: Reports) {
    this.source = source
    this.limits = { depth: nesting, operators }
    this.report = reports?.report ?? ignored
    this.reportMeaning = reports?.reportMeaning ?? ignored
  }
}
