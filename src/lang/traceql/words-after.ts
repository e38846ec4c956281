import { TRACEQL_LIMITS } from './parse.ts'
import { TraceqlParser } from './parser/parser.ts'
import { scan } from './parser/scan.ts'
import { TraceqlSession } from './parser/session.ts'

let parser: TraceqlParser | undefined

/** Returns the keywords and functions of TraceQL that may follow a text; none behind an error. */
export function traceqlWordsAfter(text: string): readonly string[] {
  parser ??= new TraceqlParser()
  const { nesting, operators } = TRACEQL_LIMITS
  const ignored = (): void => undefined
  const session = new TraceqlSession(text, { depth: nesting, operators }, ignored, ignored)
  return parser.wordsAfter(parser.query, scan(text), session)
}
