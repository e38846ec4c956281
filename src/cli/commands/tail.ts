import type { Command } from 'commander'
import { CommandError, headerOf } from '../../base/index.ts'
import type { CommandModule } from '../command.ts'
import { queryArgument } from '../options/query-argument.ts'
import type { Terminal } from '../terminal.ts'

interface TailArguments {
  readonly server: string
  readonly key?: string
  readonly backend?: string
  readonly dialect: string
  readonly for?: string
}

/** A message of the server. */
interface Message {
  readonly data?: readonly unknown[]
  readonly dropped?: number
  readonly done: boolean
  readonly error?: string
}

/** A longer message is not one of ours. */
const MAX_MESSAGE_CHARS = 256 * 1024 * 1024

/** The texts of the messages of an event stream. */
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

/** The rows of a message as the server wrote them: integers keep every digit. */
function rowsOf(text: string): readonly string[] {
  const { data = [] } = JSON.parse(text) as Message
  if (data.length === 0) return []
  const rows: string[] = []
  let depth = 0
  let isInText = false
  let start = 0
  for (let i = text.indexOf('[') + 1; i < text.length && rows.length < data.length; i++) {
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

async function opened(url: URL, { key, backend }: TailArguments, terminal: Terminal): Promise<Response> {
  const secret = key ?? terminal.env['SLUICE_API_KEY']
  const headers: Record<string, string> = { Accept: 'text/event-stream' }
  if (secret !== undefined) headers['Authorization'] = `Bearer ${secret}`
  if (backend !== undefined) headers['X-Backend-Id'] = headerOf(backend)
  try {
    return await fetch(url, { headers, signal: terminal.signal })
  } catch (error) {
    if (terminal.signal.aborted) throw new CommandError('', 130)
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    throw new CommandError(`${url.origin} does not answer: ${cause}`, 1)
  }
}

async function run(query: string, options: TailArguments, terminal: Terminal): Promise<void> {
  if (!URL.canParse('/api/logs/tail', options.server))
    throw new CommandError(`--server is a URL such as http://localhost:7400, not \`${options.server}\`.`)
  const url = new URL('/api/logs/tail', options.server)
  url.searchParams.set('query', query)
  if (options.dialect !== 'native') url.searchParams.set('dialect', options.dialect)
  if (options.for !== undefined) url.searchParams.set('for', options.for)
  const response = await opened(url, options, terminal)
  if (response.status !== 200 || response.body === null) {
    const text = await response.text()
    let message = text.slice(0, 500)
    try {
      message = (JSON.parse(text) as { readonly message: string }).message
    } catch {
      // Something that is not this server has answered.
    }
    throw new CommandError(`${response.status}: ${message}`, 1)
  }
  try {
    for await (const text of messagesOf(response.body)) {
      const { dropped, done, error } = JSON.parse(text) as Message
      const rows = rowsOf(text)
      if (rows.length > 0) await terminal.write(`${rows.join('\n')}\n`)
      if (dropped !== undefined) terminal.writeError(`${dropped} rows came too fast and were left out.\n`)
      if (error !== undefined) throw new CommandError(error, 1)
      if (done) return
    }
  } catch (error) {
    if (terminal.signal.aborted) throw new CommandError('', 130)
    throw error
  }
  throw new CommandError('The server has gone away.', 1)
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  queryArgument(command, "filters and pipes that pass rows on, such as 'level:error | fields _time, content'")
    .option('--server <url>', 'where the server is', 'http://localhost:7400')
    .option('--key <key>', 'an API key; SLUICE_API_KEY of the environment unless given')
    .option('--backend <id>', 'the backend, where the server has several')
    .option('--dialect <name>', 'native, logsql', 'native')
    .option('--for <time>', 'end after this time, such as 10s')
    .action((query: string, options: TailArguments) => run(query, options, terminal))
}
