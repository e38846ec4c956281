import {
  TRACEQL_LIMITS,
  parseTraceql,
  parseTraceqlOrThrow,
  printTraceql,
  traceqlWordsAfter,
} from '../../lang/traceql/index.ts'
import type { OtherLanguage } from '../../editor/index.ts'

/** TraceQL of trace searches, in which metric functions are errors. */
export const traceql: OtherLanguage = {
  check: (text) => parseTraceql(text, { gives: 'spans' }).diagnostics,
  format: (text) => printTraceql(parseTraceqlOrThrow(text)),
  // The parser rejects longer texts, so they are not completed.
  wordsAfter: (text) => (text.length > TRACEQL_LIMITS.textBytes ? [] : traceqlWordsAfter(text)),
}
