import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

interface Upload {
  readonly incoming: IncomingMessage
  /** When it last brought something, or what it had brought was still unread. */
  lastMs: number
}

/**
 * Requests whose bodies may take as long as their senders keep sending: Node ends any request that is not whole within a
 * time, and says so once; from then on these are looked at here.
 */
export class LastingUploads {
  readonly #uploads = new WeakMap<Socket, Upload>()
  readonly #idleMs: number
  readonly #checkMs: number

  constructor(idleMs: number, checkMs: number) {
    this.#idleMs = idleMs
    this.#checkMs = checkMs
  }

  add(incoming: IncomingMessage): void {
    const upload: Upload = { incoming, lastMs: performance.now() }
    this.#uploads.set(incoming.socket, upload)
    incoming.once('close', () => this.#uploads.delete(incoming.socket))
  }

  /** Something came on a connection. */
  came(socket: Socket): void {
    const upload = this.#uploads.get(socket)
    if (upload !== undefined) upload.lastMs = performance.now()
  }

  /** True for a connection that goes on although its time is over; `end` is called once when it brings nothing any more. */
  goesOn(socket: Socket, end: () => void): boolean {
    const upload = this.#uploads.get(socket)
    if (upload === undefined || upload.incoming.complete) return false
    const look = setInterval(() => {
      const { incoming } = upload
      if (incoming.complete || incoming.destroyed || socket.destroyed) return clearInterval(look)
      const nowMs = performance.now()
      // What waits to be read is ours to read.
      if (incoming.readableLength > 0) upload.lastMs = nowMs
      if (nowMs - upload.lastMs < this.#idleMs) return
      clearInterval(look)
      end()
    }, this.#checkMs)
    look.unref()
    return true
  }
}
