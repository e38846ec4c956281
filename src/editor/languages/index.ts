import { formatLogql, logqlWordsAfter, parseLogql, parseLogqlOrThrow } from '../../lang/logql/index.ts'
import { parseTraceql, parseTraceqlOrThrow, printTraceql, traceqlWordsAfter } from '../../lang/traceql/index.ts'
import type { OtherLanguages } from '../other-language.ts'

/** LogQL and TraceQL for the language service. The service does not import them itself, so that it stays small. */
export const otherLanguages: OtherLanguages = new Map([
  [
    'logql',
    {
      check: (text) => parseLogql(text).diagnostics,
      format: (text) => formatLogql(parseLogqlOrThrow(text)),
      wordsAfter: logqlWordsAfter,
    },
  ],
  [
    'traceql',
    {
      check: (text) => parseTraceql(text).diagnostics,
      format: (text) => printTraceql(parseTraceqlOrThrow(text)),
      wordsAfter: traceqlWordsAfter,
    },
  ],
])
