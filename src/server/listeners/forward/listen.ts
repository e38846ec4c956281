import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { CHUNK_BYTES, LOG_REPEAT_MS, PAGE_BYTES, RESPONSE_TIMEOUT_MS } from '../../../base/index.ts'
import { MsgpackFault, MsgpackFramer, forwardMessage, type Framed } from '../../../ingest/agents/index.ts'
import type { RecordOptions } from '../../../store/index.ts'
import type { IngestReport } from '../../ingest/decoder.ts'
import { checkAddress, type SocketAddress, type SocketListening } from '../sockets/address.ts'
import { Batches, type WaitingBatch } from '../sockets/batches.ts'
import { countsOf, type Why } from '../sockets/counts.ts'
import { listeningOf, openStreams, type Talk } from '../sockets/open-streams.ts'
import type { SocketContext } from '../sockets/socket-context.ts'
import { bodyPackings } from '../../http/unpack-stream.ts'
import { helloMessage, pongFor } from './handshake.ts'

/** Address, backend and secret of the forward protocol of Fluentd and Fluent Bit. */
export interface ForwardOptions extends Omit<SocketAddress, 'transport'> {
  readonly transport: 'tcp' | 'tls'
  /** Secret that senders must prove to know. Default: none. */
  readonly sharedKey?: string | undefined
}

/**
 * Time for gathering messages into a batch, ms. Senders group records themselves, so the time only matters for short
 * messages.
 */
const GATHER_MS = 10
/** Maximum size of incomplete messages on all connections, as a multiple of the maximum message size. */
const PENDING_MESSAGES = 2
const NONCE_BYTES = 16
/** Maximum size of unread acknowledgements on a connection, bytes; above it the connection is closed. */
const MAX_UNREAD_BYTES = CHUNK_BYTES

/** Returns a function that logs an error. The same error is logged again only after a while. */
function sayer(log: SocketContext['log']): (reason: string) => void {
  const saidMs = new Map<string, number>()
  return (reason) => {
    const nowMs = performance.now()
    if (nowMs - (saidMs.get(reason) ?? -Infinity) < LOG_REPEAT_MS) return
    if (saidMs.size > 100) saidMs.clear()
    saidMs.set(reason, nowMs)
    log.error({ reason }, 'something that came by the forward protocol is refused')
  }
}

interface Shared {
  readonly batches: Batches
  readonly say: (reason: string) => void
  readonly messageBytes: number
  readonly sharedKey: string | undefined
  readonly options: RecordOptions | undefined
  /** Request data shared by all messages that may go into one batch. */
  readonly messages: WaitingBatch['request']
}

/** Returns the reason why a message was not stored, from the report of its batch; `undefined` if it was stored. */
function faultOf(report: IngestReport, index: number): string | undefined {
  if (report.marks !== undefined) {
    const { texts, textIndexes } = report.marks
    const text = texts[textIndexes[index] ?? 0]
    return text === '' ? undefined : text
  }
  return report.accepted === 0 ? report.errors[0]?.reason : undefined
}

class ForwardTalk implements Talk {
  readonly #socket: Socket
  readonly #end: (why: Why) => void
  readonly #shared: Shared
  readonly #nonce: Uint8Array | undefined
  readonly #framer: MsgpackFramer
  #isLetIn: boolean
  #waiting = 0
  #close: (() => void) | undefined

