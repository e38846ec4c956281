import type { KitSession, TokenType } from '../../kit/index.ts'
import type { FieldExpr } from '../ast.ts'
import type { Report } from '../diagnostics.ts'

/** State of the parser for one text. */
export class TraceqlSession implements KitSession {
  readonly source: string
  readonly limits: { readonly depth: number; readonly operators: number }
  /** Called with errors of tokens and grammar. */
  readonly report: Report
  /** Called with errors of meaning, which count only if there is no other. */
  readonly reportMeaning: Report
  /** Operators so far, those before an operand included. */
  operators = 0
  /** What the reference lists as expected where this is less than what the grammar accepts. */
  listed: readonly TokenType[] | undefined
  /** Expressions of which an error was reported, so that it is not reported again of what is around them. */
  readonly faulty = new WeakSet<FieldExpr>()

  constructor(source: string, limits: TraceqlSession['limits'], report: Report, reportMeaning: Report) {
    this.source = source
    this.limits = limits
    this.report = report
    this.reportMeaning = reportMeaning
  }
}
