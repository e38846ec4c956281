import { CommandError, SluiceError, formatRfc3339, parseRfc3339, type Interval } from '../../base/index.ts'
import {
  Instant,
  batchOfRows,
  fieldOfJson,
  parseJsonExact,
  type ExactJsonObject,
  type Row,
  type Schema,
  type Value,
} from '../../data/index.ts'
import type { Dialect } from '../../plan/index.ts'
import { standardCatalog } from '../../store/index.ts'
import type { OutputFormat } from '../output/index.ts'
import { planner } from '../session.ts'
import type { Terminal } from '../terminal.ts'
import { askServer, readFrom, type ServerArguments } from './ask-server.ts'
import { rowMessages } from './row-messages.ts'

/** Search paths of a server by table. */
const SEARCHES: ReadonlyMap<string, string> = new Map([
  ['logs', '/api/logs/v2/search'],
  ['events', '/api/k8s/v2/events/search'],
  ['spans', '/api/traces/v2/search'],
])

export interface ServerQuery extends ServerArguments {
  readonly server: string
  readonly backendId: string | undefined
  readonly table: string
  readonly dialect: Dialect
  readonly range: Interval
  readonly nowNs: bigint
  readonly signal: AbortSignal
  readonly isQuiet: boolean
}

/** Returns the columns of a server's answer, as far as they are known without its data. */
function schemaOf(text: string, { table, dialect, range, nowNs }: ServerQuery, terminal: Terminal): Schema {
  try {
    return planner(terminal, 'off', table, undefined).plan(text, { table, dialect, range, nowNs }).schema
  } catch (error) {
    // An unknown name may be an extension of the server; the server reports real errors.
    if (error instanceof SluiceError) return { fields: [], isOpen: true }
    throw error
  }
}

/** Parses a row to the values that a query over files returns. */
function rowOf(json: string, times: ReadonlySet<string>): Row {
  return new Map(
    Object.entries(parseJsonExact(json) as ExactJsonObject).map(([name, member]): [string, Value] => {
      const ns = typeof member === 'string' && times.has(name) ? parseRfc3339(member) : undefined
      return [name, ns === undefined ? fieldOfJson(member) : new Instant(ns)]
    }),
  )
}

/** Runs a query on a server and writes rows as they arrive. Throws CommandError and `budget/deadline`. */
export async function queryServer(
  text: string,
  query: ServerQuery,
  outputOf: (textField: string) => OutputFormat,
  terminal: Terminal,
): Promise<void> {
  const { server, key, backendId, table, dialect, range, signal } = query
  const search = SEARCHES.get(table)
  if (search === undefined)
    throw new CommandError(`A server is asked for ${[...SEARCHES.keys()].join(', ')}, not for the table ${table}.`)
  const response = await askServer(
    server,
    {
      path: dialect === 'native' ? search : `${search}?dialect=${dialect}`,
      key,
      backend: backendId,
      headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
      body: JSON.stringify({
        query: text,
        start: formatRfc3339(range.startNs),
        end: formatRfc3339(range.endNs),
        enableStream: true,
      }),
    },
    terminal,
    { signal, text },
  )
  if (!query.isQuiet) tellAdvice(response, terminal)
  const schema = schemaOf(text, query, terminal)
  const times = new Set(schema.fields.filter(({ type }) => type === 'time').map(({ name }) => name))
  const output = outputOf(standardCatalog.tables.get(table)?.textField ?? 'content')
  await terminal.write(output.begin(schema), output.written)
  await readFrom(server, terminal, async () => {
    for await (const { rows } of rowMessages(response)) {
      if (rows.length === 0) continue
      const written = output.batch(
        batchOfRows(
          schema,
          rows.map((json) => rowOf(json, times)),
        ),
      )
      if (written.length > 0) await terminal.write(written, output.written)
    }
  })
  await terminal.write(await output.end(), output.written)
}

/** Prints warnings about the meaning of a query. On a terminal also prints advice on its cost. */
function tellAdvice({ headers }: Response, terminal: Terminal): void {
  const codes = (headers.get('X-Query-Warnings') ?? '').split(', ')
  if (!terminal.isErrorTty && codes.every((code) => code === '' || code.startsWith('lint/'))) return
  const advice = JSON.parse(headers.get('X-Query-Advice') ?? '[]') as readonly string[]
  for (const message of advice) terminal.writeError(`warning: ${message}\n`)
}
