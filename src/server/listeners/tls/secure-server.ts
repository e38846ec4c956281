import type { RequestListener, Server, ServerOptions } from 'node:http'
import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import type { TlsOptions } from 'node:tls'
import type { LiveCertificate } from './live-certificate.ts'

/** First byte of a TLS connection: the record type of a handshake. No HTTP request begins with it. */
const HANDSHAKE = 0x16

/** Options of a TLS port that do not change with its certificate. Older versions of TLS are broken. */
export function tlsOptions(protocol: 'http/1.1' | 'h2', handshakeMs: number): TlsOptions {
  return { ALPNProtocols: [protocol], minVersion: 'TLSv1.2', handshakeTimeout: handshakeMs }
}

/**
 * An HTTP server whose connections are TLS. Later certificates apply to new connections. `refusePlain` answers and ends
 * a connection that does not begin with a TLS handshake: a client that was given `http://` would see it broken otherwise.
 */
export function createSecureServer(
  certificate: LiveCertificate,
  options: ServerOptions & { readonly headersTimeout: number },
  take: RequestListener,
  refusePlain: (socket: Socket) => void,
): Server {
  const { cert, key } = certificate.current
  const { headersTimeout } = options
  const server = createServer({ ...options, ...tlsOptions('http/1.1', headersTimeout), cert, key }, take)
  certificate.onChange((changed) => server.setSecureContext({ cert: changed.cert, key: changed.key }))
  // A failed handshake has no one to answer; as a `clientError` it would get HTTP.
  server.removeAllListeners('tlsClientError').on('tlsClientError', (_, socket) => socket.destroy())
  const handshakes = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    const end = (): void => void socket.destroy()
    socket.setTimeout(headersTimeout, end).once('end', end).once('error', end)
    socket.once('data', (first) => {
      socket.pause().setTimeout(0).off('timeout', end).off('end', end).off('error', end)
      socket.unshift(first)
      if (first[0] !== HANDSHAKE) refusePlain(socket)
      else for (const begin of handshakes) begin.call(server, socket)
    })
  })
  return server
}
