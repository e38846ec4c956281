import { Options } from '../../base/index.ts'
import type { Clock, Engine, EngineOptions } from '../../engine/index.ts'
import type { MemoryStore, MetricCatalog, SampleSource, SampleStore } from '../../store/index.ts'
import type { AlertingSettings } from './alerting.ts'
import type { Retention } from '../../store/persistence/index.ts'
import type { OpenTo } from '../auth/auth-context.ts'
import type { ServerKeys } from '../auth/server-keys.ts'
import type { ServedOpener } from '../backends/served-opener.ts'
import type { DataLoader } from '../data-folder/load-data.ts'
import type { ForwardOptions } from '../listeners/forward/listen.ts'
import type { ListenOptions, Listening } from '../listeners/http.ts'
import type { SocketListening } from '../listeners/sockets/address.ts'
import type { SyslogOptions } from '../listeners/syslog/listen.ts'
import type { TlsFiles } from '../listeners/tls/certificate.ts'
import type { LoadAgentEndpoint } from '../settings/agents.ts'
import type { Logger, SlowQueryLog } from '../settings/environment.ts'
import { defaultServerLimits, type ServerLimits } from '../settings/limits.ts'

/**
 * Data to serve: read-only `tables` or an `engine`, or an in-memory `store` that also receives data (the default,
 * empty). Searches read the tables `logs`, `events`, `spans`, `clusters` and `workloads`; routes of missing tables do
 * not exist.
 */
export type ServedData =
  | { readonly tables: NonNullable<EngineOptions['tables']>; readonly samples?: SampleSource | SampleStore }
  | { readonly engine: Engine; readonly samples?: SampleSource | SampleStore; readonly opener?: ServedOpener }
  | { readonly store?: MemoryStore; readonly samples?: SampleStore; readonly metricCatalog?: MetricCatalog }

/** Settings of a server; each has a default. */
export interface ServerSettings {
  /** Accepted keys. Without keys, the server answers only health checks and the paths that `openTo` allows. */
  readonly keys?: ServerKeys | undefined
  /** Folder that stores received data, monitors, silences and policies; created if missing. */
  readonly data?: string | undefined
  readonly limits?: Partial<ServerLimits> | undefined
  /**
   * Clients that may read `/metrics` and `/openapi.json` without a key. Default: `loopback`, programs on this machine.
   */
  readonly openTo?: OpenTo | undefined
  /**
   * Additional host names that are accepted in requests without a key to a loopback address. Other names are rejected,
   * because a web page could let its own name resolve to this machine and read `/metrics`.
   */
  readonly allowHosts?: readonly string[] | undefined
  /** True to let keys see nothing if their user has no policy. By default they see everything. */
  readonly requirePolicy?: boolean | undefined
  /** Structured log of the server. Default: none. */
  readonly logger?: Logger | undefined
  /** Clock of the engines that the server creates. An engine that the caller passes has its own clock. */
  readonly clock?: Clock | undefined
  /**
   * Number of worker threads that run queries. Default: 0. Without workers, queries run in the caller's thread, and a
   * query that exhausts memory or passes no checkpoint stops everything. Backends must be stores that the server
   * creates or that threads can share, or have an `opener` with which each thread opens the data. If the server creates
   * all backends, another thread stores received data; stores of the caller stay in the caller's thread.
   */
  readonly workers?: number | undefined
  /**
   * Memory of the process, bytes. Default: 3/4 of the machine or its control group. It is divided among rows, caches,
   * workers, bodies and answers, and limits the number of workers. Values in `limits` take precedence.
   */
  readonly memoryBytes?: number | undefined
  /** Maximum age of rows and samples, and maximum size of the data folder. Default: unlimited. */
  readonly retention?: Retention | undefined
  /**
   * Size of the batch log at which rows are flushed to segments, bytes. A start replays at most that much. Default: 32
   * MiB.
   */
  readonly logBytes?: number | undefined
  /**
   * Disk space that ingest leaves free for retention and deletion, bytes. Default: 1/20 of the disk, at most 512 MiB.
   */
  readonly diskReserveBytes?: number | undefined
  /**
   * Part of `memoryBytes` for rows, dictionaries and samples, bytes. When this part is full, a server without a data
   * folder drops the oldest rows; with a data folder, senders get 503 until rows are flushed. Stores of the caller are
   * not limited. Default: computed.
   */
  readonly storeBytes?: number | undefined
  /** Fills the backends at start-up, after the replay. Data routes answer 503 until the backends are filled. */
  readonly load?: DataLoader | undefined
  /** Returns false while the caller is loading data. While it returns false, data routes answer 503. */
  readonly isReady?: (() => boolean) | undefined
  /** Enables alerting: evaluation of monitors and rules, and notifications. By default monitors are only stored. */
  readonly alerting?: AlertingSettings | undefined
  /** Folder of the built console, served at `/` and below `/console/`. Default: none. */
  readonly console?: string | undefined
  /**
   * Origins whose pages may read answers with a key (CORS), such as `https://grafana.example.com`. Default: none.
   * Sessions of the console are never accepted from other origins.
   */
  readonly cors?: readonly string[] | undefined
  /**
   * Loads the MCP endpoint for `/mcp` at its first request: `async () => agentEndpoint()` of `sluice/mcp`. Default: no
   * such path.
   */
  readonly mcp?: LoadAgentEndpoint | undefined
  /**
   * Receives each query that took longer than a threshold, from its request to the end of its answer. Default: none.
   */
  readonly slowQueries?: SlowQueryLog | undefined
  /**
   * Certificate for TLS on the HTTP and gRPC ports. Its files are read again when they change. Default: no TLS. Syslog
   * and the forward protocol have certificates of their own.
   */
  readonly tls?: TlsFiles | undefined
  /** Called by `/readyz`. Rejects with a SluiceError while a data source, such as a database, is unavailable. */
  readonly readiness?: (() => Promise<void>) | undefined
}

