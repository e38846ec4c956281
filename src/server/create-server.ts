import { randomBytes } from 'node:crypto'
import { MIB, SluiceError, nowhere, version } from '../base/index.ts'
import { createEngine, type Clock, type Engine, type EngineOptions } from '../engine/index.ts'
import type { MemoryStore, MetricCatalog, SampleSource, SampleStore } from '../store/index.ts'
import { createMemoryDocumentStore } from '../resources/index.ts'
import type { PackingOptions } from '../store/packed-samples/index.ts'
import { FileReaders, type KeptTables, type Retention } from '../store/kept/index.ts'
import { createApp } from './app.ts'
import { serverContext } from './assemble.ts'
import type { Logger, OpenTo } from './context.ts'
import { openDataFolder, type DataFolder } from './data-folder.ts'
import { addDiskGauges } from './disk-gauges.ts'
import { createDeleter } from './deletion/deleter.ts'
import { listenGrpc } from './grpc.ts'
import { listen, type ListenOptions, type Listening } from './http.ts'
import { DROPPED, droppedRows } from './ingest/store-memory.ts'
import {
  keptTables,
  loadInto,
  memoryRetention,
  readBackInto,
  storeMemory,
  type Keeping,
  type ReadBack,
} from './kept-tables.ts'
import { keyFileAt, keyFileWarnings } from './key-path.ts'
import type { DataLoader } from './load-data.ts'
import { KeyRing, hashKey, roles, shortKeyWarnings, userFault, type KeySource, type ServerKey } from './keys.ts'
import { LiveKeys } from './live-keys.ts'
import { userNameOf } from '../wire/index.ts'
import { limitsWithin, type ServerLimits } from './limits.ts'
import { addMemoryGauges } from './memory-gauges.ts'
import { divideMemory } from './memory-shares.ts'
import { searchedDomains } from './query-services.ts'
import type { ServedOpener } from './served-opener.ts'
import { setupDiagnostic } from './setup-diagnostics.ts'
import { StoreFigures, addStoreGauges } from './store-gauges.ts'
import { listenForward, type ForwardOptions } from './forward/listen.ts'
import type { SocketListening } from './sockets/address.ts'
import type { SocketContext } from './sockets/socket-context.ts'
import { listenSyslog, type SyslogOptions } from './syslog/listen.ts'
import { defaultBackendId, isTenant, newTarget, newTenant, type Served, type Tenant } from './tenant.ts'
import { SharedBlocks } from '../store/segments/index.ts'
import { newBlockCounts } from '../workers/index.ts'
import { IngestThread } from './worker/ingest-thread.ts'
import { NewsDesk } from './worker/news-desk.ts'
import { QueryPool } from './worker/query-pool.ts'

/** Who is let in: keys as texts (with every role, where nothing else is said), a key file, which may change, or a lookup. */
export type ServerKeys = readonly (string | ServerKey)[] | { readonly file: string } | KeySource

/**
 * What is served: `tables` or an `engine` of the caller's own, which are only read, or else a `store` in memory, an empty
 * one unless given, which also takes in what is sent. Searches read the tables `logs`, `events`, `spans`, `clusters` and
 * `workloads`; routes of tables that are not there do not exist.
 */
export type ServedData =
  | { readonly tables: NonNullable<EngineOptions['tables']>; readonly samples?: SampleSource }
  | { readonly engine: Engine; readonly samples?: SampleSource; readonly opener?: ServedOpener }
  | { readonly store?: MemoryStore; readonly samples?: SampleStore; readonly metricCatalog?: MetricCatalog }

