import { MIB, SluiceError, nowhere, version } from '../../base/index.ts'
import { createMemoryDocumentStore, type DocumentStore } from '../../resources/index.ts'
import { createApp, type App } from '../app/app.ts'
import { isTenant } from '../backends/tenant.ts'
import { BuiltFiles } from '../console/built-files.ts'
import type { ReadBack } from '../data-folder/table-persister.ts'
import { StoreFigures, addStoreGauges } from '../data-folder/store-gauges.ts'
import { setupDiagnostic } from '../errors/setup-diagnostics.ts'
import type { ForwardOptions } from '../listeners/forward/listen.ts'
import type { ListenOptions, Listening } from '../listeners/http.ts'
import type { SocketListening } from '../listeners/sockets/address.ts'
import type { SyslogOptions } from '../listeners/syslog/listen.ts'
import type { ServerContext } from '../routes/definition/context.ts'
import { addDiskGauges } from '../telemetry/disk-gauges.ts'
import { IngestThread } from '../worker/ingest-thread.ts'
import { ReplicationServer } from '../worker/replication-server.ts'
import { QueryPool } from '../worker/query-pool.ts'
import { newBlockCounts } from '../../workers/index.ts'
import { ServerAlerting } from './alerting.ts'
import { addAlertingGauges } from './alerting-gauges.ts'
import { serverContext } from './assemble.ts'
import { addMemoryGauges } from './memory-gauges.ts'
import { OpenPorts } from './open-ports.ts'
import type { ServerOptions, SluiceServer } from './server-options.ts'
import { serverSetup, type ServerSetup } from './server-setup.ts'
import { StoredData } from './stored-data.ts'

/**
 * A server from start to end: `open` opens the data folder and starts threads, `#load` replays stored data, `close`
 * ends everything. Methods of `SluiceServer` are bound, because callers pass on `server.fetch` alone.
 */
export class ServerRuntime implements SluiceServer {
  readonly warnings: readonly string[]
  readonly readBack: Promise<ReadBack>
  readonly loaded: Promise<void>
  readonly #setup: ServerSetup
  readonly #data: StoredData
  readonly #figures = new StoreFigures()
  readonly #answers = newBlockCounts()
  readonly #thread: IngestThread | undefined
  readonly #pool: QueryPool | undefined
  readonly #alerting: ServerAlerting | undefined
  readonly #context: ServerContext
  readonly #documents: DocumentStore
  readonly #app: App
  readonly #ports: OpenPorts
  #isLoaded: boolean
  #closed: Promise<void> | undefined

