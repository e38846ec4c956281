import { createServer as createNetServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls'
import type * as Grpc from '@grpc/grpc-js'
import { SluiceError, nowhere } from '../../base/index.ts'
import type { App } from '../app/app.ts'
import { authenticate } from '../auth/auth.ts'
import { rpcStatus, rpcStatusBytes, rpcStatusMessage } from '../errors/grpc-status.ts'
import type { Listening, ListenOptions } from './http.ts'
import { HttpFault, fault } from '../errors/http-fault.ts'
import { BACKLOG, LINGER_MS, untilTaken } from './drain-backlog.ts'
import { setupDiagnostic } from '../errors/setup-diagnostics.ts'
import type { LiveCertificate } from './tls/live-certificate.ts'
import { tlsOptions } from './tls/secure-server.ts'

/** Version of `@grpc/grpc-js` with which Sluice is tested. */
const VERSION = '1.14.7'

/** Maximum size of a message, bytes; collectors send at most 4 MiB by default. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024
/** Maximum number of concurrent calls on a connection. */
const MAX_STREAMS = 100

/** gRPC services with the HTTP paths that answer their calls. */
const SERVICES: readonly (readonly [service: string, path: string])[] = [
  ['opentelemetry.proto.collector.logs.v1.LogsService', '/v1/logs'],
  ['opentelemetry.proto.collector.trace.v1.TraceService', '/v1/traces'],
  ['opentelemetry.proto.collector.metrics.v1.MetricsService', '/v1/metrics'],
]

async function loadPackage(): Promise<typeof Grpc> {
  try {
    return await import('@grpc/grpc-js')
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new SluiceError([setupDiagnostic('grpc-missing', { version: VERSION }, nowhere)])
  }
}

/** Matches metadata that concern only the gRPC call. */
const OF_THE_CALL = /^(?:content-|grpc-|te$|user-agent$|host$|:)|-bin$/

/** Converts metadata to the headers of the equivalent HTTP request. */
function headersOf(metadata: Grpc.Metadata): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(metadata.getMap())) {
    if (typeof value !== 'string' || OF_THE_CALL.test(name)) continue
    try {
      headers.set(name, value)
    } catch {
      // Metadata that is not a valid HTTP header is ignored.
    }
  }
  return headers
}

function refusal(grpc: typeof Grpc, status: number, message: string, retryAfter: string | null): Grpc.StatusObject {
  const rpc = rpcStatus(status, message, retryAfter)
  const metadata = new grpc.Metadata()
  if (rpc.retrySeconds !== undefined) metadata.set('grpc-status-details-bin', Buffer.from(rpcStatusBytes(rpc)))
  return { code: rpc.code, details: message, metadata }
}

function refusalOf(grpc: typeof Grpc, error: unknown): Grpc.StatusObject {
  const status = error instanceof HttpFault ? error.status : 500
  const message = error instanceof SluiceError ? (error.diagnostics[0]?.message ?? '') : 'Something went wrong.'
  const retryAfter = error instanceof HttpFault ? (error.headers['Retry-After'] ?? null) : null
  return refusal(grpc, status, message, retryAfter)
}

/**
 * Opens a TLS port that passes decrypted connections on to the gRPC package, because the package cannot change the
 * certificate of a running server.
 */
function secureListener(certificate: LiveCertificate, handshakeMs: number, begin: (socket: Socket) => void): TlsServer {
  const { cert, key } = certificate.current
  const listener = createTlsServer({ ...tlsOptions('h2', handshakeMs), cert, key }, begin)
  certificate.onChange((changed) => listener.setSecureContext({ cert: changed.cert, key: changed.key }))
  return listener.on('tlsClientError', (_, socket) => socket.destroy())
}

/**
 * Stands for the HTTP request when a gRPC call is authenticated. It matters only for session cookies, which no gRPC
 * client sends.
 */
const CALLED = { method: 'POST', url: 'grpc://localhost' }