export interface ServerSettings {
  /** Without one, every request is refused but health, and what `openTo` leaves open. */
  readonly keys?: ServerKeys | undefined
  /** A folder that keeps what is sent, and monitors, silences and policies; made when it is not there. */
  readonly data?: string | undefined
  readonly limits?: Partial<ServerLimits> | undefined
  /** Who reads `/metrics` and `/openapi.json` without a key: `loopback` (programs of this machine) unless given. */
  readonly openTo?: OpenTo | undefined
  /**
   * Names, beside those of this machine, by which requests without a key may call a server that listens on the loopback address:
   * a page of the web could otherwise have its own name lead there and read `/metrics`.
   */
  readonly allowHosts?: readonly string[] | undefined
  /** Whether a key whose user has no policy sees nothing; unless given, it sees everything. */
  readonly requirePolicy?: boolean | undefined
  /** Told of what happens; nobody unless given. */
  readonly logger?: Logger | undefined
  /** For engines that are made here; an engine that is given has its own. */
  readonly clock?: Clock | undefined
  /**
   * Threads that run the queries; none unless given: then queries run in the caller's thread, and one that needs too much
   * memory or never looks up takes the others with it. Backends must be stores, which threads can share, or have an `opener`
   * with which each thread opens its own. Where all of them
   * are made here, one more thread has them and takes in what is sent; stores of the caller stay in the caller's thread.
   */
  readonly workers?: number | undefined
  /**
   * What the process may take of memory, bytes; three quarters of that of the machine or its control group unless given. It is divided among
   * rows, cache, workers, bodies and answers, and bounds the number of workers. Members of `limits` replace what it gives.
   */
  readonly memoryBytes?: number | undefined
  /** How long rows and samples are kept, and how much of what the data folder holds; all unless given. */
  readonly retention?: Retention | undefined
  /**
   * How long the log of batches may grow before rows are written to segments early: a start reads that much back. Bytes;
   * 32 MiB unless given.
   */
  readonly logBytes?: number | undefined
  /** What of the disk no batch takes, so that retention and deletion can work: a twentieth, 512 MiB at most, unless given. Bytes. */
  readonly diskReserveBytes?: number | undefined
  /**
   * What rows, dictionaries and samples may take of `memoryBytes`, bytes; their share of it unless given. Without a data folder the oldest rows
   * leave for others; with one, what is sent gets 503 until rows are in segments. Stores of the caller have no bound.
   */
  readonly storeBytes?: number | undefined
  /** Fills the backends at the start, once the data folder is read back; until then data routes answer 503. */
  readonly load?: DataLoader | undefined
  /** False while data is still being loaded: until then data routes answer 503. */
  readonly isReady?: (() => boolean) | undefined
  /** Asked by `/readyz`: rejects with a SluiceError while what the answers come from, such as a database, is not there. */
  readonly readiness?: (() => Promise<void>) | undefined
}

export type ServerOptions = ServerSettings & (ServedData | { readonly backends: Readonly<Record<string, ServedData>> })

/** The HTTP interface over some data. */
export interface SluiceServer {
  /** Answers one request, with no socket in between. */
  fetch(request: Request): Promise<Response>
  /** Opens a port: a free one on the loopback address unless others are given. Rejects when it cannot be had. */
  listen(options?: Partial<ListenOptions>): Promise<Listening>
  /**
   * Takes OTLP in over gRPC on another port: 4317 on the loopback address unless others are given. Rejects when it cannot be
   * had, or when `@grpc/grpc-js` is not installed.
   */
  listenOtlpGrpc(options?: Partial<ListenOptions>): Promise<Listening>
  /**
   * Takes syslog at an address, once all data are there. Rejects with `setup/syslog` where no backend is named among
   * several, or where others than this machine could write without a certificate or a word that lets them.
   */
  listenSyslog(options: SyslogOptions): Promise<SocketListening>
  /**
   * Takes the forward protocol of Fluentd and Fluent Bit at an address, once all data are there. Rejects with
   * `setup/forward` as the above, where senders do not prove that they know a shared key.
   */
  listenForward(options: ForwardOptions): Promise<SocketListening>
  /** What a start says of its keys, a sentence each: a file that others can read, keys that are short. */
  readonly warnings: readonly string[]
  /** Batches and rows that the data folder held, once they are read back; rejects when it is damaged. */
  readonly readBack: Promise<{ readonly batches: number; readonly rows: number }>
  /** Resolves when all data are there, those of `load` too; rejects as `readBack` and `load` do. */
  readonly loaded: Promise<void>
  /** Lets requests in work end, then closes ports and the data folder. Calling it again gives the same promise. */
  close(): Promise<void>
}

/** Where exporters look for a collector. */
const OTLP_GRPC_PORT = 4317

/** Part of the cache that the thread has alone which stores data. */
const STORING_PART = 1 / 8

const silent: Logger = { info: () => undefined, error: () => undefined }

