import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One notification in version 4 of Alertmanager's webhook format, with its idempotency key. */
export interface Notification {
  readonly key: string
  readonly status: string
  readonly alerts: readonly { readonly status: string; readonly labels: Readonly<Record<string, string>> }[]
}

/** A webhook receiver on the loopback address that records the notifications it receives. */
export class Webhook {
  readonly received: Notification[] = []
  /** HTTP statuses of the next answers, in order; 200 when the list is empty. */
  readonly answers: number[] = []
  readonly #server: Server

  constructor() {
    this.#server = createServer((request, response) => {
      let text = ''
      request.on('data', (chunk: Buffer) => (text += chunk.toString()))
      request.on('end', () => {
        const body = JSON.parse(text) as Omit<Notification, 'key'>
        this.received.push({ ...body, key: String(request.headers['idempotency-key']) })
        response.writeHead(this.answers.shift() ?? 200).end()
      })
    })
  }

  /** Listens on a free port. Resolves with the URL of the webhook. */
  async open(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', () => done()))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}
