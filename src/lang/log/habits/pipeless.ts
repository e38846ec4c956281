import { isWord, type HabitToken } from './tokens.ts'

/** Common field names. After the word `fields`, they are probably field names and not search words. */
const COMMON_FIELDS = new Set(['_time', '_stream', 'content', '_msg', 'level', 'message', 'msg', 'host', 'service'])

const LISTS = ['fields', 'keep', 'delete', 'drop', 'rm', 'del', 'table', 'project', 'uniq', 'distinct', 'dedup']

/** True for words with underscores, such as names of functions and pipes. Search words rarely contain an underscore. */
const isJoined = ({ text }: HabitToken): boolean => /^[a-z]+(?:_[a-z]+)+$/i.test(text)

const isFieldName = (token: HabitToken): boolean =>
  token.text === ',' || COMMON_FIELDS.has(token.text.replace(/,$/, '')) || /^-?[A-Za-z]\w*[._]\w+$/.test(token.text)

/**
 * True if the query begins with a pipe name that means the pipe and not a search word. A text that parses as a filter
 * (`isRead`), such as `limit exceeded` or `stats failed`, means the pipe only if the words after the name look like
 * arguments.
 */
export function isPipeless(
  tokens: readonly HabitToken[],
  isRead: boolean,
  isFunction: (word: string) => boolean,
): boolean {
  const [name, ...rest] = tokens
  const [first, second] = rest
  // A text that begins with `select` is translated as SQL instead.
  if (name === undefined || isWord(name, 'select') || second?.text === ':' || name.text.includes(':')) return false
  if (isJoined(name) && !isRead) return true
  if (first === undefined) return isJoined(name)
  // Texts such as `stats AND …` and `stats:…` are filters, even if they have other errors.
  if (isWord(first, 'and', 'or', 'not') || first.kind === 'mark') return !isRead && first.text === '(' && first.touches
  if (isWord(name, 'eval', 'extend')) return rest.some(({ text }) => text === '=')
  const isSearch = isWord(name, 'search')
  if (isSearch || isWord(name, 'where', 'filter', 'having'))
    return rest.some(({ text }) => /^(?:[<>]=?|==?|!=)$/.test(text) || (!isSearch && /^[\w.]+:./.test(text)))
  if (!isRead || isWord(first, 'by') || rest.some((token) => /^[-+]\w/.test(token.text))) return true
  if (isWord(name, ...LISTS)) return rest.every(isFieldName)
  if (/^\d+$/.test(first.text)) return second === undefined || isWord(name, 'top', 'rare', 'dedup')
  const by = rest.findIndex((token) => isWord(token, 'by', 'as'))
  return isJoined(name) || isFunction(first.text) || (by > 0 && by < rest.length - 1)
}
