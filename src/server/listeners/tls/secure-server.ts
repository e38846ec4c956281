import type { RequestListener, Server, ServerOptions } from 'node:http'
import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import type { TlsOptions } from 'node:tls'
import type { LiveCertificate } from './live-certificate.ts'

/** First byte of a TLS connection: the record type of a handshake. No HTTP request begins with this byte. */
const HANDSHAKE = 0x16

/** Returns TLS options that do not depend on the certificate. TLS versions before 1.2 are insecure. */
export function tlsOptions(protocol: 'http/1.1' | 'h2', handshakeMs: number): TlsOptions {
  return { ALPNProtocols: [protocol], minVersion: 'TLSv1.2', handshakeTimeout: handshakeMs }
}

/**
 * Creates an HTTPS server. A new certificate applies to new connections. `refusePlain` answers and closes a connection
 * that does not begin with a TLS handshake; without it, a client that uses `http://` would only see a broken
 * connection.
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
  // After a failed handshake no answer can be sent. The default handling, as `clientError`, would try to send one, so
  // it is removed.
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
