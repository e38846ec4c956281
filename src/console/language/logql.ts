import {
  LOGQL_LIMITS,
  formatLogql,
  logqlTakesNameAfter,
  logqlWordsAfter,
  parseLogql,
  parseLogqlOrThrow,
} from '../../lang/logql/index.ts'
import type { PageLanguage } from './page-language.ts'
import { ROWS, type NarrowRequest } from './requests.ts'

/** The field of a row that has the line of an entry. */
const LINE = 'content'

function isTooLong(text: string): boolean {
  return text.length > LOGQL_LIMITS.textBytes
}

/** Returns the query with one more stage behind its last one, in front of a comment. */
function narrow({ text, field, value, isExcluded }: NarrowRequest): string {
  const end = parseLogql(text).ast?.span.end ?? text.length
  const op = field === LINE ? (isExcluded ? '!=' : '|=') : `| ${field} ${isExcluded ? '!=' : '='}`
  return `${text.slice(0, end).trimEnd()} ${op} ${JSON.stringify(value)}${text.slice(end)}`
}

export const logql: PageLanguage = {
  check: (text) => parseLogql(text).diagnostics,
  format: (text) => formatLogql(parseLogqlOrThrow(text)),
  // The parser refuses longer texts, so completing them is of no use.
  wordsAfter: (text) => (isTooLong(text) ? [] : logqlWordsAfter(text)),
  takesNameAfter: (text) => !isTooLong(text) && logqlTakesNameAfter(text),
  shape: (text) => {
    const { ast } = parseLogql(text)
    return ast === undefined || ast.kind === 'log-query' ? ROWS : { kind: 'groups', values: ['value'] }
  },
  narrow,
}
