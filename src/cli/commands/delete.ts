import { Option, type Command } from 'commander'
import { CommandError, SluiceError, formatRfc3339, type Interval } from '../../base/index.ts'
import { backendsIn, createServer } from '../../server/index.ts'
import { diskFiles, isDataFolder } from '../../store/durable/index.ts'
import { deletableTables, type DeletedRows } from '../../wire/index.ts'
import { choice } from '../options/choice-option.ts'
import type { CommandModule } from '../command.ts'
import { needing } from '../options/conditions.ts'
import { filterRule } from '../options/where-option.ts'
import { parseRangeText } from '../options/time-option.ts'
import { askServer, checked, requestTo, type ServerRequest } from '../remote/ask-server.ts'
import type { Terminal } from '../terminal.ts'

interface DeleteArguments {
  readonly data?: string
  readonly server?: string
  readonly key?: string
  readonly backend?: string
  readonly table: string
  readonly where: string
  readonly range: string
  readonly write?: boolean
}

const COMMAND_KEY = 'command-line'

function requestOf({ table, where, backend, write = false, key }: DeleteArguments, range: Interval): ServerRequest {
  const [start, end] = [formatRfc3339(range.startNs), formatRfc3339(range.endNs)]
  const body = JSON.stringify({ table, where, start, end, write })
  return { path: '/api/rows/delete', key, backend, headers: { 'Content-Type': 'application/json' }, body }
}

async function deletedRows(response: Response): Promise<DeletedRows> {
  return (await response.json()) as DeletedRows
}

/** Deletes rows in a folder without a running server. */
async function deleteFrom(
  folder: string,
  options: DeleteArguments,
  range: Interval,
  terminal: Terminal,
): Promise<DeletedRows> {
  if (!isDataFolder(diskFiles, folder)) throw new CommandError(`${folder} is not a data folder.`)
  const ids = [...backendsIn(diskFiles, folder)]
  const server = await createServer({
    data: folder,
    keys: [{ key: COMMAND_KEY, email: 'command line' }],
    ...(ids.length === 0 ? {} : { backends: Object.fromEntries(ids.map((id) => [id, {}])) }),
  }).catch((error: unknown) => {
    if (!(error instanceof SluiceError && error.code === 'durable/in-use')) throw error
    throw new CommandError(`A server runs over ${folder}: name it by \`--server URL\` in place of \`--data\`.`, 1)
  })
  const tell = (): void =>
    terminal.writeError(
      'The deletion goes on to its end. Interrupted again it stops where it is: then give it again.\n',
    )
  terminal.signal.addEventListener('abort', tell, { once: true })
  try {
    await server.loaded
    const request = requestTo('http://localhost', requestOf({ ...options, key: COMMAND_KEY }, range))
    return await deletedRows(await checked(await server.fetch(request), terminal))
  } finally {
    terminal.signal.removeEventListener('abort', tell)
    await server.close()
  }
}

async function run(options: DeleteArguments, terminal: Terminal): Promise<void> {
  const { data, server, table, write = false } = options
  if ((data === undefined) === (server === undefined))
    throw new CommandError('delete needs --data, the folder of a server that does not run, or --server.')
  const range = parseRangeText(options.range, { nowNs: terminal.nowNs() })
  const { rows } =
    data === undefined
      ? await deletedRows(await askServer(server ?? '', requestOf(options, range), terminal))
      : await deleteFrom(data, options, range, terminal)
  const [one, many] = table === 'samples' ? ['sample', 'samples'] : [`row of ${table}`, `rows of ${table}`]
  const counted = `${rows.toLocaleString('en-US')} ${rows === 1 ? one : many}`
  await terminal.write(
    write
      ? `${counted} ${rows === 1 ? 'is' : 'are'} deleted.\n`
      : `${counted} would be deleted. Nothing was changed; \`--write\` deletes them.\n`,
  )
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  command
    .requiredOption(
      '--where <filter>',
      `filters without pipes, such as 'user_id:=4711'; \`*\` is every row of the range; for samples a selector: 'up{job="api"}'. ${filterRule}`,
    )
    .requiredOption('--range <from..to>', 'RFC 3339, a date, or an age, the end excluded; `..` is all times')
    .addOption(choice('--table <name>', 'what is deleted', deletableTables).default('logs'))
    .option('--data <folder>', 'the data folder of a server that does not run')
    .option('--server <url>', 'a running server, such as http://localhost:7400')
    .addOption(
      needing(
        new Option('--key <key>', 'API key with the role admin (default: the environment variable SLUICE_API_KEY)'),
        '--server',
      ),
    )
    .option('--backend <id>', 'backend, if there are several')
    .option('--write', 'delete; without it the rows are only counted')
    .action((options: DeleteArguments) => run(options, terminal))
}
