import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** TCP proxy to a server that a test can make unreachable. */
export class TcpProxy {
  readonly #target: { readonly host: string; readonly port: number }
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0

  constructor(target: { readonly host: string; readonly port: number }) {
    this.#target = target
  }

  /** Starts listening. Resolves with the port, which stays the same when the proxy is reopened. */
  async open(): Promise<number> {
    this.#server = createServer((client) => {
      const server = connect(this.#target)
      for (const [socket, other] of [
        [client, server],
        [server, client],
      ] as const) {
        this.#sockets.add(socket)
        socket.on('error', () => other.destroy())
        socket.on('close', () => {
          this.#sockets.delete(socket)
          other.destroy()
        })
        socket.pipe(other)
      }
    })
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
    return this.#port
  }

  /** `false` closes all connections and refuses new ones; `true` accepts connections again. */
  async setReachable(isReachable: boolean): Promise<void> {
    if (isReachable) await this.open()
    else await this.close()
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => (this.#server === undefined ? resolve(0) : this.#server.close(resolve)))
    for (const socket of this.#sockets) socket.destroy()
    await closed
    this.#server = undefined
  }
}
