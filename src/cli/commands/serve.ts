import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import { formatRfc3339, present } from '../../base/index.ts'
import { createApp, jsonTables, keysFrom, listen, replayBatches } from '../../server/index.ts'
import type { CommandModule } from '../command.ts'
import { progressOn, tellBadLines } from '../reading.ts'
import { openDataFolder, openResources } from '../data-folder.ts'
import { loadKind, parseLoad } from '../load-kind.ts'
import { loadDemo } from '../serve/demo.ts'
import { keyFileAt } from '../serve/key-file.ts'
import { jsonLogger } from '../serve/logger.ts'
import { defaultBackendId, serverContext } from '../serve/services.ts'
import { newTenant } from '../serve/tenant.ts'
import { CommandError, type Terminal } from '../terminal.ts'

interface ServeArguments {
  readonly port: string
  readonly host: string
  readonly keys?: string
  readonly demo?: boolean
  readonly seed: string
  readonly load: readonly string[]
  readonly data?: string
  readonly backends: string
  readonly logLevel: string
}

const DEFAULT_PORT = '7400'

/** A request that answers something about what is there, ready to be pasted. */
function curlLine(address: string, key: string, nowNs: bigint): string {
  const start = formatRfc3339(nowNs - 3_600_000_000_000n, true)
  const end = formatRfc3339(nowNs + 60_000_000_000n, true)
  const body = JSON.stringify({
    start,
    end,
    query: 'level:error | stats by (workload) count() as errors | sort by (errors desc) | limit 5',
  })
  return `curl -s ${address}/api/logs/v2/search -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '${body}'`
}

function backendIds(list: string): readonly string[] {
  const ids = list.split(',').map((id) => id.trim())
  if (ids.includes('') || new Set(ids).size !== ids.length)
    throw new CommandError(`--backends needs different ids with commas between them, not \`${list}\`.`)
  return ids
}

async function run(options: ServeArguments, terminal: Terminal): Promise<void> {
  const port = Number(options.port)
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new CommandError(`--port needs a number from 0 to 65535, not \`${options.port}\`.`)
  const nowNs = terminal.nowNs()
  const environmentKey = terminal.env['SLUICE_API_KEY']
  const log = await jsonLogger(options.logLevel)
  const keys = keysFrom({
    environmentKey,
    keyFile: options.keys === undefined ? undefined : keyFileAt(options.keys),
    log,
    randomBytes: (count) => new Uint8Array(randomBytes(count)),
  })
  const clock = { nowMs: () => terminal.nowMs(), nowNs: () => terminal.nowNs() }
  const tenants = new Map(backendIds(options.backends).map((id) => [id, newTenant(clock)]))
  const tenant = present([...tenants.values()][0])
  const batches = options.data === undefined ? undefined : await openDataFolder(options.data)
  const documents = await openResources(options.data, () => terminal.nowNs()).catch(async (error: unknown) => {
    await batches?.close()
    throw error
  })
  let isReady = false
  const context = serverContext({ tenants, keys: keys.ring, log, isReady: () => isReady, batches, documents })
  const app = createApp(context, { version: '0.1.0' })
  app.telemetry.watchProcess()
  const server = await listen(app, { host: options.host, port }).catch(async (error: unknown) => {
    await batches?.close()
    await documents.close()
    throw new CommandError(
      `Cannot listen on ${options.host}:${port}: ${error instanceof Error ? error.message : String(error)}`,
      1,
    )
  })
  // It listens already, so that whoever starts it can ask whether it is ready.
  try {
    if (batches !== undefined) {
      const startedMs = terminal.nowMs()
      const { batches: count, rows } = await replayBatches(batches, (backend) => tenants.get(backend))
      const seconds = ((terminal.nowMs() - startedMs) / 1000).toFixed(1)
      if (count > 0) terminal.writeError(`Read ${rows} rows of ${count} batches back in ${seconds} s.\n`)
    }
    if (options.demo === true) loadDemo(tenant, Number(options.seed), nowNs)
    for (const entry of options.load) {
      const { kind, path } = parseLoad(entry)
      tellBadLines(
        await loadKind(kind, path, tenant, { format: 'auto', nowNs, onProgress: progressOn(terminal) }),
        terminal,
      )
    }
    isReady = true
  } catch (error) {
    await server.stop()
    await batches?.close()
    await documents.close()
    throw error
  }
  const address = `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${server.port}`
  await terminal.write(`Sluice listens on ${address}\n`)
  if (keys.madeKey !== undefined) await terminal.write(`The key, shown this once: ${keys.madeKey}\n`)
  await terminal.write(`\nTry it:\n\n${curlLine(address, keys.madeKey ?? '$SLUICE_API_KEY', nowNs)}\n\n`)
  await new Promise<void>((resolve) => {
    if (terminal.signal.aborted) resolve()
    else terminal.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  terminal.writeError('Stopping: requests in work are answered first.\n')
  await server.stop()
  await batches?.close()
  await documents.close()
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  command
    .option('--port <n>', 'port; 0 picks a free one', DEFAULT_PORT)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--keys <file>',
      'JSON file of hashed keys, read again when it changes; else SLUICE_API_KEY, else a key is made and shown once',
    )
    .option('--demo', 'fill it with demo data that ends now')
    .option('--seed <n>', 'seed of the demo data', '1')
    .option('--data <folder>', 'keep what is sent in this folder and read it back at the next start')
    .option('--backends <ids>', 'ids of the backends, apart from each other; chosen by X-Backend-Id', defaultBackendId)
    .option(
      '--load <kind=file...>',
      `files to load at start, of ${jsonTables.join(', ')}; logs when no kind is named`,
      [],
    )
    .option('--log-level <level>', 'debug, info, warn, error, silent', 'warn')
    .action((options: ServeArguments) => run(options, terminal))
}
