import { AskError } from '../../ask/ask-error.ts'
import type { TailMessage } from '../../ask/requests.ts'
import { parseJsonExact, isJsonObject, type ExactJson } from '../../../data/index.ts'
import { rowOfJson } from '../shown-row.ts'

/** Maximum length of a value in tailed rows, UTF-16 units. A burst of long lines must not fill the memory. */
const MAX_TAIL_CHARS = 4096

/** Parses a server message to rows; `undefined` if it has none. Throws AskError for an error message. */
export function rowsOfMessage(data: string): TailMessage | undefined {
  const message = parseJsonExact(data)
  if (!isJsonObject(message)) return undefined
  if (typeof message['error'] === 'string')
    throw new AskError({ kind: 'other', message: message['error'], diagnostics: [] })
  const rows = Array.isArray(message['data']) ? (message['data'] as readonly ExactJson[]) : []
  const dropped = Number(message['dropped'] ?? 0)
  if (rows.length === 0 && dropped === 0) return undefined
  return { rows: rows.filter(isJsonObject).map((row) => rowOfJson(row, MAX_TAIL_CHARS)), dropped }
}
