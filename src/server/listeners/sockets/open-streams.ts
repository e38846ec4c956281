import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { CALL_TIMEOUT_MS, RESPONSE_TIMEOUT_MS } from '../../../base/index.ts'
import { BACKLOG, untilPaused, untilTaken } from '../drain-backlog.ts'
import type { SocketAddress, SocketListening } from './address.ts'
import type { Batches } from './batches.ts'
import type { Counts, Why } from './counts.ts'
import type { SocketContext } from './socket-context.ts'

/** Protocol state of one connection. */
export interface Talk {
  /** Size of incomplete messages in memory, bytes. */
  readonly pendingBytes: number
  /** Processes a chunk. `fault` is the reason if the connection must be closed. */
  readonly read: (chunk: Buffer) => { readonly hasEnded: boolean; readonly fault?: Why | undefined }
  /** Called when the sender has finished. Returning true closes the connection at once, and so does calling `close`. */
  readonly end: (close: () => void) => boolean
}

export interface StreamsOptions {
  readonly batches: Batches
  readonly counts: Counts
  /**
   * Maximum size of incomplete messages on all connections, bytes. Above it, the connection that holds the most bytes
   * is closed.
   */
  readonly pendingBytes: number
  readonly talk: (socket: Socket, end: (why: Why) => void) => Talk
}

export interface OpenStreams {
  readonly port: number
  /** Stops accepting connections, and reads the data that senders still send. */
  readonly finish: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Combines listeners of an address. Closing stops accepting, then stores received data, then closes connections. */
export function listeningOf(
  { transport, host = '127.0.0.1' }: SocketAddress,
  opened: OpenStreams,
  batches: Batches,
  { drainMs }: Pick<SocketContext, 'drainMs'>,
): SocketListening {
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    await opened.finish()
    await batches.close(drainMs)
    await opened.close()
  }
  return { transport, host, port: opened.port, stop: () => (stopped ??= stop()) }
}

const MAX_CONNECTIONS = 1024
/** Interval between checks for stalled connections, ms. */
const LOOK_MS = 5000
/** Maximum time for writing to a connection when the server stops, ms. */
const LAST_MS = 1000

interface Connection {
  readonly talk: Talk
  sinceMs: number
  /** Bytes of this connection that are included in the total. */
  countedBytes: number
}

/** Opens a port for connections on which messages follow one another. Rejects if it cannot be opened. */
export async function openStreams(options: SocketAddress, given: StreamsOptions): Promise<OpenStreams> {
  const { transport, host = '127.0.0.1', port, cert, key, ca } = options
  const { batches, counts } = given
  const connections = new Map<Socket, Connection>()
  let pendingBytes = 0
  let reads = 0

  const forget = (socket: Socket): void => {
    pendingBytes -= connections.get(socket)?.countedBytes ?? 0
    connections.delete(socket)
  }
  const end = (socket: Socket, why: Why): void => {
    if (!connections.has(socket)) return
    forget(socket)
    counts.dropped(why)
    socket.destroySoon()
    // Stops reading, and destroys the socket if the sender does not read the remaining output in time.
    socket.setTimeout(RESPONSE_TIMEOUT_MS, () => socket.destroy())
  }
  const endLargest = (): void => {
    const [largest] = [...connections].toSorted(([, a], [, b]) => b.talk.pendingBytes - a.talk.pendingBytes)
    if (largest !== undefined) end(largest[0], 'memory')
  }
  const pause = (): void => {
    for (const socket of connections.keys()) {
      socket.pause()
      batches.whenRoom(() => socket.resume())
    }
  }
  const accept = (socket: Socket): void => {
    const talk = given.talk(socket, (why) => end(socket, why))
    const connection: Connection = { talk, sinceMs: 0, countedBytes: 0 }
    connections.set(socket, connection)
    socket.on('data', (chunk: Buffer) => {
      if (!connections.has(socket)) return
      reads++
      const before = connection.countedBytes
      const { hasEnded, fault } = talk.read(chunk)
      connection.countedBytes = talk.pendingBytes
      pendingBytes += talk.pendingBytes - before
      if (before === 0 || hasEnded) connection.sinceMs = performance.now()
      if (fault !== undefined) end(socket, fault)
      while (pendingBytes > given.pendingBytes) endLargest()
      if (batches.isFull) pause()
    })
    const close = (): void => {
      socket.end()
      forget(socket)
    }
    socket.on('end', () => {
      if (connections.has(socket) && talk.end(close)) close()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (connections.has(socket)) talk.end(() => undefined)
      forget(socket)
    })
    if (batches.isFull) pause()
  }
  const server: Server =
    transport === 'tls'
      ? createTlsServer(
          {
            cert,
            key,
            ca,
            requestCert: ca !== undefined,
            rejectUnauthorized: ca !== undefined,
            minVersion: 'TLSv1.2',
            handshakeTimeout: RESPONSE_TIMEOUT_MS,
            allowHalfOpen: true,
          },
          accept,
        )
      : createServer({ allowHalfOpen: true }, accept)
  server.maxConnections = MAX_CONNECTIONS
  let taken = 0
  server.on('connection', () => taken++)
  server.on('drop', () => {
    taken++
    counts.dropped('connections')
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  server.on('error', () => undefined)
  const timer = setInterval(() => {
    const nowMs = performance.now()
    for (const [socket, { talk, sinceMs }] of connections)
      if (talk.pendingBytes > 0 && nowMs - sinceMs > CALL_TIMEOUT_MS && !socket.isPaused()) end(socket, 'slow')
  }, LOOK_MS)
  timer.unref()
  let closed: Promise<void> | undefined
  return {
    port: (server.address() as AddressInfo).port,
    finish: async () => {
      // Connections in the accept queue may bring messages too.
      await untilTaken(() => taken)
      closed = new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      await untilPaused(() => reads)
      clearInterval(timer)
      for (const [socket, { talk }] of connections) {
        socket.pause()
        talk.end(() => undefined)
      }
    },
    close: async () => {
      for (const socket of connections.keys()) {
        forget(socket)
        socket.destroySoon()
        socket.setTimeout(LAST_MS, () => socket.destroy())
      }
      await closed
    },
  }
}
