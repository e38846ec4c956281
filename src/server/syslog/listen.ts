import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { createServer, isIP, type AddressInfo, type Server, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import { SluiceError, nowhere } from '../../base/index.ts'
import { SyslogFramer } from '../../ingest/agents/index.ts'
import type { Logger } from '../context.ts'
import type { IngestService } from '../ingest/ingest-service.ts'
import { BACKLOG, untilTaken } from '../quiet-turns.ts'
import { setupDiagnostic } from '../setup-diagnostics.ts'
import type { Telemetry } from '../telemetry.ts'
import { SyslogBatches } from './batches.ts'

/** Where syslog is taken, and whose it is: the protocol has no key. */
export interface SyslogOptions {
  readonly transport: 'udp' | 'tcp' | 'tls'
  /** The loopback address unless given. */
  readonly host?: string | undefined
  /** 0 picks a free one. */
  readonly port: number
  /** Must be named where there are several. */
  readonly backend?: string | undefined
  /** Zone of times that name none: of the IANA database, or an offset as `+02:00`. UTC unless given. */
  readonly zone?: string | undefined
  /** In PEM, for `tls`. */
  readonly cert?: string | undefined
  readonly key?: string | undefined
  /** Certificates in PEM, one of which must have signed that of a sender. */
  readonly ca?: string | undefined
  /** Other machines are listened to only where this says so, or their certificates are checked. */
  readonly openTo?: 'everyone' | undefined
}

export interface SyslogListening {
  readonly transport: SyslogOptions['transport']
  readonly host: string
  readonly port: number
  /** Takes no more, and stores what has come. Calling it again gives the same promise. */
  readonly stop: () => Promise<void>
}

export interface SyslogContext {
  readonly ingest: IngestService
  /** Ids of the backends. */
  readonly backends: readonly string[]
  readonly telemetry: Telemetry
  readonly log: Logger
  /** What storing may take at the end. */
  readonly drainMs: number
}

const MAX_CONNECTIONS = 1024
/** Beginnings of messages on all connections together. */
const MAX_PENDING_BYTES = 32 * 1024 * 1024
/** How long the rest of a message may take. */
const SLOW_MS = 60_000
const LOOK_MS = 5000
const HANDSHAKE_MS = 10_000
/** Senders that still write at the end are read until they pause for so long. */
const LAST_QUIET_MS = 50
const LAST_MS = 1000
const UDP_BUFFER_BYTES = 4 * 1024 * 1024

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

/** Throws `setup/…` for what is not safe or not there. */
function check(
  { transport, host = '127.0.0.1', backend, cert, key, ca, openTo }: SyslogOptions,
  backends: readonly string[],
): void {
  const at = `${transport}://${host}`
  const refuse = (reason: string, hint: string): never => {
    throw new SluiceError([setupDiagnostic('syslog', { at, reason, hint }, nowhere)])
  }
  if (backend === undefined ? backends.length > 1 : !backends.includes(backend))
    refuse('it must name one of the backends', 'Add `?backend=ID`.')
  if (transport === 'tls' && (cert === undefined || key === undefined))
    refuse('it needs a certificate and its key', 'Add `?cert=FILE&key=FILE`.')
  if (transport !== 'tls' && (cert ?? key ?? ca) !== undefined) refuse('only tls has certificates', 'Write `tls://`.')
  if (!isLoopback(host) && ca === undefined && openTo !== 'everyone')
    refuse(
      'syslog has no key: everyone who reaches this address could write',
      'Add `?ca=FILE` to a tls address so that senders show a certificate, or `?open-to=everyone`.',
    )
}

type Why = 'full' | 'too-long' | 'framing' | 'lost' | 'slow' | 'memory' | 'connections'

/** Counts what came of messages. */
interface Counts {
  readonly stored: (count: number) => void
  readonly dropped: (why: Why, count?: number) => void
}

function countsOf(telemetry: Telemetry): Counts {
  const stored = telemetry.counter('sluice_syslog_messages_total', 'Messages of syslog that are stored.')
  const dropped = telemetry.counter(
    'sluice_syslog_dropped_total',
    'Messages of syslog that were not stored, and connections that were ended, by reason.',
    'reason',
  )
  return { stored: (count) => stored(count), dropped: (why, count = 1) => dropped(count, why) }
}

/** Takes syslog at an address. Rejects when the address cannot be had, with `setup/syslog` when it must not. */
export async function listenSyslog(options: SyslogOptions, context: SyslogContext): Promise<SyslogListening> {
  check(options, context.backends)
  const counts = countsOf(context.telemetry)
  const waiting = new Set<() => void>()
  const batches = new SyslogBatches({
    ingest: context.ingest,
    backend: options.backend ?? context.backends[0],
    zone: options.zone,
    log: context.log,
    onStored: counts.stored,
    onLost: (count) => counts.dropped('lost', count),
    onRoom: () => {
      for (const goOn of waiting) goOn()
      waiting.clear()
    },
  })
  const opened =
    options.transport === 'udp'
      ? await openUdp(options, batches, counts)
      : await openStreams(options, { batches, counts, waiting })
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    await opened.stop()
    await batches.close(context.drainMs)
  }
  const { transport, host = '127.0.0.1' } = options
  return { transport, host, port: opened.port, stop: () => (stopped ??= stop()) }
}

