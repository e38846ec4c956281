import { TRACEQL_LIMITS } from './parse.ts'
import { TraceqlParser } from './parser/parser.ts'
import { scan } from './parser/scan.ts'
import { TraceqlSession } from './parser/session.ts'

let parser: TraceqlParser | undefined

/** Returns the keywords and functions of TraceQL that may follow a text; none if the text has an error. */
export function traceqlWordsAfter(text: string): readonly string[] {
  parser ??= new TraceqlParser()
  return parser.wordsAfter(parser.query, scan(text), new TraceqlSession(text, TRACEQL_LIMITS))
}
