import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import { Options } from '../../base/index.ts'
import { setTimeout } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { HttpAnswer } from '../http/answer.ts'
import type { App } from '../app/app.ts'
import type { BodyReader } from '../http/body.ts'
import type { Transport } from '../app/exchange.ts'
import { fault, type HttpFault } from '../errors/http-fault.ts'
import { LongUploads } from './lasting.ts'
import { BACKLOG, LAST_PAUSES, LAST_QUIET_MS, LINGER_MS, untilTaken } from './drain-backlog.ts'
import { JSON_TYPE } from '../http/respond.ts'
import { sendAnswer } from './send-answer.ts'
import type { LiveCertificate } from './tls/live-certificate.ts'
import { createSecureServer } from './tls/secure-server.ts'
import { toErrorResponse } from '../errors/to-error-response.ts'
import { WebSockets, askAgain, asksForWebSocket } from './web-sockets.ts'

/** An open port. */
export interface Listening {
  readonly host: string
  readonly port: number
  /** `http://host:port`, or `https://host:port` with a certificate. */
  readonly address: string
  /**
   * Accepts no new connections, lets requests in flight end, and cuts the remaining connections after `drainMs`.
   * Resolves when the last connection is closed. Idempotent.
   */
  readonly stop: () => Promise<void>
}

/** Address on which a server listens. */
export interface ListenOptions {
  readonly host: string
  /** Port number; 0 selects a free port. */
  readonly port: number
}

export const listenOptions = new Options<ListenOptions>({ host: 'string', port: 'number' })

const startTimer = globalThis.setTimeout

/** Interval between checks for slow connections, ms. */
const CHECK_MS = 500

/**
 * Serves an app on Node's HTTP server, with TLS if there is a certificate. This is the only code that handles its
 * sockets.
 */
