import type { KitSession } from '../../kit/index.ts'
import type { Report } from '../diagnostics.ts'

/** State of the parser for one text. */
export class LogqlSession implements KitSession {
  readonly source: string
  readonly limits: { readonly depth: number; readonly operators: number }
  /** Called with errors of tokens and grammar, and of values that the reference checks while it reads. */
  readonly report: Report
  /** Called with errors of meaning, which count only if there is no other. */
  readonly reportMeaning: Report
  /** Binary operators and conjunctions of conditions so far. */
  operators = 0

  constructor(source: string, limits: LogqlSession['limits'], report: Report, reportMeaning: Report) {
    this.source = source
    this.limits = limits
    this.report = report
    this.reportMeaning = reportMeaning
  }
}
