import { agentEndpoint, type AgentOptions } from '../../src/entries/mcp.ts'
import { createServer, type ServerLimits, type SluiceServer } from '../../src/entries/server.ts'
import type { ToolAnswer } from '../../src/mcp/index.ts'
import { newTarget } from '../../src/server/index.ts'

export const key = 'sluice_0123456789abcdefghijklmnopqrstuv'

/** A tool's answer as an agent receives it. */
export interface Answered {
  /** Length of the text in bytes of UTF-8. */
  readonly bytes: number
  readonly text: string
  readonly answer: Omit<ToolAnswer, 'data'> & { readonly data: readonly Readonly<Record<string, unknown>>[] }
}

export interface Agent {
  readonly server: SluiceServer
  /** Sends a JSON-RPC request and returns its result. */
  rpc(method: string, params?: object, headers?: Readonly<Record<string, string>>): Promise<Record<string, unknown>>
  call(name: string, args?: object): Promise<Answered>
  close(): Promise<void>
}

/** Returns the message in a response body, which is one server-sent event or one JSON object. */
function messageOf(body: string): { readonly result?: Record<string, unknown>; readonly error?: object } {
  const data = body
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .at(-1)
  return JSON.parse(data?.slice(6) ?? body) as ReturnType<typeof messageOf>
}

export function post(body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  }
}

export type Records = Readonly<Partial<Record<'logs' | 'events' | 'spans', readonly object[]>>>

/** Starts a server over these records and returns an agent that calls its tools. */
export async function agentOver(
  records: Records,
  options: AgentOptions = {},
  limits: Partial<ServerLimits> = {},
): Promise<Agent> {
  const target = newTarget()
  for (const [name, rows = []] of Object.entries(records)) target.store.table(name).writer.appendObjects(rows)
  const server = await createServer({
    store: target.store,
    samples: target.samples,
    metricCatalog: target.metricCatalog,
    keys: [{ key, roles: ['read'] }],
    limits,
    mcp: () => Promise.resolve(agentEndpoint(options)),
  })
  const rpc: Agent['rpc'] = async (method, params = {}, headers = {}) => {
    const request = new Request('http://localhost/mcp', post({ jsonrpc: '2.0', id: 1, method, params }, headers))
    const response = await server.fetch(request)
    const body = await response.text()
    const { result, error } = messageOf(body)
    if (result === undefined) throw new Error(`${response.status} ${JSON.stringify(error)} ${body}`)
    return result
  }
  return {
    server,
    rpc,
    call: async (name, args = {}) => {
      const { content } = await rpc('tools/call', { name, arguments: args })
      const [{ text }] = content as readonly [{ readonly text: string }]
      return { bytes: Buffer.byteLength(text), text, answer: JSON.parse(text) as Answered['answer'] }
    },
    close: () => server.close(),
  }
}

/** Returns the handle of the first `cut` entry whose `shown` matches a pattern. */
export function handleOf({ answer }: Answered, shown: RegExp): string {
  const found = answer.cut.find((cut) => shown.test(cut.shown))
  if (found === undefined) throw new Error(`nothing like ${String(shown)} was cut: ${JSON.stringify(answer.cut)}`)
  return found.handle
}