interface Opened {
  readonly port: number
  readonly stop: () => Promise<void>
}

async function openUdp(
  { host = '127.0.0.1', port }: SyslogOptions,
  batches: SyslogBatches,
  counts: Counts,
): Promise<Opened> {
  const socket: UdpSocket = createSocket({ type: isIP(host) === 6 ? 'udp6' : 'udp4', recvBufferSize: UDP_BUFFER_BYTES })
  let lastMs = 0
  socket.on('message', (message) => {
    lastMs = performance.now()
    // Nobody can be told to wait.
    if (batches.isFull) counts.dropped('full')
    else if (message.length > 0) batches.add(message)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(port, host, () => {
      socket.off('error', reject)
      resolve()
    })
  })
  socket.on('error', () => undefined)
  return {
    port: socket.address().port,
    stop: async () => {
      // What the system has for it already is read.
      const endMs = performance.now() + LAST_MS
      do await setTimeout(LAST_QUIET_MS)
      while (performance.now() - lastMs < LAST_QUIET_MS && performance.now() < endMs)
      await new Promise<void>((resolve) => {
        socket.close(() => resolve())
      })
    },
  }
}

interface Streams {
  readonly batches: SyslogBatches
  readonly counts: Counts
  /** Connections that wait until there is room. */
  readonly waiting: Set<() => void>
}

async function openStreams(options: SyslogOptions, { batches, counts, waiting }: Streams): Promise<Opened> {
  const { transport, host = '127.0.0.1', port, cert, key, ca } = options
  const connections = new Map<Socket, { readonly framer: SyslogFramer; sinceMs: number }>()
  let pendingBytes = 0
  let lastMs = 0

  const end = (socket: Socket, why?: Why): void => {
    const connection = connections.get(socket)
    if (connection === undefined) return
    connections.delete(socket)
    pendingBytes -= connection.framer.pendingBytes
    const last = why === undefined ? connection.framer.end() : undefined
    if (last !== undefined) batches.add(last)
    if (why !== undefined) counts.dropped(why)
    socket.destroy()
  }
  const pause = (): void => {
    for (const socket of connections.keys()) {
      socket.pause()
      waiting.add(() => socket.resume())
    }
  }
  const accept = (socket: Socket): void => {
    const connection = { framer: new SyslogFramer(), sinceMs: 0 }
    const { framer } = connection
    connections.set(socket, connection)
    socket.on('data', (chunk: Buffer) => {
      lastMs = performance.now()
      const before = framer.pendingBytes
      const tooLong = framer.tooLong
      const { messages, fault } = framer.push(chunk)
      pendingBytes += framer.pendingBytes - before
      if (framer.tooLong > tooLong) counts.dropped('too-long', framer.tooLong - tooLong)
      if (before === 0 || messages.length > 0) connection.sinceMs = lastMs
      let hasRoom = true
      for (const message of messages) hasRoom = batches.add(message)
      if (fault !== undefined) end(socket, 'framing')
      else if (pendingBytes > MAX_PENDING_BYTES) end(socket, 'memory')
      if (!hasRoom) pause()
    })
    socket.on('end', () => end(socket))
    socket.on('close', () => end(socket))
    socket.on('error', () => end(socket))
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
            handshakeTimeout: HANDSHAKE_MS,
          },
          accept,
        )
      : createServer(accept)
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
  const look = setInterval(() => {
    const nowMs = performance.now()
    for (const [socket, { framer, sinceMs }] of connections)
      if (framer.pendingBytes > 0 && nowMs - sinceMs > SLOW_MS && !socket.isPaused()) end(socket, 'slow')
  }, LOOK_MS)
  look.unref()
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      // Connections that the system has already bring messages, too.
      await untilTaken(() => taken)
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      const endMs = performance.now() + LAST_MS
      do await setTimeout(LAST_QUIET_MS)
      while (connections.size > 0 && performance.now() - lastMs < LAST_QUIET_MS && performance.now() < endMs)
      clearInterval(look)
      for (const socket of connections.keys()) end(socket)
      await closed
    },
  }
}