  private constructor(setup: ServerSetup, data: StoredData, alerting: ServerAlerting | undefined) {
    this.#setup = setup
    this.#data = data
    this.#alerting = alerting
    this.#documents = data.folder?.documents ?? createMemoryDocumentStore(setup.nowNs)
    this.warnings = setup.warnings
    this.#isLoaded = setup.settings.data === undefined && setup.settings.load === undefined
    this.#thread = data.needsThread ? this.#startThread() : undefined
    this.#pool = setup.workers > 0 ? this.#startPool() : undefined
    const context = this.#makeContext()
    this.#context = context
    this.#app = createApp(context, { version })
    this.#addGauges()
    this.readBack = this.#readBack()
    this.readBack.catch((error: unknown) => {
      if (!data.isDamaged && this.#closed === undefined) data.refuse(error)
    })
    this.loaded = this.#load()
    // Prevents an unhandled rejection; callers who await it get the error, and errors of stored data are logged.
    this.loaded.catch(() => undefined)
    this.#ports = new OpenPorts(this.#app, context, this.loaded, setup.certificate)
  }

  /** Rejects with a SluiceError if a key, a rule file, the data folder or the tables are unusable. */
  static async open(options: ServerOptions): Promise<ServerRuntime> {
    const setup = serverSetup(options)
    const { alerting } = setup.settings
    const [first] = setup.tenants.values()
    // Rules write series about their alerts, so the first backend must accept data.
    if (alerting?.rules !== undefined && first !== undefined && !isTenant(first))
      throw new SluiceError([setupDiagnostic('nothing-stored', {}, nowhere)])
    const evaluator = alerting === undefined ? undefined : await ServerAlerting.create(alerting)
    return new ServerRuntime(setup, await StoredData.open(setup), evaluator)
  }

  readonly fetch = (request: Request): Promise<Response> => this.#app.fetch(request)

  readonly listen = (options: Partial<ListenOptions> = {}): Promise<Listening> => this.#ports.http(options)

  readonly listenOtlpGrpc = (options: Partial<ListenOptions> = {}): Promise<Listening> => this.#ports.otlpGrpc(options)

  readonly listenSyslog = (options: SyslogOptions): Promise<SocketListening> => this.#ports.syslog(options)

  readonly listenForward = (options: ForwardOptions): Promise<SocketListening> => this.#ports.forward(options)

  readonly consoleCode = (): string | undefined =>
    this.#context.console?.isBuilt === true ? this.#context.sessions?.newCode() : undefined

  readonly reloadCertificate = (): void => this.#setup.certificate?.reload()

  readonly close = (): Promise<void> => (this.#closed ??= this.#close())

  async #readBack(): Promise<ReadBack> {
    if (this.#thread !== undefined) return this.#thread.readBack
    const counts = await this.#data.readBack()
    this.#isLoaded = this.#setup.settings.load === undefined
    return counts
  }

  async #load(): Promise<void> {
    await this.readBack
    if (this.#thread === undefined) await this.#data.load()
    else await this.#thread.ready
    this.#isLoaded = true
    if (this.#closed === undefined) this.#alerting?.start(this.#context, this.#documents)
  }

  async #close(): Promise<void> {
    this.#data.endRetention()
    await this.#alerting?.close()
    this.#app.beginStop()
    if (this.#ports.takesNone) this.#app.stopAll()
    await this.#ports.stop()
    await this.#pool?.close()
    await this.#thread?.close()
    await this.loaded.catch(() => undefined)
    await this.#data.close()
  }

  #startThread(): IngestThread {
    const { tenants, limits, settings, keeping, budget, nowNs, log } = this.#setup
    return new IngestThread({
      backends: [...tenants.keys()],
      limits,
      folder: settings.data,
      lock: this.#data.folder?.lock,
      keeping,
      figures: this.#figures,
      load: settings.load,
      heapMiB: Math.ceil((budget.shares.store + budget.shares.bodies) / MIB),
      nowNs,
      log,
      onBackground: (port) => (this.#pool === undefined ? port.close() : this.#pool.background(port)),
      onReplaced: () => this.#pool?.reconnect(),
      onFailed: this.#data.refuse,
    })
  }

  #startPool(): QueryPool {
    const { stores, openers, limits, budget, sharedBlocks, engine, log } = this.#setup
    return new QueryPool({
      backends: [
        ...Array.from(stores, ([id, { store }]) => ({
          id,
          tables: Array.from(store.tables.values(), ({ definition }) => definition),
        })),
        ...Array.from(openers, ([id, { module, data }]) => ({ id, opener: { module: module.href, data } })),
      ],
      news: this.#thread ?? new ReplicationServer(stores),
      limits,
      budget,
      cacheBytes: budget.copyBytes,
      sharedBlocks,
      answers: this.#answers,
      clock: engine.clock,
      timeoutMs: Math.min(limits.queryMs, engine.limits.timeoutMs),
      log,
    })
  }

  #makeContext(): ServerContext {
    const { tenants, keys, log, limits, settings } = this.#setup
    const { folder, persister, memory, beginRead } = this.#data
    const { isReady = () => true } = settings
    return serverContext({
      tenants,
      keys,
      log,
      isReady: () => this.#isLoaded && isReady(),
      isDamaged: () => this.#data.isDamaged,
      readiness: settings.readiness,
      openTo: settings.openTo,
      allowHosts: settings.allowHosts,
      requirePolicy: settings.requirePolicy,
      batches: folder?.batches,
      watch: persister,
      makeRoom: memory && ((...of) => memory.makeRoom(...of)),
      documents: this.#documents,
      alerting: this.#alerting,
      console: settings.console === undefined ? undefined : BuiltFiles.in(settings.console),
      cors: settings.cors,
      mcp: settings.mcp,
      slowQueries: settings.slowQueries,
      limits,
      answers: this.#answers,
      workers: this.#pool,
      beginRead: persister && beginRead,
      ingest: this.#thread,
      deleter: this.#thread ?? this.#data.deleter(),
    })
  }

  #addGauges(): void {
    const { isOurs, keeping, budget, sharedBlocks, certificate } = this.#setup
    const { folder } = this.#data
    const { telemetry } = this.#app
    if (folder !== undefined) addDiskGauges(telemetry, folder.reserve)
    if (certificate !== undefined)
      telemetry.gauge(
        'sluice_certificate_expiry_timestamp_seconds',
        'Unix time at which the served certificate ends.',
        () => certificate.current.validToMs / 1000,
      )
    const has = {
      folder: isOurs && folder !== undefined,
      memory: keeping.storeBytes !== undefined,
      retention: isOurs && keeping.retention !== undefined,
    }
    const figureOf: Parameters<typeof addStoreGauges>[2] = (name) => {
      if (this.#thread === undefined) this.#data.note(this.#figures)
      return this.#figures.of(name)
    }
    addStoreGauges(telemetry, has, figureOf)
    const alerting = this.#alerting
    if (alerting !== undefined) addAlertingGauges(telemetry, () => alerting.figures())
    addMemoryGauges({ app: this.#app, budget, pool: this.#pool, sharedBlocks }, () => figureOf('memoryBytes'))
  }
}