/** Where keys are looked up, and what is to be said of them. */
interface Keys {
  readonly source: KeySource
  readonly warnings: readonly string[]
}

function keysOf(keys: ServerKeys | undefined, log: Logger): Keys {
  if (keys !== undefined && 'find' in keys && !Array.isArray(keys)) return { source: keys as KeySource, warnings: [] }
  if (keys !== undefined && 'file' in keys)
    return { source: new LiveKeys(keyFileAt(keys.file), log), warnings: keyFileWarnings(keys.file) }
  const salt = randomBytes(32).toString('hex')
  const all = (keys ?? []) as readonly (string | ServerKey)[]
  const records = all.map((given, index) => {
    const entry: ServerKey = typeof given === 'string' ? { key: given } : given
    const { key, email, backends } = entry
    if (typeof key !== 'string' || key.trim() === '')
      throw new SluiceError([setupDiagnostic('empty-key', { index }, nowhere)])
    const reason = email === undefined ? undefined : userFault(email)
    if (reason !== undefined) throw new SluiceError([setupDiagnostic('key-user', { index, reason }, nowhere)])
    return {
      hash: hashKey(salt, key.trim()),
      email: email && userNameOf(email),
      roles: new Set(entry.roles ?? roles),
      backends: backends && new Set(backends),
    }
  })
  return { source: new KeyRing(salt, records), warnings: shortKeyWarnings(all) }
}

/** `packing` is for samples that live in memory alone. */
function servedOf(
  data: ServedData,
  clock: Clock | undefined,
  limitSeries: number,
  packing: PackingOptions | undefined,
): Served {
  if ('engine' in data) return data
  if ('tables' in data) return { engine: createEngine({ tables: data.tables, clock }), samples: data.samples }
  const { store, samples, metricCatalog } = data
  const fresh = newTarget(limitSeries, packing)
  return newTenant(clock, {
    store: store ?? fresh.store,
    samples: samples ?? fresh.samples,
    metricCatalog: metricCatalog ?? fresh.metricCatalog,
    limitSeries,
    // Whoever made samples may add some at any time.
    packer: samples === undefined ? fresh.packer : undefined,
  })
}

/** True where nothing of it is the caller's. */
function isMadeHere(data: ServedData): boolean {
  return ['tables', 'engine', 'store', 'samples', 'metricCatalog'].every((member) => !(member in data))
}

/** True for a folder whose files are there and not as they were written. */
function isDamage(error: unknown): boolean {
  return error instanceof SluiceError && (error.code === 'durable/damaged' || error.code === 'durable/missing')
}

/**
 * Makes a server, which listens nowhere yet. Rejects with a SluiceError when a key, the key file, the data folder or the
 * tables cannot be used. What the data folder holds is read back meanwhile: `readBack` tells when. Over a folder that is
 * damaged nothing but health is served, and `readBack` rejects.
 */
