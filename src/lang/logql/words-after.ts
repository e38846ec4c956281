import { GoSession } from '../go-scanner/index.ts'
import { LOGQL_LIMITS } from './parse.ts'
import { LogqlParser } from './parser/parser.ts'
import { scan } from './parser/scan.ts'
import { Identifier } from './parser/tokens.ts'

let parser: LogqlParser | undefined

/** Returns the keywords and functions of LogQL that may follow a text; none if the text has an error. */
export function logqlWordsAfter(text: string): readonly string[] {
  parser ??= new LogqlParser()
  return parser.wordsAfter(parser.query, scan(text), new GoSession(text, LOGQL_LIMITS))
}

/** True if a label of LogQL may follow a text; false if the text has an error. */
export function logqlTakesNameAfter(text: string): boolean {
  parser ??= new LogqlParser()
  return parser.contentAssist(parser.query, scan(text), new GoSession(text, LOGQL_LIMITS)).includes(Identifier)
}
