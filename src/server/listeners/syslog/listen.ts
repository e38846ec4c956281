import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { isIP } from 'node:net'
import { SyslogFramer, framed } from '../../../ingest/agents/index.ts'
import { untilPaused } from '../drain-backlog.ts'
import { checkAddress, type SocketAddress, type SocketListening } from '../sockets/address.ts'
import { Batches, type WaitingBatch } from '../sockets/batches.ts'
import { countsOf, type Counts } from '../sockets/counts.ts'
import { listeningOf, openStreams, type OpenStreams, type Talk } from '../sockets/open-streams.ts'
import type { SocketContext } from '../sockets/socket-context.ts'

/** Address and settings of a syslog listener; syslog has no keys. */
export type SyslogOptions = SocketAddress

const GATHER_MS = 100
/** Maximum bytes of incomplete messages on all connections. */
const MAX_PENDING_BYTES = 32 * 1024 * 1024
const UDP_BUFFER_BYTES = 4 * 1024 * 1024

/**
 * Accepts syslog at an address. Rejects if the address cannot be opened, or with `setup/syslog` if it would be unsafe.
 */
export async function listenSyslog(options: SyslogOptions, context: SocketContext): Promise<SocketListening> {
  const { transport, backend, zone } = options
  checkAddress(options, context.backends, {
    name: 'syslog',
    hasSecret: false,
    hint: 'Add `?ca=FILE` to a tls address so that senders show a certificate, or `?open-to=everyone`.',
  })
  const counts = countsOf(context.telemetry, 'syslog', 'messages')
  const batches = new Batches({
    ingest: context.ingest,
    backend: backend ?? context.backends[0],
    log: context.log,
    name: 'syslog',
    gatherMs: GATHER_MS,
    onStored: counts.stored,
    onLost: (count) => counts.dropped('lost', count),
  })
  const request = { format: 'syslog', options: zone === undefined ? undefined : { zone } }
  const add = (message: Uint8Array): void => batches.add({ chunks: framed(message), request } satisfies WaitingBatch)
  const opened =
    transport === 'udp'
      ? await openUdp(options, { batches, counts, add })
      : await openStreams(options, {
          batches,
          counts,
          pendingBytes: MAX_PENDING_BYTES,
          talk: () => syslogTalk(counts, add),
        })
  return listeningOf(options, opened, batches, context)
}

/** Returns the protocol state of a syslog connection; messages are never answered. */
function syslogTalk(counts: Counts, add: (message: Uint8Array) => void): Talk {
  const framer = new SyslogFramer()
  return {
    get pendingBytes() {
      return framer.pendingBytes
    },
    read: (chunk) => {
      const { tooLong } = framer
      const { messages, fault } = framer.push(chunk)
      if (framer.tooLong > tooLong) counts.dropped('too-long', framer.tooLong - tooLong)
      for (const message of messages) add(message)
      return { hasEnded: messages.length > 0, fault: fault && 'framing' }
    },
    end: () => {
      const last = framer.end()
      if (last !== undefined) add(last)
      return true
    },
  }
}

interface Datagrams {
  readonly batches: Batches
  readonly counts: Counts
  readonly add: (message: Uint8Array) => void
}

async function openUdp(
  { host = '127.0.0.1', port }: SyslogOptions,
  { batches, counts, add }: Datagrams,
): Promise<OpenStreams> {
  const socket: UdpSocket = createSocket({ type: isIP(host) === 6 ? 'udp6' : 'udp4', recvBufferSize: UDP_BUFFER_BYTES })
  let reads = 0
  socket.on('message', (message) => {
    reads++
    // UDP has no backpressure, so messages are dropped.
    if (batches.isFull) counts.dropped('full')
    else if (message.length > 0) add(message)
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
    finish: async () => {
      // Reads the messages that have already arrived.
      await untilPaused(() => reads)
      await new Promise<void>((resolve) => {
        socket.close(() => resolve())
      })
    },
    close: () => Promise.resolve(),
  }
}
