import { ServerResponse, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import { WebSocketServer, type WebSocket } from 'ws'
import { POLL_MS } from '../../base/index.ts'
import { dropBody, isStream } from '../../workers/index.ts'
import { CLOSE, type Answer } from '../http/answer.ts'

/** Bytes of a message from a client, which has nothing to say. */
const MESSAGE_BYTES = 1024

/** Bytes of the reason in a close frame, by RFC 6455. */
const REASON_BYTES = 123

/** A key of RFC 6455: 16 bytes in base64. */
const KEY = /^[+/0-9A-Za-z]{22}==$/

/** True if a request asks for a WebSocket in the way of RFC 6455; other upgrades are answered as if none was asked for. */
export function asksForWebSocket({ method, headers }: IncomingMessage): boolean {
  const isWanted = method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'
  return isWanted && headers['sec-websocket-version'] === '13' && KEY.test(headers['sec-websocket-key'] ?? '')
}

/**
 * Lets a server read a request to upgrade to another protocol once more, without that wish. Older versions of Node hand
 * over the connection of every such request.
 */
export function askAgain(server: Server, { method, url, socket, rawHeaders }: IncomingMessage, head: Buffer): void {
  const lines = [`${method} ${url} HTTP/1.1`]
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`)
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit(server instanceof TlsServer ? 'secureConnection' : 'connection', socket)
}

/** A reason as a close frame has room for it; cut between characters. */
function cutReason(reason: string): string {
  const bytes = Buffer.from(reason)
  if (bytes.length <= REASON_BYTES) return reason
  let end = REASON_BYTES - 3
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return `${bytes.subarray(0, end).toString()}…`
}

/** Resolves to true when the system has taken a message; to false if the connection closes first. */
function sent(socket: WebSocket, message: string | Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    socket.send(message, { binary: false }, (error) => resolve(error === undefined || error === null))
  })
}

/** WebSockets of a port: requests that ask for one, and their answers. */
export class WebSockets {
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_BYTES, perMessageDeflate: false })
  readonly #heads = new WeakMap<IncomingMessage, Buffer>()
  readonly #idleMs: number

  /** A client that answers no ping for `idleMs` is gone. */
  constructor(idleMs: number) {
    this.#idleMs = idleMs
  }

  /** The response to a request for a WebSocket, until it is one: it is the last of its connection. */
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

  /** Opens a WebSocket and sends the messages of the answer, each after the one before has left. */
  open(incoming: IncomingMessage, outgoing: ServerResponse, answer: Answer): void {
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

  /** Pings a client every second, and cuts the connection of one that is gone or violates the protocol. */
  #watch(opened: WebSocket, socket: Socket): void {
    let heardMs = performance.now()
    const timer = setInterval(() => {
      if (performance.now() - heardMs > this.#idleMs) opened.terminate()
      // Pings behind messages that a slow client does not read would pile up.
      else if (opened.readyState === opened.OPEN && socket.writableLength === 0) opened.ping()
    }, POLL_MS)
    opened.on('pong', () => {
      heardMs = performance.now()
    })
    opened.on('error', () => opened.terminate())
    opened.once('close', () => clearInterval(timer))
  }
}

async function sendMessages(opened: WebSocket, { body, closing }: Answer): Promise<void> {
  try {
    if (isStream(body))
      for (let piece = await body.next(); piece !== undefined; piece = await body.next())
        if (!(await sent(opened, piece))) return
    const { code, reason } = closing?.() ?? { code: CLOSE.normal, reason: '' }
    opened.close(code, cutReason(reason))
  } catch {
    opened.close(CLOSE.failed)
  }
}
