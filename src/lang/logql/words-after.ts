import { LOGQL_LIMITS } from './parse.ts'
import { LogqlParser } from './parser/parser.ts'
import { scan } from './parser/scan.ts'
import { LogqlSession } from './parser/session.ts'

let parser: LogqlParser | undefined

/** Returns the keywords and functions of LogQL that may follow a text; none behind an error. */
export function logqlWordsAfter(text: string): readonly string[] {
  parser ??= new LogqlParser()
  const { nesting, operators } = LOGQL_LIMITS
  const ignored = (): void => undefined
  const session = new LogqlSession(text, { depth: nesting, operators }, ignored, ignored)
  return parser.wordsAfter(parser.query, scan(text), session)
}
