import type { Command } from 'commander'
import type { CommandModule } from '../command.ts'
import { queryArgument } from '../options/query-argument.ts'
import { filterRule } from '../options/where-option.ts'
import { askServer, keyHelp, readFrom } from '../remote/ask-server.ts'
import { rowMessages } from '../remote/row-messages.ts'
import type { Terminal } from '../terminal.ts'

interface TailArguments {
  readonly server: string
  readonly key?: string
  readonly backend?: string
  readonly dialect: string
  readonly for?: string
}

async function run(query: string, options: TailArguments, terminal: Terminal): Promise<void> {
  const { server, key, backend } = options
  const asked = new URLSearchParams({ query })
  if (options.dialect !== 'native') asked.set('dialect', options.dialect)
  if (options.for !== undefined) asked.set('for', options.for)
  const path = `/api/logs/tail?${asked.toString()}`
  const headers = { Accept: 'text/event-stream' }
  const response = await askServer(server, { path, key, backend, headers }, terminal)
  await readFrom(server, terminal, async () => {
    for await (const { rows, dropped } of rowMessages(response)) {
      if (rows.length > 0) await terminal.write(`${rows.join('\n')}\n`)
      if (dropped > 0) terminal.writeError(`${dropped} rows came too fast and were left out.\n`)
    }
  })
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  queryArgument(
    command,
    `filters and pipes that pass rows on, such as 'level:error | fields _time, content'. ${filterRule}`,
  )
    .option('--server <url>', 'where the server is', 'http://localhost:7400')
    .option('--key <key>', keyHelp)
    .option('--backend <id>', 'backend, if the server has several')
    .option('--dialect <name>', 'native, logsql', 'native')
    .option('--for <time>', 'end after this time, such as 10s')
    .action((query: string, options: TailArguments) => run(query, options, terminal))
}
