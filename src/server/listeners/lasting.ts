import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

interface Upload {
  readonly incoming: IncomingMessage
  /** Last time at which data arrived or was waiting to be read. */
  lastMs: number
}

/**
 * Uploads that may last longer than Node's time limit for a request. Node reports an incomplete request only once, at
 * the limit. After the limit this class ends uploads on which no data arrives.
 */
export class LongUploads {
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

  /** Notes that data has arrived on a connection. */
  came(socket: Socket): void {
    const upload = this.#uploads.get(socket)
    if (upload !== undefined) upload.lastMs = performance.now()
  }

  /** Returns true if a connection may continue after its time limit. `end` is called once no more data arrives. */
  goesOn(socket: Socket, end: () => void): boolean {
    const upload = this.#uploads.get(socket)
    if (upload === undefined || upload.incoming.complete) return false
    const timer = setInterval(() => {
      const { incoming } = upload
      if (incoming.complete || incoming.destroyed || socket.destroyed) return clearInterval(timer)
      const nowMs = performance.now()
      // Received data has not been read yet, so the server causes the delay.
      if (incoming.readableLength > 0) upload.lastMs = nowMs
      if (nowMs - upload.lastMs < this.#idleMs) return
      clearInterval(timer)
      end()
    }, this.#checkMs)
    timer.unref()
    return true
  }
}
