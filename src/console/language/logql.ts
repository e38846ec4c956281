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

/** Row field with the line of an entry. */
const LINE = 'content'

function isTooLong(text: string): boolean {
  return text.length > LOGQL_LIMITS.textBytes
}

/** Returns the query with a further stage after its last one, before a comment at the end. */
function narrow({ text, field, value, isExcluded }: NarrowRequest): string {
  const end = parseLogql(text).ast?.span.end ?? text.length
  const op = field === LINE ? (isExcluded ? '!=' : '|=') : `| ${field} ${isExcluded ? '!=' : '='}`
  return `${text.slice(0, end).trimEnd()} ${op} ${JSON.stringify(value)}${text.slice(end)}`
}

export const logql: PageLanguage = {
  check: (text) => parseLogql(text).diagnostics,
  format: (text) => formatLogql(parseLogqlOrThrow(text)),
  // The parser rejects longer texts, so they are not completed.
  wordsAfter: (text) => (isTooLong(text) ? [] : logqlWordsAfter(text)),
  takesNameAfter: (text) => !isTooLong(text) && logqlTakesNameAfter(text),
  shape: (text) => {
    const { ast } = parseLogql(text)
    return ast === undefined || ast.kind === 'log-query' ? ROWS : { kind: 'groups', values: ['value'] }
  },
  narrow,
}