export async function listen(app: App, options: ListenOptions, certificate?: LiveCertificate): Promise<Listening> {
  const { limits } = app.context
  const ending = new Ending()
  const sockets = new WebSockets(limits.idleMs)
  const uploads = new LongUploads(limits.idleMs, CHECK_MS)
  const listener = getRequestListener(
    async (request, { incoming, outgoing }) => {
      const exchanged: Exchanged = { incoming: incoming as IncomingMessage, outgoing: outgoing as ServerResponse }
      const isWebSocket = sockets.has(exchanged.incoming)
      const transport = transportOf(exchanged, options.host, uploads)
      const answer = await app.answer(request, isWebSocket ? { ...transport, isWebSocket } : transport)
      // If `100 Continue` was withheld, the client may or may not send the body, so the meaning of later bytes is
      // unknown. The connection must end.
      const isLast = isWebSocket || ending.isLast(incoming.socket) || awaited.has(exchanged.incoming)
      if (answer.status === 101) sockets.open(exchanged.incoming, exchanged.outgoing, answer)
      else await sendAnswer(exchanged.outgoing, isLast ? lastOf(answer) : answer, app.turns)
      return RESPONSE_ALREADY_SENT
    },
    {
      hostname: options.host,
      overrideGlobalObjects: false,
      errorHandler: (error) => envelopeOf(app, faultOf(error)),
    },
  )
  const take: RequestListener = (incoming, outgoing) => {
    if (!hasCapacity(incoming.socket, outgoing)) return
    joinChunks(app, incoming, uploads)
    const begin = (): void => {
      if (incoming.socket.destroyed) return
      const refusal = refusalOf(incoming)
      if (refusal === undefined) void listener(incoming, outgoing)
      else writeFault(app, outgoing, refusal)
    }
    const turn = isProbe(incoming) ? undefined : app.turns.turn(senderOf(incoming))
    if (turn === undefined) begin()
    else void turn.then(begin)
  }
  // The option is missing in the type definitions, and in Node before 22.21, where `askAgain` replaces it.
  const upgrading = { shouldUpgradeCallback: asksForWebSocket } as ServerOptions
  const serverOptions = {
    ...upgrading,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.bodyMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: CHECK_MS,
    maxHeaderSize: limits.headerBytes,
    // The Host header is checked by Sluice, so that the error gets the envelope.
    requireHostHeader: false,
    noDelay: true,
  }
  const server =
    certificate === undefined
      ? createServer(serverOptions, take)
      : createSecureServer(certificate, serverOptions, take, (socket) => refusePlain(app, socket))
  server.maxConnections = limits.connections
  ending.watch(server)
  server.setTimeout(limits.idleMs, (socket) => {
    if (!isWaitingForUs(socket)) socket.destroy()
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const refuse = (): void => refuseInTurn(app, clientFault(app, error.code), socket as Socket)
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    if (error.code === 'ECONNRESET') socket.destroy()
    else if (!isLate || !uploads.goesOn(socket as Socket, refuse)) refuse()
  })
  server.on('checkContinue', (incoming, outgoing) => {
    awaited.add(incoming)
    take(incoming, outgoing)
  })
  server.on('upgrade', (incoming, _, head) => {
    if (asksForWebSocket(incoming)) take(incoming, sockets.responseTo(incoming, head))
    else askAgain(server, incoming, head)
  })
  server.on('checkExpectation', (request, response) => {
    writeFault(app, response, fault('expectation-failed', { found: String(request.headers.expect).slice(0, 40) }))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: options.port, host: options.host, backlog: BACKLOG }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  let stopped: Promise<void> | undefined
  const { port } = server.address() as AddressInfo
  return {
    host: options.host,
    port,
    address: `${certificate === undefined ? 'http' : 'https'}://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    stop: () => (stopped ??= stop(server, app, ending, sockets)),
  }
}

/** Maximum number of pipelined requests on a connection. */
const MAX_PIPELINED = 64
const pipelined = new WeakMap<Socket, number>()

/**
 * Counts a request. Returns false if its connection must be closed: a single read could bring hundreds of requests, and
 * each takes time even if it is rejected.
 */
function hasCapacity(socket: Socket, outgoing: ServerResponse): boolean {
  const count = (pipelined.get(socket) ?? 0) + 1
  if (socket.destroyed) return false
  if (count > MAX_PIPELINED) {
    socket.destroy()
    return false
  }
  pipelined.set(socket, count)
  outgoing.once('close', () => pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1))
  return true
}

/** True for a health check. Health checks are not queued, unless they are pipelined. */
function isProbe({ url, socket }: IncomingMessage): boolean {
  return (url === '/healthz' || url === '/readyz') && pipelined.get(socket) === 1
}

/** Number of scheduling groups for clients that are not authenticated yet; few, so that queues stay short. */
const SENDERS = 64

/**
 * Returns the scheduling group of a client. Clients are scheduled before authentication, because it takes time too and
 * a read may bring many requests at once.
 */
function senderOf({ headers }: IncomingMessage): string {
  const given = headers.authorization ?? headers.cookie ?? ''
  let hash = given.length
  for (let i = Math.max(0, given.length - 8); i < given.length; i++) hash = (hash * 31 + given.charCodeAt(i)) % SENDERS
  return `sender ${hash}`
}

/**
 * A body with more than `count` chunks that are smaller than `bytes` on average is an attack: each chunk costs the
 * parser time.
 */
const smallChunks = {
  count: 4096,
  bytes: 8,
} as const

/** Joins the chunks that one read from the socket brings. Closes connections that send many tiny chunks. */
function joinChunks(app: App, incoming: IncomingMessage, uploads: LongUploads): void {
  const push = incoming.push.bind(incoming)
  let chunks: Buffer[] = []
  let count = 0
  let bytes = 0
  let isWanted = true
  let isRefused = false
  const flush = (): void => {
    const [only] = chunks
    if (only !== undefined) isWanted = push(chunks.length === 1 ? only : Buffer.concat(chunks))
    chunks = []
  }
  incoming.push = (chunk: Buffer | null) => {
    if (chunk === null) {
      flush()
      return push(null)
    }
    bytes += chunk.length
    uploads.came(incoming.socket)
    if (isRefused) return false
    if (++count > smallChunks.count && bytes < count * smallChunks.bytes) {
      isRefused = true
      endTiny(app, incoming.socket)
      return false
    }
    // The parser processes everything that was read before `nextTick` callbacks run.
    if (chunks.push(chunk) === 1) process.nextTick(flush)
    return isWanted
  }
}

function endTiny(app: App, socket: Socket): void {
  refuseSocket(app, fault('bad-request', { what: 'its body comes in pieces of a few bytes' }), socket)
  setImmediate(() => socket.destroy())
}

/** Returns the response in progress on a connection. Node's type definitions lack it. */
function answerOn(socket: Socket): ServerResponse | undefined {
  return (socket as Socket & { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? undefined
}

/**
 * True if a connection is silent because the server has not answered yet. False if the connection is idle or its client
 * does not read.
 */
function isWaitingForUs(socket: Socket): boolean {
  return answerOn(socket) !== undefined && socket.writableLength === 0
}

/** A request with its response. */
interface Exchanged {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/** Requests whose client waits for `100 Continue`, which is sent when the body is read. */
const awaited = new WeakSet<IncomingMessage>()

const LOOPBACK_ADDRESS = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/

/** Returns the transport of a connection to a server that listens on `host`. */
function transportOf(exchanged: Exchanged, host: string, uploads: LongUploads): Transport {
  const { socket } = exchanged.incoming
  return {
    isLocal: () => LOOPBACK_ADDRESS.test(socket.remoteAddress ?? ''),
    loopbackName: () => (LOOPBACK_ADDRESS.test(socket.localAddress ?? '') ? host : undefined),
    mayLast: () => uploads.add(exchanged.incoming),
    goOn: () => {
      if (awaited.delete(exchanged.incoming)) exchanged.outgoing.writeContinue()
    },
    body: () => readerOf(exchanged.incoming),
  }
}

/** Returns a reader of the body. If the route does not read the body to its end, the answer closes the connection. */
function readerOf(incoming: IncomingMessage): BodyReader {
  const chunks = incoming.iterator({ destroyOnReturn: false })
  return { read: () => chunks.next(), cancel: async () => chunks.return?.() }
}

/** Returns the error for a request that Node's parser accepts but the HTTP standard forbids. */
function refusalOf(incoming: IncomingMessage): HttpFault | undefined {
  const hosts = incoming.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
  if (hosts > 1) return fault('bad-request', { what: 'it has more than one Host header' }, { Connection: 'close' })
  if (hosts === 0 && incoming.httpVersion !== '1.0')
    return fault('bad-request', { what: 'it has no Host header' }, { Connection: 'close' })
  return undefined
}

function faultOf(error: unknown): HttpFault {
  const what =
    error instanceof Error && error.name === 'RequestError'
      ? 'its address or its Host header is malformed'
      : 'it is malformed'
  return fault('bad-request', { what })
}

function traceIdFor(app: App): string {
  return Buffer.from(app.context.randomBytes(16)).toString('hex')
}

function envelopeOf(app: App, error: HttpFault): Response {
  const { status, headers, body } = toErrorResponse(error, { traceId: traceIdFor(app) })
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': JSON_TYPE, ...headers } })
}

function writeFault(app: App, outgoing: ServerResponse, error: HttpFault): void {
  const { status, headers, body } = toErrorResponse(error, { traceId: traceIdFor(app) })
  const text = JSON.stringify(body)
  outgoing.writeHead(status, { 'Content-Type': JSON_TYPE, 'Content-Length': Buffer.byteLength(text), ...headers })
  outgoing.end(text)
}

function clientFault(app: App, code: string | undefined): HttpFault {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return fault('request-timeout', { what: 'headers or body did not arrive in time' })
  if (code === 'HPE_HEADER_OVERFLOW') return fault('headers-too-large', { limitBytes: app.context.limits.headerBytes })
  return fault('bad-request', { what: 'it is not HTTP/1.1' })
}

/** Answers a request that could not be parsed. Writes the envelope directly to the connection. */
function refuseSocket(app: App, error: HttpFault, socket: Socket): void {
  if (!socket.writable || !isFresh(socket)) {
    socket.destroy()
    return
  }
  const { status, body } = toErrorResponse(error, { traceId: traceIdFor(app) })
  const text = JSON.stringify(body)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: ${JSON_TYPE}\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  )
}

/** Answers a request that came to a TLS port without TLS. */
function refusePlain(app: App, socket: Socket): void {
  socket.on('error', () => socket.destroy())
  refuseInTurn(
    app,
    fault('bad-request', { what: 'it came without TLS, and its address must begin with https://' }),
    socket,
  )
  // Discards the remaining bytes: closing with unread data would reset the connection before the client has read the
  // answer.
  socket.resume()
}

/** Scheduling key for error answers to requests without a key. */
const NOBODY = ''

/** Like `refuseSocket`, but scheduled, so that a thousand bad connections are not answered at once. */
function refuseInTurn(app: App, error: HttpFault, socket: Socket): void {
  const turn = app.turns.turn(NOBODY)
  if (turn === undefined) refuseSocket(app, error, socket)
  else void turn.then(() => refuseSocket(app, error, socket))
}

/**
 * False if an answer on the connection has begun. The client would read a second answer as part of the first one's
 * body.
 */
function isFresh(socket: Socket): boolean {
  return answerOn(socket)?.headersSent !== true
}

/** Returns the answer with the header `Connection: close`. */
function lastOf(answer: HttpAnswer): HttpAnswer {
  return { ...answer, headers: { ...answer.headers, Connection: 'close' } }
}

/** Tracks connections, to end them when the server stops. */
class Ending {
  readonly #accepted = new Set<Socket>()
  readonly #open = new Set<Socket>()
  #taken = 0
  #isSaid = false

  watch(server: Server): void {
    const take = (): unknown => this.#taken++
    server.on('drop', take)
    server.on('connection', (socket) => {
      take()
      this.#accepted.add(socket)
      socket.once('close', () => this.#accepted.delete(socket))
    })
    // On a TLS port, a request comes on another socket object than the one that was accepted.
    server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#open.add(socket)
      socket.once('close', () => this.#open.delete(socket))
    })
    // Node's `close` calls `closeIdleConnections`, which treats a connection as idle before its answer is written
    // completely, so the function is replaced.
    const closeIdle = server.closeIdleConnections.bind(server)
    server.closeIdleConnections = () => {
      if (![...this.#open].some(isWriting)) closeIdle()
    }
  }

  /** Resolves when all connections in the accept queue, and the data that has arrived on them, are processed. */
  untilTaken(): Promise<void> {
    return untilTaken(() => this.#taken)
  }

  /** Cuts all connections, including those in the TLS handshake. */
  cut(): void {
    for (const socket of this.#accepted) socket.destroy()
  }

  /** Makes all later answers close their connections. */
  say(): void {
    this.#isSaid = true
  }

  /** True if the answer must close its connection and no pipelined request is waiting. */
  isLast(socket: Socket): boolean {
    return this.#isSaid && (pipelined.get(socket) ?? 0) <= 1
  }
}

/** True if an answer has been passed to Node but is not written completely. */
function isWriting(socket: Socket): boolean {
  return answerOn(socket)?.writableEnded === true
}

/**
 * Cuts connections after a short delay, in which cancelled queries can answer. The delay is divided into steps, so that
 * a pause of the machine does not use it up.
 */
async function cutSoon(server: Server, sockets: WebSockets, ending: Ending): Promise<void> {
  for (let step = 0; step < LAST_PAUSES; step++) await setTimeout(LAST_QUIET_MS, undefined, { ref: false })
  server.closeAllConnections()
  sockets.cut()
  ending.cut()
}

async function stop(server: Server, app: App, ending: Ending, sockets: WebSockets): Promise<void> {
  app.beginStop()
  const cut = startTimer(() => {
    ending.say()
    app.stopAll()
    void cutSoon(server, sockets, ending)
  }, app.context.limits.drainMs)
  await ending.untilTaken()
  // Called only now, because until now another request may follow on the same connection.
  ending.say()
  await setTimeout(LINGER_MS)
  await ending.untilTaken()
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  await closed
  clearInterval(idle)
  clearTimeout(cut)
}
