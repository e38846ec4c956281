import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Option, type Command } from 'commander'
import { MIB, CommandError, SluiceError, formatRfc3339 } from '../../base/index.ts'
import {
  createServer,
  defaultBackendId,
  defaultServerLimits,
  divideMemory,
  jsonTables,
  makeKey,
  openToWords,
  type Logger,
  type OpenTo,
  type ServerOptions,
  type SocketListening,
  type SyslogOptions,
} from '../../server/index.ts'
import { checkedBackendId } from '../options/backend-id.ts'
import type { CommandModule } from '../command.ts'
import { excluding, needing } from '../options/conditions.ts'
import { ceilingsHelp, parseCeilings } from '../options/ceilings-option.ts'
import { countOption } from '../options/count-option.ts'
import { pushdownOption } from '../options/catalog-option.ts'
import { addRecordOptions, recordOptionsIn } from '../options/record-options.ts'
import { alertingOf, testClockOf, withRulePlaces } from '../serve/alerting.ts'
import { loaderOf } from '../serve/loader.ts'
import { consoleFolder, consoleLine } from '../serve/console.ts'
import { jsonLogger, type ServeLogger } from '../serve/logger.ts'
import { retentionOf } from '../serve/retention.ts'
import type { OpenedCatalog } from '../serve/served-catalog.ts'
import { forwardAddresses, syslogAddresses } from '../serve/socket-addresses.ts'
import { tlsOf, type TlsArguments } from '../serve/tls.ts'
import { parseSize } from '../options/size-option.ts'
import type { Terminal } from '../terminal.ts'
import { parseLengthMs, parseTimeout, timeoutHelp } from '../options/time-option.ts'

/** Options of `serve` as parsed; `doctor` checks them. */
export interface ServeArguments extends TlsArguments {
  readonly port: string
  readonly host: string
  readonly keys?: string
  readonly demo?: boolean
  readonly seed: string
  readonly load: readonly string[]
  readonly data?: string
  readonly retain?: string
  readonly retainBytes?: string
  readonly logSize?: string
  readonly diskReserve?: string
  readonly storeMemory?: string
  readonly maxSeries: number
  readonly backends: string
  readonly logLevel: string
  readonly openTo: OpenTo
  readonly allowHost: readonly string[]
  readonly requirePolicy?: boolean
  readonly workers: string
  readonly memory?: string
  readonly drain: string
  readonly syslog?: string
  readonly forward?: string
  readonly timeout: string
  /** True if the option is given without an address. */
  readonly otlpGrpc?: string | true
  readonly catalog?: string
  readonly requirePushdown?: number
  readonly notify?: string
  readonly alerting: string
  readonly rules: readonly string[]
  readonly externalLabel: readonly string[]
  readonly testClock?: boolean
  readonly console: string
  readonly cors: readonly string[]
  readonly mcp: string
  readonly mcpCeilings: readonly string[]
  readonly slowQuery?: string
  readonly discoverLabels?: 'on' | 'off'
}

const DEFAULT_PORT = '7400'
const MAX_WORKERS = 256

/** Returns a `curl` command to paste. */
function curlLine(address: string, madeKey: string | undefined, nowNs: bigint): string {
  const start = formatRfc3339(nowNs - 3_600_000_000_000n, true)
  const end = formatRfc3339(nowNs + 60_000_000_000n, true)
  const body = JSON.stringify({
    start,
    end,
    query: 'level:error | stats by (workload) count() as errors | sort by (errors desc) | limit 5',
  })
  // Writes a variable, not the key itself: the shell inserts the key from the environment.
  const key = madeKey === undefined ? '"Authorization: Bearer $SLUICE_API_KEY"' : `'Authorization: Bearer ${madeKey}'`
  return `curl -s ${address}/api/logs/v2/search -H ${key} -H 'Content-Type: application/json' -d '${body}'`
}

function backendIds(list: string): readonly string[] {
  const ids = list.split(',').map((id) => id.trim())
  if (ids.includes('') || new Set(ids).size !== ids.length)
    throw new CommandError(`--backends needs different ids with commas between them, not \`${list}\`.`)
  for (const id of ids) checkedBackendId(id, '--backends')
  return ids
}

