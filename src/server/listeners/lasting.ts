import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

interface Upload {
  readonly incoming: IncomingMessage
  /** Last time that data arrived or waited to be read. */
  lastMs: number
}

/**
 * Long uploads: Node ends any request that is not complete within a time, and reports it once; from then on these are
 * checked here.
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

  /** Data arrived on a connection. */
  came(socket: Socket): void {
    const upload = this.#uploads.get(socket)
    if (upload !== undefined) upload.lastMs = performance.now()
  }

  /** True for a connection that continues after its time limit; `end` is called once no more data arrives. */
  goesOn(socket: Socket, end: () => void): boolean {
    const upload = this.#uploads.get(socket)
    if (upload === undefined || upload.incoming.complete) return false
    const look = setInterval(() => {
      const { incoming } = upload
      if (incoming.complete || incoming.destroyed || socket.destroyed) return clearInterval(look)
      const nowMs = performance.now()
      // Data that waits to be read is our delay.
      if (incoming.readableLength > 0) upload.lastMs = nowMs
      if (nowMs - upload.lastMs < this.#idleMs) return
      clearInterval(look)
      end()
    }, this.#checkMs)
    look.unref()
    return true
  }
}
