import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface ServiceRequest {
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: Uint8Array
}

export interface ServiceReply {
  readonly status?: number
  readonly type?: string
  readonly body: string
  /** True if the connection ends before the body does. */
  readonly isCut?: boolean
}

/** Changes the service's reply to a query, to imitate a faulty server. */
export type EditReply = (reply: ServiceReply, query: string) => ServiceReply | Promise<ServiceReply>

/** HTTP service on the loopback address. */
export interface Service {
  readonly url: string
  readonly close: () => Promise<void>
}

/**
 * Starts a service that answers every request with `reply`. If `reply` throws, the service answers with status 500 and
 * the error's text.
 */
export async function serve(
  reply: (request: ServiceRequest) => ServiceReply | Promise<ServiceReply>,
): Promise<Service> {
  const server = createServer((request, response) => {
    const answer = async (): Promise<ServiceReply> => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
      return reply({ path: pathname, query: searchParams, headers: request.headers, body: await buffer(request) })
    }
    answer()
      .catch((error: unknown): ServiceReply => ({ status: 500, body: error instanceof Error ? error.message : '' }))
      .then(({ status = 200, type = 'application/json', body, isCut = false }) => {
        response.writeHead(status, { 'content-type': type })
        if (isCut) response.write(body, () => response.destroy())
        else response.end(body)
      })
      .catch(() => response.destroy())
  })
  // A connection may be idle during a long query of Sluice. It must not be closed just when the next request is sent on
  // it.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
