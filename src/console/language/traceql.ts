import {
  TRACEQL_LIMITS,
  parseTraceql,
  parseTraceqlOrThrow,
  printTraceql,
  traceqlWordsAfter,
} from '../../lang/traceql/index.ts'
import type { OtherLanguage } from '../../editor/index.ts'

/** TraceQL of a search for traces, which takes no metrics. */
export const traceql: OtherLanguage = {
  check: (text) => parseTraceql(text, { gives: 'spans' }).diagnostics,
  format: (text) => printTraceql(parseTraceqlOrThrow(text)),
  // The parser refuses longer texts, so completing them is of no use.
  wordsAfter: (text) => (text.length > TRACEQL_LIMITS.textBytes ? [] : traceqlWordsAfter(text)),
}
