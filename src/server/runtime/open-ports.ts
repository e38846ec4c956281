import { Options, SluiceError, nowhere } from '../../base/index.ts'
import type { App } from '../app/app.ts'
import { setupDiagnostic } from '../errors/setup-diagnostics.ts'
import { listenForward, type ForwardOptions } from '../listeners/forward/listen.ts'
import { listenGrpc } from '../listeners/grpc.ts'
import { listen, listenOptions, type ListenOptions, type Listening } from '../listeners/http.ts'
import type { SocketListening } from '../listeners/sockets/address.ts'
import type { LiveCertificate } from '../listeners/tls/live-certificate.ts'
import type { SocketContext } from '../listeners/sockets/socket-context.ts'
import { listenSyslog, type SyslogOptions } from '../listeners/syslog/listen.ts'
import type { ServerContext } from '../routes/definition/context.ts'

/** Default port on which OTLP collectors accept gRPC. */
export const OTLP_GRPC_PORT = 4317

const address = {
  host: 'string',
  port: 'number',
  backend: 'string',
  zone: 'string',
  cert: 'string',
  key: 'string',
  ca: 'string',
  openTo: { words: { everyone: true } },
} as const

const syslogOptions = new Options<SyslogOptions>(
  { ...address, transport: { words: { udp: true, tcp: true, tls: true } } },
  ['transport', 'port'],
)
const forwardOptions = new Options<ForwardOptions>(
  { ...address, transport: { words: { tcp: true, tls: true } }, sharedKey: 'string' },
  ['transport', 'port'],
)

/** The ports on which a server listens. */
export class OpenPorts {
  readonly #app: App
  readonly #context: ServerContext
  readonly #loaded: Promise<void>
  readonly #certificate: LiveCertificate | undefined
  readonly #requestPorts: Listening[] = []
  readonly #sockets: SocketListening[] = []

  /**
   * Ports for syslog and the forward protocol cannot reject requests, so they open when `loaded` resolves. With a
   * `certificate`, HTTP and gRPC use TLS.
   */
  constructor(app: App, context: ServerContext, loaded: Promise<void>, certificate: LiveCertificate | undefined) {
    this.#certificate = certificate
    this.#app = app
    this.#context = context
    this.#loaded = loaded
  }

  /** True while no port that accepts requests is open. */
  get takesNone(): boolean {
    return this.#requestPorts.length === 0
  }

  async http(options: Partial<ListenOptions>): Promise<Listening> {
    listenOptions.check(options, '`listen`')
    const { host = '127.0.0.1', port = 0 } = options
    const listening = await listen(this.#app, { host, port }, this.#certificate)
    if (this.takesNone) this.#app.telemetry.watchProcess()
    this.#requestPorts.push(listening)
    return listening
  }

  async otlpGrpc(options: Partial<ListenOptions>): Promise<Listening> {
    listenOptions.check(options, '`listenOtlpGrpc`')
    const { host = '127.0.0.1', port = OTLP_GRPC_PORT } = options
    const listening = await listenGrpc(this.#app, { host, port }, this.#certificate)
    this.#requestPorts.push(listening)
    return listening
  }

  async syslog(options: SyslogOptions): Promise<SocketListening> {
    syslogOptions.check(options, '`listenSyslog`')
    return this.#socket((context) => listenSyslog(options, context))
  }

  async forward(options: ForwardOptions): Promise<SocketListening> {
    forwardOptions.check(options, '`listenForward`')
    return this.#socket((context) => listenForward(options, context))
  }

  /** Closes all ports. Resolves when requests in flight have ended. */
  async stop(): Promise<void> {
    this.#certificate?.close()
    await Promise.all([...this.#requestPorts, ...this.#sockets].map((listening) => listening.stop()))
  }

  async #socket(open: (context: SocketContext) => Promise<SocketListening>): Promise<SocketListening> {
    const { ingest, backends, log, limits } = this.#context
    if (ingest === undefined) throw new SluiceError([setupDiagnostic('nothing-stored', {}, nowhere)])
    await this.#loaded
    const { telemetry } = this.#app
    const { drainMs, ingestBodyBytes: messageBytes } = limits
    const listening = await open({ ingest, backends, telemetry, log, drainMs, messageBytes })
    this.#sockets.push(listening)
    return listening
  }
}