export async function createServer(options: ServerOptions): Promise<SluiceServer> {
  const { data, clock, logger = silent, isReady = () => true } = options
  const { source: keys, warnings } = keysOf(options.keys, logger)
  const { workers = 0, memoryBytes, storeBytes } = options
  const budget = divideMemory({ memoryBytes, storeBytes, hasFiles: data !== undefined, workers })
  if (budget.workers < workers)
    logger.info({ workers: budget.workers, asked: workers }, 'the memory is enough for fewer query workers')
  const limits = limitsWithin(
    { ...budget.shares, queryBytes: workers === 0 ? undefined : budget.queryBytes },
    options.limits,
  )
  const served = 'backends' in options ? Object.entries(options.backends) : [[defaultBackendId, options] as const]
  // The thread that stores data reads little; queries of other threads share what each of them has read.
  const hasShared = workers > 0 && data !== undefined
  const cacheBytes = Math.floor(budget.shares.cache * (hasShared ? STORING_PART : 1))
  const sharedBlocks = hasShared ? new SharedBlocks(budget.shares.cache - cacheBytes) : undefined
  const packing = data === undefined ? { cacheBytes } : undefined
  const tenants = new Map(served.map(([id, each]) => [id, servedOf(each, clock, limits.series, packing)]))
  const [first] = tenants.values()
  const servesMetrics = [...tenants.values()].some(({ samples }) => samples !== undefined)
  if (first === undefined || (searchedDomains(tenants).size === 0 && !servesMetrics))
    throw new SluiceError([setupDiagnostic('nothing-served', {}, nowhere)])
  const stores = new Map([...tenants].filter((entry): entry is [string, Tenant] => isTenant(entry[1])))
  const openers = new Map(
    served.flatMap(([id, each]) => ('opener' in each && each.opener !== undefined ? [[id, each.opener] as const] : [])),
  )
  if (workers > 0 && stores.size + openers.size < tenants.size)
    throw new SluiceError([setupDiagnostic('not-shared', {}, nowhere)])
  const { engine } = first
  const nowNs = (): bigint => engine.clock.nowNs()
  let damage: unknown
  const refuse = (error: unknown): void => {
    damage = error
    const told = error instanceof SluiceError ? error.diagnostics : []
    logger.error(
      {
        codes: told.map(({ code }) => code),
        reasons: told.length === 0 ? [String(error)] : told.map(({ message }) => message),
      },
      'the data folder cannot be read whole; nothing is served but health',
    )
  }
  const isOurs = served.every(([, each]) => isMadeHere(each))
  const wantsThread = workers > 0 && isOurs
  const keeping: Keeping = {
    cacheBytes,
    retention: options.retention,
    logBytes: options.logBytes,
    diskReserveBytes: options.diskReserveBytes,
    storeBytes: isOurs ? budget.shares.store : undefined,
  }
  const cannotKeep = (error: unknown): void =>
    logger.error({ error }, 'a segment could not be kept, or was mended; nothing is lost')
  let folder: DataFolder | undefined
  let kept: KeptTables | undefined
  const readers = new FileReaders()
  const beginRead = (): (() => void) => readers.begin()
  try {
    const cannotCompact = (error: unknown): void =>
      logger.error({ error }, 'the log of changes could not be written anew; it goes on as it is')
    folder =
      data === undefined
        ? undefined
        : await openDataFolder(data, nowNs, { onFailure: cannotCompact, diskReserveBytes: options.diskReserveBytes })
    for (const notice of folder?.notices ?? [])
      logger.error({ notice }, 'the data folder was put right; nothing is lost')
    if (folder !== undefined && !wantsThread)
      kept = keptTables({
        ...folder,
        ...keeping,
        targets: stores,
        readers,
        keeps: isOurs,
        nowNs,
        onChange: () => undefined,
        onFailure: cannotKeep,
      })
  } catch (error) {
    if (!isDamage(error)) throw error
    refuse(error)
  }
  let isLoaded = data === undefined && options.load === undefined
  // What cannot be opened here is not opened by another thread.
  const hasThread = wantsThread && damage === undefined
  if (hasThread) await Promise.all([folder?.batches.close(), folder?.manifest.close()])
  const figures = new StoreFigures()
  const thread = hasThread
    ? new IngestThread({
        backends: [...tenants.keys()],
        limits,
        folder: data,
        lock: folder?.lock,
        keeping,
        figures,
        load: options.load,
        heapMiB: Math.ceil((budget.shares.store + budget.shares.bodies) / MIB),
        nowNs,
        log: logger,
        onBackground: (port) => (pool === undefined ? port.close() : pool.background(port)),
        onReplaced: () => pool?.reconnect(),
        onFailed: refuse,
      })
    : undefined
  const answers = newBlockCounts()
  const pool =
    workers > 0
      ? new QueryPool({
          backends: [
            ...Array.from(stores, ([id, { store }]) => ({
              id,
              tables: Array.from(store.tables.values(), ({ definition }) => definition),
            })),
            ...Array.from(openers, ([id, { module, data }]) => ({ id, opener: { module: module.href, data } })),
          ],
          news: thread ?? new NewsDesk(stores),
          limits,
          budget,
          cacheBytes: budget.copyBytes,
          sharedBlocks,
          answers,
          clock: engine.clock,
          timeoutMs: Math.min(limits.queryMs, engine.limits.timeoutMs),
          log: logger,
        })
      : undefined
  const memory = storeMemory(keeping, stores, kept, (dropped) => logger.error(droppedRows(dropped), DROPPED))
  const retention = thread === undefined && isOurs ? memoryRetention(keeping, stores, kept, nowNs) : undefined
  const endRetention = retention?.start(() => undefined)
  const context = serverContext({
    tenants,
    keys,
    log: logger,
    isReady: () => isLoaded && isReady(),
    isDamaged: () => damage !== undefined,
    readiness: options.readiness,
    openTo: options.openTo,
    allowHosts: options.allowHosts,
    requirePolicy: options.requirePolicy,
    batches: folder?.batches,
    watch: kept,
    makeRoom: memory && ((...of) => memory.makeRoom(...of)),
    documents: folder?.documents ?? createMemoryDocumentStore(nowNs),
    limits,
    answers,
    workers: pool,
    beginRead: kept && beginRead,
    ingest: thread,
    deleter:
      thread ??
      (isOurs && damage === undefined
        ? createDeleter({
            targets: stores,
            engineOver: (target) => newTenant(clock, target).engine,
            kept,
            onChange: () => undefined,
            beginRead,
          })
        : undefined),
  })
  const app = createApp(context, { version })
  if (folder !== undefined) addDiskGauges(app.telemetry, folder.reserve)
  const has = {
    folder: isOurs && folder !== undefined,
    memory: keeping.storeBytes !== undefined,
    retention: isOurs && keeping.retention !== undefined,
  }
  addStoreGauges(app.telemetry, has, (name) => {
    if (thread === undefined) figures.note(kept, memory, retention)
    return figures.of(name)
  })
  addMemoryGauges({ app, budget, pool, sharedBlocks }, () => {
    if (thread === undefined) figures.note(kept, memory, retention)
    return figures.of('memoryBytes')
  })
  const held = { targets: stores, batches: folder?.batches, kept }
  const readAll = async (): Promise<ReadBack> => {
    if (damage !== undefined) throw damage
    if (thread !== undefined) return thread.readBack
    const counts = await readBackInto(held)
    isLoaded = options.load === undefined
    return counts
  }
  const loadAll = async (): Promise<void> => {
    await readBack
    const { load } = options
    if (thread === undefined && load !== undefined)
      await loadInto(held, { module: load.module.href, data: load.data }, (message) => load.told?.(message))
    await thread?.ready
    isLoaded = true
  }
  const close = async (): Promise<void> => {
    endRetention?.()
    app.beginStop()
    if (open.length === 0) app.stopAll()
    await Promise.all([...open, ...openSockets].map((listening) => listening.stop()))
    await pool?.close()
    await thread?.close()
    await loaded.catch(() => undefined)
    await kept?.close()
    await folder?.close()
  }
  const open: Listening[] = []
  const openSockets: SocketListening[] = []
  const listenSocket = async (
    listen: (context: SocketContext) => Promise<SocketListening>,
  ): Promise<SocketListening> => {
    const { ingest, backends, log } = context
    if (ingest === undefined) throw new SluiceError([setupDiagnostic('nothing-stored', {}, nowhere)])
    await loaded
    const { telemetry } = app
    const { drainMs, ingestBodyBytes: messageBytes } = limits
    const listening = await listen({ ingest, backends, telemetry, log, drainMs, messageBytes })
    openSockets.push(listening)
    return listening
  }
  let closed: Promise<void> | undefined
  const readBack = readAll()
  readBack.catch((error: unknown) => {
    if (damage === undefined && closed === undefined) refuse(error)
  })
  const loaded = loadAll()
  // Whoever waits for it is told; the log has it of what is stored.
  loaded.catch(() => undefined)
  return {
    fetch: (request) => app.fetch(request),
    listen: async ({ host = '127.0.0.1', port = 0 } = {}) => {
      const listening = await listen(app, { host, port })
      if (open.length === 0) app.telemetry.watchProcess()
      open.push(listening)
      return listening
    },
    listenOtlpGrpc: async ({ host = '127.0.0.1', port = OTLP_GRPC_PORT } = {}) => {
      const listening = await listenGrpc(app, { host, port })
      open.push(listening)
      return listening
    },
    listenSyslog: (given) => listenSocket((socket) => listenSyslog(given, socket)),
    listenForward: (given) => listenSocket((socket) => listenForward(given, socket)),
    warnings,
    readBack,
    loaded,
    close: () => (closed ??= close()),
  }
}