/** Parses `HOST:PORT`, `HOST`, `PORT` or nothing; missing parts get the server's defaults. */
export function grpcAddress(text: string | true): { readonly host?: string; readonly port?: number } {
  if (text === true) return {}
  const [, before = '', digits = ''] = /^(?:(.*):)?(\d+)$/.exec(text) ?? [text, text]
  const host = before.replaceAll(/^\[|\]$/g, '')
  // An IPv6 address with a port needs brackets, as in `[::1]:4317`.
  if ((before.includes(':') && host === before) || Number(digits) > 65535 || (host === '' && digits === ''))
    throw new CommandError(`--otlp-grpc needs a port or an address such as 0.0.0.0:4317, not \`${text}\`.`)
  return {
    ...(host === '' ? undefined : { host }),
    ...(digits === '' ? undefined : { port: Number(digits) }),
  }
}

/** Parses `--workers`. Throws CommandError for an invalid value. */
export function workerCount(text: string): number {
  const count = Number(text)
  if (!/^\d+$/.test(text) || count > MAX_WORKERS)
    throw new CommandError(`--workers needs a number from 0 to ${MAX_WORKERS}, not \`${text}\`.`)
  return count
}

/** Parses `--port`. Throws CommandError for an invalid value. */
export function portNumber(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65535)
    throw new CommandError(`--port needs a number from 0 to 65535, not \`${text}\`.`)
  return port
}

function cannotListen(error: unknown): never {
  if (error instanceof SluiceError) throw error
  throw new CommandError(`Cannot listen for gRPC: ${error instanceof Error ? error.message : String(error)}`, 1)
}

