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
 * Data to serve: `tables` or an `engine` of the caller, which are read-only, or a `store` in memory (default: an empty
 * one), which also receives data. Searches read the tables `logs`, `events`, `spans`, `clusters` and `workloads`;
 * routes of missing tables do not exist.
 */
export type ServedData =
  | { readonly tables: NonNullable<EngineOptions['tables']>; readonly samples?: SampleSource | SampleStore }
  | { readonly engine: Engine; readonly samples?: SampleSource | SampleStore; readonly opener?: ServedOpener }
  | { readonly store?: MemoryStore; readonly samples?: SampleStore; readonly metricCatalog?: MetricCatalog }

/** The settings of a server; each has a default. */
export interface ServerSettings {
  /** Without keys, only health checks and paths that `openTo` allows are answered. */
  readonly keys?: ServerKeys | undefined
  /** Folder that stores received data, monitors, silences and policies; created if missing. */
  readonly data?: string | undefined
  readonly limits?: Partial<ServerLimits> | undefined
  /** Who can read `/metrics` and `/openapi.json` without a key. Default: `loopback`, programs on this machine. */
  readonly openTo?: OpenTo | undefined
  /**
   * Host names, beside those of this machine, for requests without a key to a server on the loopback address. Otherwise
   * a web page could point its own name here and read `/metrics`.
   */
  readonly allowHosts?: readonly string[] | undefined
  /** True if a key whose user has no policy sees nothing. Default: everything. */
  readonly requirePolicy?: boolean | undefined
  /** Default: none. */
  readonly logger?: Logger | undefined
  /** Clock of engines that are made here; a given engine has its own. */
  readonly clock?: Clock | undefined
  /**
   * The number of worker threads that run queries; 0 by default. Without workers, queries run in the caller's thread,
   * and a query that needs too much memory or passes no checkpoint stops all others. Backends must be stores, which
   * threads can share, or have an `opener` with which each thread opens its own. If all backends are created here, one
   * more thread ingests data; stores of the caller stay in the caller's thread.
   */
  readonly workers?: number | undefined
  /**
   * Memory of the process, bytes. Default: 3/4 of the machine or its control group. It is divided among rows, cache,
   * workers, bodies and answers, and limits the number of workers. Members of `limits` take precedence.
   */
  readonly memoryBytes?: number | undefined
  /** Maximum age of rows and samples, and maximum size of the data folder. Default: unlimited. */
  readonly retention?: Retention | undefined
  /** Size of the batch log at which rows are written to segments, bytes: a start replays that much. Default: 32 MiB. */
  readonly logBytes?: number | undefined
  /**
   * Disk space that ingest leaves free for retention and deletion, bytes. Default: 1/20 of the disk, at most 512 MiB.
   */
  readonly diskReserveBytes?: number | undefined
  /**
   * Part of `memoryBytes` for rows, dictionaries and samples, bytes. Default: their share. When it is full, the oldest
   * rows are dropped without a data folder; with one, senders get 503 until rows are in segments. Stores of the caller
   * are not limited.
   */
  readonly storeBytes?: number | undefined
  /** Fills the backends at the start, after the replay; until then data routes answer 503. */
  readonly load?: DataLoader | undefined
  /** False while data is being loaded: until then data routes answer 503. */
  readonly isReady?: (() => boolean) | undefined
  /** Evaluates monitors and notifies receivers. Default: monitors are stored and never evaluated. */
  readonly alerting?: AlertingSettings | undefined
  /** Folder of the built console, served at `/` and below `/console/`. Default: none. */
  readonly console?: string | undefined
  /**
   * Origins, such as `https://grafana.example.com`, whose pages may read answers with a key. Default: none. Sessions of
   * the console are never accepted from other origins.
   */
  readonly cors?: readonly string[] | undefined
  /**
   * Loads what answers agents at `/mcp`, with the first such request: `async () => agentEndpoint()` of `sluice/mcp`.
   * Default: none, and no such path.
   */
  readonly mcp?: LoadAgentEndpoint | undefined
  /** Called with each query that took at least a time, from its request to the end of its answer. Default: none. */
  readonly slowQueries?: SlowQueryLog | undefined
  /**
   * Certificate with which HTTP and gRPC ports speak TLS; its files are read again when they change. Default: no TLS.
   * Addresses of syslog and the forward protocol have certificates of their own.
   */
  readonly tls?: TlsFiles | undefined
  /** Called by `/readyz`: rejects with a SluiceError while a source of answers, such as a database, is unavailable. */
  readonly readiness?: (() => Promise<void>) | undefined
}

/** The settings of a server and what it serves: one backend, or several by id. */
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

/** Checks options. Throws SluiceError `options/…`: a misspelt `requirePolicy` would show all rows. */
export function checkServerOptions(options: ServerOptions): void {
  serverOptions.check(options, '`createServer`')
  if (!('backends' in options)) return
  for (const [id, each] of Object.entries(options.backends)) servedOptions.check(each, `the backend \`${id}\``)
}

/** An HTTP API over data. */
export interface SluiceServer {
  /** Answers one request without a socket. */
  fetch(request: Request): Promise<Response>
  /** Opens a port. Default: a free one on the loopback address. Rejects if it cannot be opened. */
  listen(options?: Partial<ListenOptions>): Promise<Listening>
  /**
   * Accepts OTLP over gRPC on another port. Default: 4317 on the loopback address. Rejects if it cannot be opened, or
   * if `@grpc/grpc-js` is not installed.
   */
  listenOtlpGrpc(options?: Partial<ListenOptions>): Promise<Listening>
  /**
   * Accepts syslog at an address, once all data is loaded. Rejects with `setup/syslog` if there are several backends
   * and none is named, or if other machines could write without a certificate or `openTo`.
   */
  listenSyslog(options: SyslogOptions): Promise<SocketListening>
  /**
   * Accepts the forward protocol of Fluentd and Fluent Bit at an address, once all data is loaded. Rejects with
   * `setup/forward` as above, unless senders prove a shared key.
   */
  listenForward(options: ForwardOptions): Promise<SocketListening>
  /** Warnings about the keys: a key file that others can read, short keys. */
  readonly warnings: readonly string[]
  /** Number of replayed batches and rows; rejects if the folder is damaged. */
  readonly readBack: Promise<{ readonly batches: number; readonly rows: number }>
  /** Resolves when all data is loaded, including `load`; rejects as `readBack` and `load` do. */
  readonly loaded: Promise<void>
  /**
   * A code that signs in to the console once, within 10 minutes, as the first key with the role `read`: the path is
   * `/#code=CODE`. `undefined` without a console or such a key.
   */
  consoleCode(): string | undefined
  /** Reads the files of `tls` again, as after a change. Logs an error and keeps the certificate if they are unusable. */
  reloadCertificate(): void
  /** Lets requests in flight end, then closes ports and the data folder. Idempotent. */
  close(): Promise<void>
}
