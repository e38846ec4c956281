import { CommandError } from '../../base/index.ts'

/** A message in the event stream of a search or tail. */
interface Message {
  readonly data?: readonly unknown[]
  readonly dropped?: number
  readonly done: boolean
  readonly error?: string
}

/** Maximum length of a message, UTF-16 units. Sluice sends no longer ones. */
const MAX_MESSAGE_CHARS = 256 * 1024 * 1024

/** Yields the text of each message of an event stream. */
async function* messagesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8')
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    const messages = text.split('\n\n')
    text = messages.pop() ?? ''
    if (text.length > MAX_MESSAGE_CHARS) throw new CommandError('The server sends a message without an end.', 1)
    for (const message of messages) if (message.startsWith('data: ')) yield message.slice('data: '.length)
  }
}

/** Returns the rows of a message as unparsed JSON, so that integers keep every digit. */
function rowsOf(text: string, count: number): readonly string[] {
  const rows: string[] = []
  let depth = 0
  let isInText = false
  let start = 0
  for (let i = text.indexOf('[') + 1; i < text.length && rows.length < count; i++) {
    const character = text[i]
    if (isInText) {
      if (character === '\\') i++
      else if (character === '"') isInText = false
    } else if (character === '"') isInText = true
    else if (character === '{' && depth++ === 0) start = i
    else if (character === '}' && --depth === 0) rows.push(text.slice(start, i + 1))
  }
  return rows
}

export interface RowMessage {
  /** Rows as unparsed JSON objects. */
  readonly rows: readonly string[]
  /** Number of rows that the server dropped because they arrived faster than they could be sent. */
  readonly dropped: number
}

/**
 * Yields the rows of an event stream until its final message. Throws CommandError for an error of the server, and if
 * the stream breaks off.
 */
export async function* rowMessages({ body }: Response): AsyncGenerator<RowMessage> {
  if (body !== null)
    for await (const text of messagesOf(body)) {
      const { data = [], dropped = 0, done, error } = JSON.parse(text) as Message
      yield { rows: rowsOf(text, data.length), dropped }
      if (error !== undefined) throw new CommandError(error, 1)
      if (done) return
    }
  throw new CommandError('The server has gone away.', 1)
}
