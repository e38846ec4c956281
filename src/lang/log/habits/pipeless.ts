import { isWord, type Piece } from './pieces.ts'

/** Names that fields have nearly everywhere: behind `fields` they are hardly words to search for. */
const COMMON_FIELDS = new Set(['_time', '_stream', 'content', '_msg', 'level', 'message', 'msg', 'host', 'service'])

const LISTS = ['fields', 'keep', 'delete', 'drop', 'rm', 'del', 'table', 'project', 'uniq', 'distinct', 'dedup']

/** Names of functions and pipes have underscores; words to search for hardly ever do. */
const isJoined = ({ text }: Piece): boolean => /^[a-z]+(?:_[a-z]+)+$/i.test(text)

const isFieldName = (piece: Piece): boolean =>
  piece.text === ',' || COMMON_FIELDS.has(piece.text.replace(/,$/, '')) || /^-?[A-Za-z]\w*[._]\w+$/.test(piece.text)

/**
 * Whether the beginning of a query, a word that names a pipe and what follows, is meant as this pipe. What reads as a
 * filter is one unless the words behind the name are what its arguments look like: `limit exceeded` and `stats failed`
 * are searched for.
 */
export function isPipeless(pieces: readonly Piece[], isRead: boolean, isFunction: (word: string) => boolean): boolean {
  const [name, ...rest] = pieces
  const [first, second] = rest
  // `select` begins statements of SQL.
  if (name === undefined || isWord(name, 'select') || second?.text === ':' || name.text.includes(':')) return false
  if (isJoined(name) && !isRead) return true
  if (first === undefined) return isJoined(name)
  // `stats AND …` and `stats:…` are filters, whatever else is wrong with them.
  if (isWord(first, 'and', 'or', 'not') || first.kind === 'mark') return !isRead && first.text === '(' && first.touches
  if (isWord(name, 'eval', 'extend')) return rest.some(({ text }) => text === '=')
  const isSearch = isWord(name, 'search')
  if (isSearch || isWord(name, 'where', 'filter', 'having'))
    return rest.some(({ text }) => /^(?:[<>]=?|==?|!=)$/.test(text) || (!isSearch && /^[\w.]+:./.test(text)))
  if (!isRead || isWord(first, 'by') || rest.some((piece) => /^[-+]\w/.test(piece.text))) return true
  if (isWord(name, ...LISTS)) return rest.every(isFieldName)
  if (/^\d+$/.test(first.text)) return second === undefined || isWord(name, 'top', 'rare', 'dedup')
  const by = rest.findIndex((piece) => isWord(piece, 'by', 'as'))
  return isJoined(name) || isFunction(first.text) || (by > 0 && by < rest.length - 1)
}