/** Settings of a server, and the data that it serves: one backend, or several by id. */
export type ServerOptions = ServerSettings & (ServedData | { readonly backends: Readonly<Record<string, ServedData>> })

const served = {
  tables: ['object', 'list'],
  engine: 'object',
  store: 'object',
  samples: 'object',
  metricCatalog: 'object',
  opener: 'object',
} as const

const servedOptions = new Options<ServedData>(served)

const serverOptions = new Options<ServerOptions>({
  ...served,
  backends: 'object',
  keys: ['list', 'object'],
  data: 'string',
  limits: Options.like<Partial<ServerLimits>>({ ...defaultServerLimits, queryBytes: 0 }),
  openTo: { words: { loopback: true, everyone: true, nobody: true } },
  allowHosts: 'list',
  requirePolicy: 'boolean',
  logger: 'object',
  clock: 'object',
  workers: 'number',
  memoryBytes: 'number',
  retention: new Options<Retention>({ ageNs: 'object', bytes: 'number' }, ['ageNs']),
  logBytes: 'number',
  diskReserveBytes: 'number',
  storeBytes: 'number',
  load: 'any',
  isReady: 'function',
  readiness: 'function',
  console: 'string',
  cors: 'list',
  tls: new Options<TlsFiles>({ cert: 'string', key: 'string' }, ['cert', 'key']),
  mcp: 'function',
  slowQueries: new Options<SlowQueryLog>({ overMs: 'number', report: 'function' }, ['overMs', 'report']),
  alerting: new Options<AlertingSettings>({
    notify: 'string',
    readSecret: 'function',
    rules: ['list', 'function'],
    externalLabels: 'object',
    testClock: 'object',
  }),
})

/** Validates options. Throws SluiceError `options/…`; ignoring a misspelt `requirePolicy` would show all rows. */
export function checkServerOptions(options: ServerOptions): void {
  serverOptions.check(options, '`createServer`')
  if (!('backends' in options)) return
  for (const [id, each] of Object.entries(options.backends)) servedOptions.check(each, `the backend \`${id}\``)
}

/** A server, created by `createServer`. */
export interface SluiceServer {
  /** Answers a request without a socket. */
  fetch(request: Request): Promise<Response>
  /** Opens an HTTP port. Default: a free port on the loopback address. Rejects if it cannot be opened. */
  listen(options?: Partial<ListenOptions>): Promise<Listening>
  /**
   * Opens a port for OTLP over gRPC. Default: 4317 on the loopback address. Rejects if it cannot be opened or if
   * `@grpc/grpc-js` is not installed.
   */
  listenOtlpGrpc(options?: Partial<ListenOptions>): Promise<Listening>
  /**
   * Accepts syslog at an address, once all data is loaded. Rejects with `setup/syslog` if there are several backends
   * and none is named, or if other machines could write without a certificate or `openTo`.
   */
  listenSyslog(options: SyslogOptions): Promise<SocketListening>
  /**
   * Accepts the forward protocol of Fluentd and Fluent Bit at an address, once all data is loaded. Rejects with
   * `setup/forward` in the same cases as `listenSyslog`, unless senders prove a shared key.
   */
  listenForward(options: ForwardOptions): Promise<SocketListening>
  /** Warnings about the keys, such as a key file that others can read or a short key. */
  readonly warnings: readonly string[]
  /** Resolves to the number of replayed batches and rows; rejects if the data folder is damaged. */
  readonly readBack: Promise<{ readonly batches: number; readonly rows: number }>
  /** Resolves when all data is loaded, including `load`. Rejects as `readBack` and `load` do. */
  readonly loaded: Promise<void>
  /**
   * Creates a code that signs in to the console once, within 10 minutes, with the first key that has the role `read`.
   * The console's path is then `/#code=CODE`. `undefined` without a console or such a key.
   */
  consoleCode(): string | undefined
  /** Reads the files of `tls` again. If they are unusable, logs an error and keeps the current certificate. */
  reloadCertificate(): void
  /** Closes ports after requests in flight have ended, then closes the data folder. Idempotent. */
  close(): Promise<void>
}
