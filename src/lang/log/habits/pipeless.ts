import { isWord, type Piece } from './pieces.ts'

/** Names that fields have almost everywhere: after `fields` they are hardly words to search for. */
const COMMON_FIELDS = new Set(['_time', '_stream', 'content', '_msg', 'level', 'message', 'msg', 'host', 'service'])

const LISTS = ['fields', 'keep', 'delete', 'drop', 'rm', 'del', 'table', 'project', 'uniq', 'distinct', 'dedup']

/** True for names with underscores, as functions and pipes have; words to search for hardly ever do. */
const isJoined = ({ text }: Piece): boolean => /^[a-z]+(?:_[a-z]+)+$/i.test(text)

const isFieldName = (piece: Piece): boolean =>
  piece.text === ',' || COMMON_FIELDS.has(piece.text.replace(/,$/, '')) || /^-?[A-Za-z]\w*[._]\w+$/.test(piece.text)

/**
 * True if a query that begins with the name of a pipe means this pipe. A text that parses as a filter is one unless the
 * words after the name look like its arguments: `limit exceeded` and `stats failed` are searches.
 */
export function isPipeless(pieces: readonly Piece[], isRead: boolean, isFunction: (word: string) => boolean): boolean {
  const [name, ...rest] = pieces
  const [first, second] = rest
  // `select` begins SQL statements.
  if (name === undefined || isWord(name, 'select') || second?.text === ':' || name.text.includes(':')) return false
  if (isJoined(name) && !isRead) return true
  if (first === undefined) return isJoined(name)
  // `stats AND …` and `stats:…` are filters, even with other errors.
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
