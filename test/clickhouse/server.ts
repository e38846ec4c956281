/**
 * ClickHouse's HTTP interface over an engine in this process, as far as `@clickhouse/client` uses it. It supports
 * queries with parameters, settings and an id, streamed answers, errors in status and body, and KILL QUERY. It listens
 * on loopback until standard input ends.
 */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { buffer } from 'node:stream/consumers'

interface Result {
  bytes(): Uint8Array
}

interface Stream extends AsyncIterable<{ raw(): Uint8Array }> {
  cancel(): void
}

interface Session {
  query(sql: string, format?: string): string
  queryAsync(sql: string, options: { format: string }): Promise<Result>
  queryStream(sql: string, options: { format: string }): Stream
  close(): void
}

interface Chdb {
  readonly Session: new (path: string) => Session
}

const [, , folder = '', user = 'default', password = ''] = process.argv
const { Session } = createRequire(import.meta.url)('chdb') as Chdb

/** Keeps the engine open between requests. Each request still has its own session, as on a server. */
const root = new Session(folder)
const VERSION = root.query('SELECT version()', 'TSV').trim()

/** URL parameters of the interface itself. All others are settings. */
const OWN = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'session_id',
  'session_timeout',
  'user',
  'password',
])
/** Settings that exist only on servers. The engine rejects them. */
const OF_SERVERS = new Set(['wait_end_of_query', 'buffer_size', 'cancel_http_readonly_queries_on_client_close', 'role'])

const quoted = (value: string): string =>
  `'${value.replaceAll('\\', '\\\\').replaceAll(`'`, `\\'`).replaceAll('\0', '\\0')}'`

/** HTTP status by ClickHouse error code, as real servers respond. */
const STATUSES: ReadonlyMap<number, number> = new Map([
  [60, 404],
  [81, 404],
  [47, 404],
  [62, 400],
  [164, 500],
  [516, 403],
  [497, 403],
  [159, 408],
])

function failure(error: unknown): { readonly code: number; readonly message: string } {
  const message = error instanceof Error ? error.message : String(error)
  const at = /Code: (\d+)\. DB::Exception: [\s\S]*/.exec(message)
  return { code: Number(at?.[1] ?? 1001), message: `${at?.[0] ?? message} (version ${VERSION})\n` }
}

function refuse(response: ServerResponse, error: unknown): void {
  const { code, message } = failure(error)
  response.writeHead(STATUSES.get(code) ?? 500, {
    'X-ClickHouse-Exception-Code': String(code),
    'Content-Type': 'text/plain; charset=UTF-8',
  })
  response.end(message)
}

/**
 * Returns the length of a binary answer's header, which lists the column count, names and types. The engine repeats it
 * in each chunk.
 */
function headerBytes(piece: Uint8Array): number {
  let at = 0
  const length = (): number => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = piece[at++] ?? 0
      value |= (byte & 127) << shift
      if (byte < 128) return value
    }
  }
  for (let left = 2 * length(); left > 0; left--) {
    const bytes = length()
    at += bytes
  }
  return at
}

/** Formats that the engine returns in chunks. Others are returned as a whole. */
const BY_PIECES = new Set([
  'RowBinary',
  'RowBinaryWithNamesAndTypes',
  'JSONCompactEachRow',
  'JSONEachRow',
  'TabSeparated',
  'TSV',
])

async function send(response: ServerResponse, piece: Uint8Array): Promise<void> {
  // The engine frees a chunk when it returns the next one.
  if (response.write(Buffer.from(piece)) || response.destroyed) return
  await new Promise<void>((resume) => {
    response.once('drain', resume).once('close', resume)
  })
}

/** The engine can stream only these statements. */
const STREAMS = /^\s*(?:SELECT|WITH)\b/iu

async function answer(sql: string, format: string, session: Session, response: ServerResponse): Promise<void> {
  const tag = randomBytes(8).toString('hex')
  const begin = (): void => {
    response.writeHead(200, { 'X-ClickHouse-Format': format, 'X-ClickHouse-Exception-Tag': tag })
  }
  if (!BY_PIECES.has(format) || !STREAMS.test(sql)) {
    const result = await session.queryAsync(sql, { format })
    const bytes = Buffer.from(result.bytes())
    begin()
    response.end(bytes)
    return
  }
  const stream = session.queryStream(sql, { format })
  response.once('close', () => stream.cancel())
  let pieces = 0
  let header: Uint8Array | undefined
  try {
    for await (const piece of stream) {
      if (response.destroyed) return
      const bytes = piece.raw()
      if (pieces++ === 0) begin()
      const isRepeated = header !== undefined && Buffer.compare(bytes.subarray(0, header.length), header) === 0
      if (format === 'RowBinaryWithNamesAndTypes') header ??= Uint8Array.from(bytes.subarray(0, headerBytes(bytes)))
      await send(response, isRepeated && header !== undefined ? bytes.subarray(header.length) : bytes)
    }
  } catch (error) {
    if (pieces === 0) throw error
    const { message } = failure(error)
    response.end(`\r\n__exception__\r\n${tag}\r\n${message}${Buffer.byteLength(message)} ${tag}\r\n__exception__\r\n`)
    return
  }
  if (pieces === 0) begin()
  response.end()
}