/** Opens the port of a protocol other than HTTP and returns its address. */
async function takenAt(
  what: string,
  { transport, host, port }: SyslogOptions,
  opening: Promise<SocketListening>,
): Promise<string> {
  const at = `${transport}://${host}`
  const listening = await opening.catch((error: unknown) => {
    if (error instanceof SluiceError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(`Cannot take ${what} at ${at}:${port}: ${reason}`, 1)
  })
  return `${at}:${listening.port}`
}

/**
 * Time limit for statements that read names for advice, ms. With 0, none run, because they would burden the shared
 * databases.
 */
const ADVICE_MS = 0

/** Opens the databases of a catalog, if one is given. */
async function catalogOf(
  options: ServeArguments,
  { workers, memoryBytes, log }: { readonly workers: number; readonly memoryBytes: number; readonly log: Logger },
  terminal: Terminal,
): Promise<OpenedCatalog | undefined> {
  const { catalog, requirePushdown } = options
  if (catalog === undefined) return undefined
  const others = [
    ['--demo', options.demo === true],
    ['--load', options.load.length > 0],
    ['--backends', options.backends !== defaultBackendId],
    ['--syslog', options.syslog !== undefined],
    ['--forward', options.forward !== undefined],
    ['--otlp-grpc', options.otlpGrpc !== undefined],
  ] as const
  for (const [option, isGiven] of others)
    if (isGiven) throw new CommandError(`${option} stores data here; --catalog reads what databases have.`)
  const { openServedCatalog } = await import('../serve/served-catalog.ts')
  return openServedCatalog(catalog, { requirePushdown, adviceMs: ADVICE_MS, workers, memoryBytes, log }, terminal)
}

/**
 * Returns a log message about loading. Loaded rows are not in the log of the data folder, so each start loads the files
 * again.
 */
function loadingText(load: readonly string[], data: string | undefined): string {
  const isKept =
    data === undefined ? '' : ` These rows are not stored in ${data}; to store them, use \`sluice import\`.`
  return `Loading ${load.join(', ')}.${isKept}`
}

/** Returns log messages about steps that may delay the start. */
function startLines(
  { data, demo, load, catalog, notify, alerting, rules }: ServeArguments,
  storeBytes: number,
): readonly string[] {
  const inMemory = `Data is stored in memory, at most ${Math.floor(storeBytes / MIB)} MiB; then the oldest rows are dropped. --data DIR stores it on disk.`
  return [
    ...(data === undefined && catalog === undefined ? [inMemory] : []),
    ...(data === undefined ? [] : [`Loading the data folder ${data}.`]),
    ...((data !== undefined || rules.length > 0) && notify === undefined && alerting === 'on'
      ? ['Alerts are evaluated, but nobody is notified: --notify FILE names receivers.']
      : []),
    ...(demo === true ? ['Making demo data: six hours of an incident that ends now.'] : []),
    ...(load.length === 0 ? [] : [loadingText(load, data)]),
  ]
}

/** Logs each slow query on one line, also if `--log-level` hides requests. */
function slowQueriesOf({ slowQuery }: ServeArguments, logger: ServeLogger): ServerOptions['slowQueries'] {
  if (slowQuery === undefined) return undefined
  const overMs = parseLengthMs(slowQuery, '--slow-query', '0s', '24h')
  return { overMs, report: (query) => logger.warn({ ...query }, 'slow query') }
}

/** Loads the MCP endpoint at its first request, to keep the start of the server short. */
function mcpOf({ mcp, mcpCeilings }: ServeArguments): ServerOptions['mcp'] {
  const options = parseCeilings(mcpCeilings, '--mcp-ceilings')
  return mcp === 'off' ? undefined : async () => (await import('../../mcp/index.ts')).agentEndpoint(options)
}

async function run(options: ServeArguments, terminal: Terminal): Promise<void> {
  const port = portNumber(options.port)
  // Without a catalog, retention applies to memory too.
  if (options.catalog !== undefined && options.retain !== undefined && options.data === undefined)
    throw new CommandError('--retain goes with --data.')
  const nowNs = terminal.nowNs()
  const tls = tlsOf(options)
  const syslog = syslogAddresses(options.syslog ?? '')
  const forward = forwardAddresses(options.forward ?? '')
  const logger = await jsonLogger(options.logLevel, terminal)
  const environmentKey = terminal.env['SLUICE_API_KEY']?.trim() ?? ''
  const madeKey =
    options.keys === undefined && environmentKey === ''
      ? makeKey((count) => new Uint8Array(randomBytes(count)))
      : undefined
  const seed = options.demo === true ? Number(options.seed) : undefined
  const workers = workerCount(options.workers)
  const memoryBytes = options.memory === undefined ? undefined : parseSize(options.memory, '--memory', '1MiB')
  const storeBytes =
    options.storeMemory === undefined ? undefined : parseSize(options.storeMemory, '--store-memory', '16MiB')
  const { shares } = divideMemory({ memoryBytes, storeBytes, hasFiles: options.data !== undefined, workers })
  // With a catalog, the server has no tables of its own.
  const catalog = await catalogOf(options, { workers, memoryBytes: shares.store, log: logger }, terminal)
  const testClock = await testClockOf(options)
  const settings: ServerOptions = {
    ...(catalog?.served ?? {
      backends: Object.fromEntries(backendIds(options.backends).map((id) => [id, {}])),
    }),
    keys: options.keys === undefined ? [madeKey ?? environmentKey] : { file: options.keys },
    data: options.data,
    openTo: options.openTo,
    allowHosts: options.allowHost,
    requirePolicy: options.requirePolicy,
    console: options.console === 'off' ? undefined : consoleFolder(import.meta.url),
    cors: options.cors,
    tls,
    mcp: mcpOf(options),
    slowQueries: slowQueriesOf(options, logger),
    alerting: alertingOf(options, testClock, terminal),
    logger,
    clock: {
      nowMs: () => terminal.nowMs(),
      nowNs: () => (testClock === undefined ? terminal.nowNs() : BigInt(testClock.nowMs()) * 1_000_000n),
    },
    load:
      catalog === undefined
        ? loaderOf({ seed, files: options.load, options: recordOptionsIn(options), nowNs }, terminal)
        : undefined,
    workers,
    limits: {
      drainMs: parseLengthMs(options.drain, '--drain', '0s', '1h'),
      queryMs: parseTimeout(options.timeout),
      series: options.maxSeries,
      discoversLabels: options.discoverLabels !== 'off',
    },
    memoryBytes,
    retention: retentionOf(options),
    diskReserveBytes:
      options.diskReserve === undefined ? undefined : parseSize(options.diskReserve, '--disk-reserve', '0K'),
    storeBytes,
    logBytes: options.logSize === undefined ? undefined : parseSize(options.logSize, '--log-size', '4KiB'),
  }
  const server = await withRulePlaces(terminal, () => createServer(settings))
  const endHangups = tls === undefined ? undefined : terminal.onHangup(() => server.reloadCertificate())
  try {
    // Listens before the data are loaded, so that readiness can be probed.
    const { address } = await server.listen({ host: options.host, port }).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      throw new CommandError(`Cannot listen on ${options.host}:${port}: ${reason}`, 1)
    })
    const grpc = options.otlpGrpc === undefined ? undefined : grpcAddress(options.otlpGrpc)
    const listening = grpc && (await server.listenOtlpGrpc(grpc).catch(cannotListen))
    for (const line of [...server.warnings, ...startLines(options, shares.store)]) terminal.writeError(`${line}\n`)
    const startedMs = terminal.nowMs()
    const { batches, rows } = await server.readBack
    const seconds = ((terminal.nowMs() - startedMs) / 1000).toFixed(1)
    if (batches > 0) terminal.writeError(`Loaded ${rows} rows in ${batches} batches from the log in ${seconds} s.\n`)
    await server.loaded
    await terminal.write(`Sluice listens on ${address}\n`)
    const page = consoleLine(address, server, terminal.isOutputTty || madeKey !== undefined)
    if (page !== undefined) await terminal.write(`${page}\n`)
    if (listening !== undefined)
      await terminal.write(`OTLP over gRPC${tls === undefined ? '' : ' and TLS'}: ${listening.address}\n`)
    for (const options of syslog)
      await terminal.write(`Syslog: ${await takenAt('syslog', options, server.listenSyslog(options))}\n`)
    for (const options of forward)
      await terminal.write(`Fluentd forward: ${await takenAt('forward', options, server.listenForward(options))}\n`)
    if (madeKey !== undefined) await terminal.write(`API key (not shown again): ${madeKey}\n`)
    const isKeyWanted = madeKey === undefined && environmentKey === ''
    const how = isKeyWanted ? 'Try it, with one of your keys in SLUICE_API_KEY' : 'Try it'
    await terminal.write(`\n${how}:\n\n${curlLine(address, madeKey, nowNs)}\n\n`)
    await new Promise<void>((resolve) => {
      if (terminal.signal.aborted) resolve()
      else terminal.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    terminal.writeError('Stopping after the running requests are answered.\n')
  } finally {
    await server.close()
    endHangups?.()
    await catalog?.close()
  }
}

function ofFolder(flags: string, about: string): Option {
  return needing(new Option(flags, about), '--data')
}

/** Adds the options of `serve`, which `doctor` accepts too. */
export function addServeOptions(command: Command): Command {
  return addRecordOptions(command, (option) => needing(option, '--load'))
    .option('--port <n>', 'port; 0 selects a free one', DEFAULT_PORT)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--tls-cert <file>',
      'certificate with its chain, PEM, for TLS on the HTTP and gRPC ports; read again when it changes and on SIGHUP',
    )
    .option('--tls-key <file>', 'private key of --tls-cert, PEM, without a passphrase')
    .option(
      '--keys <file>',
      'JSON file of hashed keys, read again when it changes (default: SLUICE_API_KEY, else a new key that is shown once)',
    )
    .option('--catalog <file>', 'serve the tables of other databases that this catalog maps, read-only')
    .addOption(needing(pushdownOption(), '--catalog'))
    .option('--demo', 'serve generated demo data that ends now')
    .addOption(needing(new Option('--seed <n>', 'seed of the demo data').default('1'), '--demo'))
    .option('--data <folder>', 'store received data in this folder')
    .option('--retain <table=time,...>', 'maximum age of rows, such as logs=30d,metrics=90d (default: unlimited)')
    .addOption(
      ofFolder(
        '--retain-bytes <size>',
        'maximum size of stored data on disk, such as 200GiB; the oldest are removed first',
      ),
    )
    .addOption(
      ofFolder(
        '--log-size <size>',
        'size of the log at which its rows are written to part files; a start replays at most this much (default: 32MiB)',
      ),
    )
    .addOption(
      ofFolder(
        '--disk-reserve <size>',
        'disk space that ingest leaves free, so that deletion and retention can work (default: 1/20 of the disk, at most 512MiB)',
      ),
    )
    .option(
      '--store-memory <size>',
      'memory of rows, dictionaries and samples; when it is full, senders wait with --data, and the oldest rows are dropped without (default: a share of --memory)',
    )
    .addOption(
      excluding(
        new Option('--max-series <n>', 'maximum number of series of a backend; samples of further series are refused')
          .argParser(countOption('--max-series', 1_000_000_000))
          .default(defaultServerLimits.series),
        '--catalog',
      ),
    )
    .option('--backends <ids>', 'ids of isolated backends; the header X-Backend-Id selects one', defaultBackendId)
    .option(
      '--load <kind=file...>',
      `files to load at the start, not stored; kinds: ${jsonTables.join(', ')} (default: logs)`,
      [],
    )
    .option(
      '--workers <n>',
      'threads that run queries, beside one that accepts requests and one that stores data; 0: one thread does everything',
      String(availableParallelism()),
    )
    .option(
      '--memory <size>',
      'memory of the process, such as 4GiB, divided among rows, cache, threads, bodies and answers (default: 3/4 of the machine or container)',
    )
    .option(
      '--otlp-grpc [address]',
      'accept OTLP over gRPC too, by default at 127.0.0.1:4317; needs the package @grpc/grpc-js',
    )
    .option('--drain <time>', 'time for running requests when the server stops; then they get 503', '10s')
    .option(
      '--syslog <addresses>',
      'accept syslog at udp, tcp or tls addresses, separated by commas: tcp://127.0.0.1:5514?backend=ID&tz=ZONE, tls with cert, key and ca; other machines need ca or open-to=everyone',
    )
    .option(
      '--forward <addresses>',
      'accept the forward protocol of Fluentd, Fluent Bit and Docker at HOST:PORT or tls://HOST:PORT, separated by commas, with the parameters of --syslog after `?`; other machines need shared-key=FILE, ca or open-to=everyone',
    )
    .option('--timeout <time>', timeoutHelp, '60s')
    .addOption(
      new Option('--open-to <whom>', 'who can read /metrics and /openapi.json without a key')
        .choices(openToWords)
        .default('loopback'),
    )
    .option(
      '--allow-host <name...>',
      'host names beside localhost, such as that of a proxy, for paths without a key on the loopback address',
      [],
    )
    .option(
      '--notify <file>',
      'YAML file of receivers and routes in the form of Alertmanager, to which alerts of monitors are sent',
    )
    .addOption(
      excluding(
        new Option(
          '--rules <file...>',
          'rule files of Prometheus to evaluate over the first backend: files, folders or quoted patterns, read again when they change',
        ).default([]),
        '--catalog',
      ),
    )
    .option('--external-label <name=value...>', 'labels of this server, for templates and alerts of rules', [])
    .addOption(
      new Option('--alerting <state>', 'evaluate monitors; off: only store them').choices(['on', 'off']).default('on'),
    )
    .option('--test-clock', 'time of queries and monitors moves only by POST /test/clock, for tests on this machine')
    .addOption(
      new Option('--console <state>', 'serve the console at /; off: only the API').choices(['on', 'off']).default('on'),
    )
    .option(
      '--cors <origin...>',
      'origins whose pages may read answers with a key, such as https://grafana.example.com (default: none)',
      [],
    )
    .addOption(
      new Option('--mcp <state>', 'answer agents at /mcp; off: there is no such path')
        .choices(['on', 'off'])
        .default('on'),
    )
    .option('--mcp-ceilings <list...>', `${ceilingsHelp}; user=NAME in a list: for the keys of this user`, [])
    .option('--slow-query <time>', 'log queries that take at least this time, such as 1s (default: none)')
    .addOption(
      new Option('--discover-labels <mode>', 'whether logs sent as to Loki get `service_name` and `detected_level`')
        .choices(['on', 'off'])
        .default('on'),
    )
    .option('--require-policy', 'a key whose user has no policy sees nothing (default: everything)')
    .option('--log-level <level>', 'debug, info, warn, error, silent', 'warn')
}

export const define: CommandModule['define'] = (command, terminal) => {
  addServeOptions(command).action((options: ServeArguments) => run(options, terminal))
}