  constructor(socket: Socket, end: (why: Why) => void, shared: Shared) {
    this.#socket = socket
    this.#end = end
    this.#shared = shared
    this.#isLetIn = shared.sharedKey === undefined
    this.#framer = new MsgpackFramer(this.#isLetIn ? shared.messageBytes : PAGE_BYTES)
    if (this.#isLetIn) return
    this.#nonce = randomBytes(NONCE_BYTES)
    socket.write(helloMessage(this.#nonce))
    const timer = setTimeout(() => this.#isLetIn || end('key'), RESPONSE_TIMEOUT_MS)
    timer.unref()
    socket.once('close', () => clearTimeout(timer))
  }

  get pendingBytes(): number {
    return this.#framer.pendingBytes
  }

  read(chunk: Buffer): { readonly hasEnded: boolean; readonly fault?: Why | undefined } {
    let hasEnded = false
    try {
      for (const framed of this.#framer.push(chunk)) {
        hasEnded = true
        if (this.#isLetIn) this.#take(framed)
        else if (!this.#letIn(framed.bytes)) return { hasEnded, fault: 'key' }
      }
    } catch (error) {
      if (!(error instanceof MsgpackFault)) throw error
      this.#shared.say(error.message)
      return { hasEnded, fault: 'framing' }
    }
    return { hasEnded }
  }

  end(close: () => void): boolean {
    this.#close = close
    return this.#waiting === 0
  }

  #letIn(ping: Buffer): boolean {
    const { sharedKey = '', messageBytes } = this.#shared
    const { isLetIn, bytes } = pongFor(ping, this.#nonce ?? new Uint8Array(), sharedKey)
    this.#socket.write(bytes)
    this.#isLetIn = isLetIn
    this.#framer.limitBytes = messageBytes
    return isLetIn
  }

  #take(framed: Framed): void {
    const { messages, options, batches } = this.#shared
    const { tag, packed, chunk } = forwardMessage(framed)
    if (packed !== undefined && !bodyPackings.includes(packed.encoding))
      throw new MsgpackFault(`packed by ${packed.encoding.slice(0, 40)}, not by one of ${bodyPackings.join(', ')}`)
    // Copied, because otherwise the id would keep the whole message in memory.
    const acknowledged = chunk && Buffer.from(chunk)
    this.#waiting++
    batches.add({
      chunks: [packed?.bytes ?? framed.bytes],
      encoding: packed?.encoding ?? 'identity',
      request:
        packed === undefined
          ? messages
          : { format: 'forward-entries', options: { ...options, defaultFields: { tag } } },
      done: (report, index) => this.#done(acknowledged, report, index),
    })
  }

  /** Acknowledges a message that was stored. Closes the connection if the message was not stored. */
  #done(chunk: Buffer | undefined, report: IngestReport | undefined, index: number): void {
    this.#waiting--
    const fault = report && faultOf(report, index)
    if (fault !== undefined) this.#shared.say(fault)
    if (report === undefined || fault !== undefined) this.#end(report === undefined ? 'lost' : 'refused')
    else if (chunk !== undefined && this.#socket.writable) {
      this.#socket.write(Buffer.concat([ACK, chunk]))
      if (this.#socket.writableLength > MAX_UNREAD_BYTES) this.#end('slow')
    }
    if (this.#waiting === 0) this.#close?.()
  }
}

/** The beginning of `{"ack": …}`, without the value. */
const ACK = Buffer.concat([Buffer.of(0x81, 0xa3), Buffer.from('ack')])

/**
 * Accepts the forward protocol at an address. Rejects if the address cannot be opened, or with `setup/forward` if it
 * would be unsafe.
 */
export async function listenForward(options: ForwardOptions, context: SocketContext): Promise<SocketListening> {
  const { backend, zone, sharedKey } = options
  checkAddress(options, context.backends, {
    name: 'forward',
    hasSecret: sharedKey !== undefined,
    hint: 'Add `?shared-key=FILE`, or `?ca=FILE` to a tls address so that senders show a certificate, or `?open-to=everyone`.',
  })
  const counts = countsOf(context.telemetry, 'forward', 'records')
  const say = sayer(context.log)
  const batches = new Batches({
    ingest: context.ingest,
    backend: backend ?? context.backends[0],
    log: context.log,
    name: 'the forward protocol',
    gatherMs: GATHER_MS,
    onStored: (_, { accepted, rejected, errors: [first] }) => {
      counts.stored(accepted)
      if (rejected > 0) counts.dropped('refused', rejected)
      if (first !== undefined) say(first.reason)
    },
    onLost: (count) => counts.dropped('lost', count),
  })
  const { messageBytes } = context
  const said = zone === undefined ? undefined : { zone }
  const messages = { format: 'forward', options: said }
  const shared: Shared = { batches, say, messageBytes, sharedKey, options: said, messages }
  const opened = await openStreams(options, {
    batches,
    counts,
    pendingBytes: PENDING_MESSAGES * messageBytes,
    talk: (socket, end) => new ForwardTalk(socket, end, shared),
  })
  return listeningOf(options, opened, batches, context)
}
