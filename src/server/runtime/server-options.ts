import { Options } from '../../base/index.ts'
import type { Clock, Engine, EngineOptions } from '../../engine/index.ts'
import type { MemoryStore, MetricCatalog, SampleSource, SampleStore } from '../../store/index.ts'
import type { Retention } from '../../store/kept/index.ts'
import type { OpenTo } from '../auth/auth-context.ts'
import type { ServerKeys } from '../auth/server-keys.ts'
import type { ServedOpener } from '../backends/served-opener.ts'
import type { DataLoader } from '../data-folder/load-data.ts'
import type { ForwardOptions } from '../listeners/forward/listen.ts'
import type { ListenOptions, Listening } from '../listeners/http.ts'
import type { SocketListening } from '../listeners/sockets/address.ts'
import type { SyslogOptions } from '../listeners/syslog/listen.ts'
import type { Logger } from '../settings/environment.ts'
import { defaultServerLimits, type ServerLimits } from '../settings/limits.ts'

/**
 * What is served: `tables` or an `engine` of the caller's own, which are only read, or else a `store` in memory, an empty
 * one unless given, which also takes in what is sent. Searches read the tables `logs`, `events`, `spans`, `clusters` and
 * `workloads`; routes of tables that are not there do not exist.
 */
export type ServedData =
  | { readonly tables: NonNullable<EngineOptions['tables']>; readonly samples?: SampleSource | SampleStore }
  | { readonly engine: Engine; readonly samples?: SampleSource | SampleStore; readonly opener?: ServedOpener }
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
  /** Whether a key whose user has no policy sees nothing (default: everything). */
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
})

/** Throws SluiceError `options/…`: a misspelt `requirePolicy` would show all rows. */
export function checkServerOptions(options: ServerOptions): void {
  serverOptions.check(options, '`createServer`')
  if (!('backends' in options)) return
  for (const [id, each] of Object.entries(options.backends)) servedOptions.check(each, `the backend \`${id}\``)
}

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
