import type { Asking } from './ask.ts'
import { CallFault } from './fault.ts'
import type { Row } from './window.ts'

/** Rows of a call, in the same order each time they are requested. */
export interface Rows {
  /** Runs the query for at most `limit` rows from an offset. Leaving the loop cancels the query. */
  from(offset: number, limit: number): AsyncIterable<Row>
  /** Returns the number of all rows, without a limit. */
  count(): Promise<number>
}

/** Returns `Rows` over an array in memory. */
export function listed(rows: readonly Row[]): Rows {
  return {
    async *from(offset, limit) {
      yield* rows.slice(offset, offset + limit)
    },
    count: () => Promise.resolve(rows.length),
  }
}

/** Tables of rows, by the names of the API. */
export const tables = ['logs', 'events', 'traces'] as const
export type RowTable = (typeof tables)[number]

const searchPaths: Readonly<Record<RowTable, string>> = {
  logs: '/api/logs/v2/search',
  events: '/api/k8s/v2/events/search',
  traces: '/api/traces/v2/search',
}

export interface Search {
  readonly table: RowTable
  readonly query: string
  readonly dialect: 'native' | 'logsql'
  /** Start of the time range as RFC 3339. */
  readonly start: string
  readonly end: string
}

/** JSON reviver that keeps the digits of numbers that a double cannot hold. */
function exactNumber(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  const isLong = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER && context?.source !== undefined
  return isLong ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(context.source) : value
}

interface Message {
  readonly data?: readonly Row[]
  readonly bytesRead?: number
  readonly error?: string | { readonly message?: string; readonly code?: string }
}

/** Parses the data of server-sent events. */
async function* messages(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Message> {
  const decoder = new TextDecoder()
  let fragments: string[] = []
  for await (const chunk of chunks) {
    const lines = decoder.decode(chunk, { stream: true }).split('\n')
    for (const [index, fragment] of lines.entries()) {
      fragments.push(fragment)
      if (index === lines.length - 1) break
      const line = fragments.join('')
      fragments = []
      if (line.startsWith('data:')) yield JSON.parse(line.slice(5), exactNumber) as Message
    }
  }
}

/** Appends a pipe to a query, on a new line so that a comment at the end of the query does not swallow it. */
export function piped(query: string, pipe: string): string {
  return `${query}\n| ${pipe}`
}

function pathOf({ table, dialect }: Search): string {
  return `${searchPaths[table]}?dialect=${dialect}&progress=true`
}

/** Runs a query of the log language and yields rows as the engine finds them. */
export async function* searchRows(asking: Asking, search: Search): AsyncGenerator<Row> {
  const { query, start, end } = search
  const response = await asking.response({
    path: pathOf(search),
    body: { query, start, end, enableStream: true },
    accept: 'text/event-stream',
  })
  for await (const { data = [], bytesRead = 0, error } of messages(asking.chunks(response))) {
    if (error !== undefined) {
      const said = typeof error === 'string' ? { message: error } : error
      throw asking.stopped() ?? new CallFault('The query stopped; `data` says why.', [said])
    }
    asking.count(0, bytesRead)
    yield* data
  }
}

/** Returns the number of rows that a query finds. */
export async function countRows(asking: Asking, search: Search): Promise<number> {
  const query = piped(search.query, 'stats count() as n')
  for await (const row of searchRows(asking, { ...search, query })) return Number(row['n'])
  return 0
}

/** Returns the rows of a log query; each page runs the query again. */
export function searched(asking: Asking, search: Search): Rows {
  const { query } = search
  return {
    from: (offset, limit) => {
      const rest = offset === 0 ? query : piped(query, `offset ${offset}`)
      return searchRows(asking, { ...search, query: piped(rest, `limit ${limit}`) })
    },
    count: () => countRows(asking, search),
  }
}
