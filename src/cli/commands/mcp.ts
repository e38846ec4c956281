import { randomBytes } from 'node:crypto'
import process from 'node:process'
import { Option, type Command } from 'commander'
import { CommandError } from '../../base/index.ts'
import { ceilingsFor, serveAgent, type Ask } from '../../mcp/index.ts'
import { createServer, makeKey, openDataToRead, type ServerOptions } from '../../server/index.ts'
import type { CommandModule } from '../command.ts'
import { ceilingsHelp, parseCeilings } from '../options/ceilings-option.ts'
import { excluding, needing } from '../options/conditions.ts'
import { addRecordOptions } from '../options/record-options.ts'
import { loadedStore } from '../loaded-store.ts'
import { checkAlone, requestTo, serverOptions, type ServerArguments } from '../remote/ask-server.ts'
import type { Terminal } from '../terminal.ts'

interface McpArguments extends ServerArguments {
  readonly data?: string
  readonly backendId?: string
  readonly ceilings?: string
}

/** The server that answers the agent. */
interface Source {
  readonly ask: Ask
  readonly close: () => Promise<void>
}

/** Size of the block cache over a data folder, bytes. */
const CACHE_BYTES = 256 * 1024 ** 2

/** Returns a server that does not listen on a port and only reads its data. */
async function inProcess(data: ServerOptions, close: () => Promise<void>, terminal: Terminal): Promise<Source> {
  const key = makeKey((count) => new Uint8Array(randomBytes(count)))
  const clock = { nowMs: () => terminal.nowMs(), nowNs: () => terminal.nowNs() }
  const server = await createServer({ ...data, clock, keys: [{ key, roles: ['read'] }] })
  await server.loaded
  return {
    ask: (path, { headers, ...init }) =>
      server.fetch(
        new Request(`http://localhost${path}`, { ...init, headers: { ...headers, Authorization: `Bearer ${key}` } }),
      ),
    close: async () => {
      await server.close()
      await close()
    },
  }
}

function remote(server: string, { key, backendId }: McpArguments, terminal: Terminal): Source {
  const sender = { key: key ?? terminal.env['SLUICE_API_KEY'], backend: backendId }
  // Throws at the start if the address is not a URL.
  requestTo(server, { path: '/', ...sender })
  return {
    ask: (path, { signal, ...init }) => fetch(requestTo(server, { path, ...sender, ...init }), { signal }),
    close: () => Promise.resolve(),
  }
}

async function sourceOf(files: readonly string[], options: McpArguments, terminal: Terminal): Promise<Source> {
  const { server, data, backendId } = options
  if (server !== undefined) {
    checkAlone(files, { '--data': data })
    return remote(server, options, terminal)
  }
  if (data !== undefined) {
    if (files.length > 0) throw new CommandError('Either --data or files can be given, not both.')
    const { target, close } = await openDataToRead(data, {
      backend: backendId,
      hasSamples: true,
      cacheBytes: CACHE_BYTES,
    })
    const { store, samples, metricCatalog } = target
    return inProcess({ store, samples, metricCatalog }, close, terminal)
  }
  if (files.length === 0)
    throw new CommandError('Name files, or a data folder with --data, or a running server with --server.')
  return inProcess({ store: await loadedStore(files, options, terminal) }, () => Promise.resolve(), terminal)
}

async function run(files: readonly string[], options: McpArguments, terminal: Terminal): Promise<void> {
  const ceilings = ceilingsFor(
    parseCeilings(options.ceilings === undefined ? [] : [options.ceilings], '--ceilings'),
    undefined,
  )
  const { ask, close } = await sourceOf(files, options, terminal)
  try {
    await serveAgent({ ask, ceilings, nowNs: () => terminal.nowNs() }, process.stdin, terminal.signal)
  } finally {
    process.stdin.destroy()
    await close()
  }
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  addRecordOptions(serverOptions(command), (option) => excluding(option, '--server', '--data'))
    .description('Answers an agent by the Model Context Protocol on standard input and output.')
    .argument('[files...]', 'files, each `kind=file` as for `serve --load`, or a file of logs')
    .option('--data <folder>', 'the data folder of a server, as it is now')
    .addOption(needing(new Option('--backend-id <id>', 'backend, if there are several'), '--data', '--server'))
    .option('--ceilings <list>', ceilingsHelp)
    .action((files: readonly string[], options: McpArguments) => run(files, options, terminal))
}
