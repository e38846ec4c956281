import type { Socket } from 'node:net'
import { deserialize, serialize } from 'node:v8'

const HEAD_BYTES = 4

/** Callbacks for incoming messages. */
export interface FrameEvents {
  readonly onMessage: (message: unknown) => void
  /** Called with the size of a message before memory is allocated for it. An error thrown here closes the socket. */
  readonly onLength?: (bytes: number) => void
  /**
   * Called once, as the last callback, when the other side has closed the socket or an error on this side has closed
   * it.
   */
  readonly onClose: (error: unknown) => void
}

/**
 * Sends and receives messages over a socket between processes of one machine. A message is its length in four bytes,
 * then the value in Node's serialization, with typed arrays as raw bytes.
 */
export class FrameSocket {
  readonly #socket: Socket
  readonly #events: FrameEvents
  readonly #pieces: Buffer[] = []
  #heldBytes = 0
  /** Length of the message that is arriving, in bytes; `undefined` until its header has arrived. */
  #wantedBytes: number | undefined
  #error: unknown
  #isEnded = false

  constructor(socket: Socket, events: FrameEvents) {
    this.#socket = socket
    this.#events = events
    socket.on('data', (chunk: Buffer) => {
      try {
        this.#take(chunk)
      } catch (error) {
        this.end(error)
      }
    })
    socket.on('error', () => undefined)
    socket.once('close', () => {
      this.#isEnded = true
      events.onClose(this.#error)
    })
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Sets whether the open socket keeps this program from ending. */
  hold(isHeld: boolean): void {
    if (isHeld) this.#socket.ref()
    else this.#socket.unref()
  }

  send(message: unknown): void {
    if (this.#isEnded) return
    const body = serialize(message)
    const head = Buffer.allocUnsafe(HEAD_BYTES)
    head.writeUInt32LE(body.length)
    this.#socket.cork()
    this.#socket.write(head)
    this.#socket.write(body)
    this.#socket.uncork()
  }

  end(error?: unknown): void {
    this.#error ??= error
    this.#isEnded = true
    this.#pieces.length = 0
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    this.#pieces.push(chunk)
    this.#heldBytes += chunk.length
    while (!this.#isEnded) {
      if (this.#wantedBytes === undefined) {
        if (this.#heldBytes < HEAD_BYTES) return
        this.#wantedBytes = this.#bytes(HEAD_BYTES).readUInt32LE()
        this.#events.onLength?.(this.#wantedBytes)
      }
      if (this.#heldBytes < this.#wantedBytes) return
      const body = this.#bytes(this.#wantedBytes)
      this.#wantedBytes = undefined
      this.#events.onMessage(deserialize(body))
    }
  }

  #bytes(count: number): Buffer {
    const all = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces)
    this.#pieces.length = 0
    if (all === undefined) return Buffer.alloc(0)
    if (all.length > count) this.#pieces.push(all.subarray(count))
    this.#heldBytes -= count
    return all.subarray(0, count)
  }
}
