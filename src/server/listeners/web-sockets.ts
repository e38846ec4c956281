import { ServerResponse, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import { WebSocketServer, type WebSocket } from 'ws'
import { POLL_MS } from '../../base/index.ts'
import { dropBody, isStream } from '../../workers/index.ts'
import { CLOSE, type HttpAnswer } from '../http/answer.ts'

/** Maximum size of a message from a client, bytes; clients need not send any. */
const MESSAGE_BYTES = 1024

/** Maximum length of the reason in a close frame, bytes (RFC 6455). */
const REASON_BYTES = 123

/** Matches a key of RFC 6455: 16 bytes in base64. */
const KEY = /^[+/0-9A-Za-z]{22}==$/

/**
 * True if a request asks for a WebSocket as RFC 6455 requires. Other upgrade requests are answered as ordinary
 * requests.
 */
export function asksForWebSocket({ method, headers }: IncomingMessage): boolean {
  const isWanted = method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'
  return isWanted && headers['sec-websocket-version'] === '13' && KEY.test(headers['sec-websocket-key'] ?? '')
}

/**
 * Lets the server parse an upgrade request again as an ordinary request. Older versions of Node hand over the
 * connection of every upgrade request.
 */
export function askAgain(server: Server, { method, url, socket, rawHeaders }: IncomingMessage, head: Buffer): void {
  const lines = [`${method} ${url} HTTP/1.1`]
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`)
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit(server instanceof TlsServer ? 'secureConnection' : 'connection', socket)
}

/** Truncates a reason to the size of a close frame, between characters. */
function cutReason(reason: string): string {
  const bytes = Buffer.from(reason)
  if (bytes.length <= REASON_BYTES) return reason
  let end = REASON_BYTES - 3
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return `${bytes.subarray(0, end).toString()}…`
}

/** Resolves to true when the system has accepted a message; to false if the connection closes first. */
function sent(socket: WebSocket, message: string | Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    socket.send(message, { binary: false }, (error) => resolve(error === undefined || error === null))
  })
}

/** WebSocket connections of a port. */
export class WebSockets {
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_BYTES, perMessageDeflate: false })
  readonly #heads = new WeakMap<IncomingMessage, Buffer>()
  readonly #idleMs: number

  /** A client that does not answer a ping for `idleMs` is disconnected. */
  constructor(idleMs: number) {
    this.#idleMs = idleMs
  }

  /**
   * Returns the response object for a request that asks for a WebSocket. If no WebSocket is opened, the response is the
   * last one of its connection.
   */
  responseTo(incoming: IncomingMessage, head: Buffer): ServerResponse {
    const { socket } = incoming
    const outgoing = new ServerResponse(incoming)
    outgoing.shouldKeepAlive = false
    outgoing.assignSocket(socket)
    outgoing.once('finish', () => socket.end())
    socket.on('error', () => socket.destroy())
    this.#heads.set(incoming, head)
    return outgoing
  }

  /** True for a request whose connection can become a WebSocket. */
  has(incoming: IncomingMessage): boolean {
    return this.#heads.has(incoming)
  }

  /** Opens a WebSocket and sends the messages of the answer, each after the previous one was accepted by the system. */
  open(incoming: IncomingMessage, outgoing: ServerResponse, answer: HttpAnswer): void {
    const { body } = answer
    const { socket } = incoming
    if (socket.destroyed) return dropBody(body)
    outgoing.once('close', () => dropBody(body))
    const addHeaders = (lines: string[]): void => {
      for (const [name, value] of Object.entries(answer.headers)) lines.push(`${name}: ${value}`)
    }
    this.#server.on('headers', addHeaders)
    this.#server.handleUpgrade(incoming, socket, this.#heads.get(incoming) ?? Buffer.alloc(0), (opened) => {
      this.#watch(opened, socket)
      void sendMessages(opened, answer)
    })
    this.#server.off('headers', addHeaders)
  }

  /** Cuts all connections. */
  cut(): void {
    for (const socket of this.#server.clients) socket.terminate()
  }

  /** Pings the client every second. Cuts the connection if the client does not answer or violates the protocol. */
  #watch(opened: WebSocket, socket: Socket): void {
    let heardMs = performance.now()
    const timer = setInterval(() => {
      if (performance.now() - heardMs > this.#idleMs) opened.terminate()
      // Not while a slow client has unread messages, because pings would queue up after them.
      else if (opened.readyState === opened.OPEN && socket.writableLength === 0) opened.ping()
    }, POLL_MS)
    opened.on('pong', () => {
      heardMs = performance.now()
    })
    opened.on('error', () => opened.terminate())
    opened.once('close', () => clearInterval(timer))
  }
}

async function sendMessages(opened: WebSocket, { body, closing }: HttpAnswer): Promise<void> {
  try {
    if (isStream(body))
      for (let chunk = await body.next(); chunk !== undefined; chunk = await body.next())
        if (!(await sent(opened, chunk))) return
    const { code, reason } = closing?.() ?? { code: CLOSE.normal, reason: '' }
    opened.close(code, cutReason(reason))
  } catch {
    opened.close(CLOSE.failed)
  }
}