const READS = /^\s*(?:SELECT|WITH|EXPLAIN|DESC|DESCRIBE|SHOW|EXISTS)\b/iu

function checkUser(request: IncomingMessage, url: URL): void {
  const [, basic = ''] = /^Basic (.*)$/u.exec(request.headers.authorization ?? '') ?? []
  const [basicUser = '', ...rest] = Buffer.from(basic, 'base64').toString().split(':')
  const header = (name: string): string | undefined => request.headers[name] as string | undefined
  const name = url.searchParams.get('user') ?? header('x-clickhouse-user') ?? (basicUser === '' ? 'default' : basicUser)
  const key = url.searchParams.get('password') ?? header('x-clickhouse-key') ?? rest.join(':')
  if (name === user && key === password) return
  throw new Error(
    `Code: 516. DB::Exception: ${name}: Authentication failed: password is incorrect, or there is no user with such name. (AUTHENTICATION_FAILED)`,
  )
}

function settle(session: Session, url: URL, id: string): void {
  // The engine assigns query ids itself, so the log comment carries the id of the request.
  session.query(`SET log_comment = ${quoted(id)}`)
  const database = url.searchParams.get('database')
  if (database !== null && database !== '') session.query(`USE \`${database.replaceAll('`', '\\`')}\``)
  const settings: string[] = []
  for (const [name, value] of url.searchParams) {
    if (OWN.has(name) || OF_SERVERS.has(name)) continue
    if (!/^\w+$/u.test(name)) throw new Error(`Code: 115. DB::Exception: Unknown setting '${name}'. (UNKNOWN_SETTING)`)
    settings.push(`${name} = ${quoted(value)}`)
  }
  // Set them one by one if a single statement would exceed the size limit, which may itself be among the settings.
  const isLong = settings.reduce((sum, { length }) => sum + length, 0) > 100_000
  for (const each of isLong ? settings : settings.length > 0 ? [settings.join(', ')] : []) session.query(`SET ${each}`)
}

/** Returns the statement. Form fields that carry parameters are added to the URL's parameters. */
async function bodyOf(request: IncomingMessage, url: URL): Promise<string> {
  const bytes = await buffer(request)
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) return bytes.toString()
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  for (const [name, value] of form) url.searchParams.append(name, value as string)
  return ''
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  if (url.pathname === '/ping') {
    response.end('Ok.\n')
    return
  }
  // Not part of ClickHouse's API: reports the processor time of this process.
  if (url.pathname === '/cpu') {
    const { user, system } = process.cpuUsage()
    response.end(String(user + system))
    return
  }
  const id = url.searchParams.get('query_id') ?? randomBytes(16).toString('hex')
  response.setHeader('X-ClickHouse-Server-Display-Name', 'test')
  response.setHeader('X-ClickHouse-Query-Id', id)
  response.setHeader('X-ClickHouse-Timezone', 'UTC')
  const body = await bodyOf(request, url)
  let session: Session | undefined
  try {
    checkUser(request, url)
    session = new Session(folder)
    settle(session, url, id)
    const asked = [url.searchParams.get('query') ?? '', body].filter((part) => part !== '').join('\n')
    const [, format = url.searchParams.get('default_format') ?? 'TabSeparated'] =
      /\bFORMAT (\w+)\s*;?\s*$/u.exec(asked) ?? []
    const statement = asked
      .replace(/\bFORMAT \w+\s*;?\s*$/u, '')
      // The engine assigns its own query ids, so the id of the request is looked up in the log comment.
      .replace(/^\s*KILL QUERY WHERE query_id = /u, `KILL QUERY WHERE Settings['log_comment'] = `)
      .replaceAll(/\bsystem\.processes WHERE query_id = /gu, `system.processes WHERE Settings['log_comment'] = `)
    if (READS.test(statement)) await answer(statement, format, session, response)
    else {
      const result = await session.queryAsync(asked.startsWith('INSERT') ? asked : statement, { format })
      const bytes = Buffer.from(result.bytes())
      response.writeHead(200, { 'X-ClickHouse-Format': format })
      response.end(bytes)
    }
  } catch (error) {
    if (response.headersSent) response.destroy()
    else refuse(response, error)
  } finally {
    session?.close()
  }
}

const server = createServer({ maxHeaderSize: 2 ** 20 }, (request, response) => void serve(request, response))
server.keepAliveTimeout = 5000
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' && address !== null ? address.port : 0}\n`)
})
process.stdin.resume().once('end', () => process.exit(0))