/** Authenticates a call and reserves memory before its message is read, so that unknown callers use no memory. */
function gate(grpc: typeof Grpc, { context }: App, maxCalls: number): Grpc.ServerInterceptor {
  let calls = 0
  return (_, call) => {
    let isCounted = false
    const leave = (): void => {
      if (isCounted) calls--
      isCounted = false
    }
    const admit = async (metadata: Grpc.Metadata): Promise<void> => {
      if (calls >= maxCalls)
        throw fault('busy', { reason: 'too many large bodies are being taken in' }, { 'Retry-After': '1' })
      calls++
      isCounted = true
      await authenticate({ headers: headersOf(metadata), ...CALLED }, 'write', context)
    }
    return new grpc.ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, go) => {
            admit(metadata).then(
              () => go(metadata),
              (error: unknown) => {
                leave()
                call.sendStatus(refusalOf(grpc, error))
              },
            )
          },
          onCancel: leave,
        }),
      sendStatus: (status, next) => {
        leave()
        next(status)
      },
    })
  }
}

/**
 * Accepts OTLP over gRPC, using the HTTP routes. With a certificate it uses TLS, which protects keys. Rejects with a
 * SluiceError if the gRPC package is not installed or the port cannot be opened.
 */
export async function listenGrpc(
  app: App,
  { host, port }: ListenOptions,
  certificate?: LiveCertificate,
): Promise<Listening> {
  const grpc = await loadPackage()
  const { limits } = app.context
  const messageBytes = Math.min(MAX_MESSAGE_BYTES, limits.ingestBodyBytes)
  const server = new grpc.Server({
    'grpc.max_receive_message_length': messageBytes,
    'grpc.max_concurrent_streams': MAX_STREAMS,
    'grpc.max_connection_idle_ms': limits.idleMs,
    interceptors: [gate(grpc, app, Math.max(1, Math.floor(limits.ingestBytes / messageBytes)))],
  })
  const unchanged = (bytes: Buffer): Buffer => bytes
  for (const [service, path] of SERVICES) {
    const handle: Grpc.handleUnaryCall<Buffer, Buffer> = (call, callback) => {
      const controller = new AbortController()
      call.on('cancelled', () => controller.abort())
      const headers = headersOf(call.metadata)
      headers.set('Content-Type', 'application/x-protobuf')
      const { signal } = controller
      const body = new Uint8Array(call.request)
      const request = new Request(`http://grpc${path}`, { method: 'POST', headers, body, signal })
      answer(request).then(
        (bytes) => callback(null, bytes),
        (error: unknown) => callback(error as Grpc.StatusObject),
      )
    }
    server.register(`/${service}/Export`, handle, unchanged, unchanged, 'unary')
  }
  /** Answers a request through the HTTP app. Rejects with a gRPC status if the answer is an error. */
  const answer = async (request: Request): Promise<Buffer> => {
    const response = await app.fetch(request)
    if (response.status === 200) return Buffer.from(await response.arrayBuffer())
    const message = rpcStatusMessage(new Uint8Array(await response.arrayBuffer()))
    throw refusal(grpc, response.status, message, response.headers.get('Retry-After'))
  }
  const name = host.includes(':') ? `[${host}]` : host
  // The port is opened here instead of by the package, because closing must handle waiting connections.
  const injector = server.createConnectionInjector(grpc.ServerCredentials.createInsecure())
  let taken = 0
  const begin = (socket: Socket): void => injector.injectConnection(socket)
  const listener =
    certificate === undefined ? createNetServer(begin) : secureListener(certificate, limits.headersMs, begin)
  listener.on('connection', () => taken++)
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen({ port, host, backlog: BACKLOG }, () => {
      listener.off('error', reject)
      resolve()
    })
  })
  listener.on('error', () => undefined)
  const bound = (listener.address() as AddressInfo).port
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    app.beginStop()
    const cut = setTimeout(() => server.forceShutdown(), limits.drainMs)
    // Calls on connections that are in the accept queue are still answered.
    await untilTaken(() => taken)
    await sleep(LINGER_MS)
    listener.close()
    await new Promise<void>((resolve) => server.tryShutdown(() => resolve()))
    clearTimeout(cut)
  }
  return { host, port: bound, address: `${name}:${bound}`, stop: () => (stopped ??= stop()) }
}
