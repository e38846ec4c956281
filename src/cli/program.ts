import { Command } from 'commander'
import { errorCode, version } from '../base/index.ts'
import { commands } from './commands/index.ts'
import { checkConditions } from './options/conditions.ts'
import type { Terminal } from './terminal.ts'

/** Writes help. It is not an error if the reader, such as `head`, has closed the pipe. */
function writeHelp(terminal: Terminal): (text: string) => void {
  return (text) =>
    void terminal.write(text).catch((error: unknown) => {
      if (errorCode(error) !== 'EPIPE') throw error
    })
}

/** Defines the command line with one command, or `all`. The other commands appear in its help by name only. */
export async function programWith(wanted: string | undefined, terminal: Terminal): Promise<Command> {
  const program = new Command('sluice')
    .description('Query logs, events, traces and metrics.')
    .version(version)
    .exitOverride()
    // Options of the program must precede the command, because `-Verify` after it may be a query.
    .enablePositionalOptions()
    .addHelpText(
      'after',
      '\n`sluice help questions` shows what people ask of logs, each with the command that answers it.',
    )
    .hook('preAction', (_, command) => checkConditions(command))
    .configureOutput({ writeOut: writeHelp(terminal), writeErr: (text) => terminal.writeError(text) })
  for (const entry of commands) {
    const command = program.command(entry.name).summary(entry.summary).description(entry.summary)
    if (wanted === 'all' || entry.name === wanted)
      (await entry.load()).define(command, terminal, () => programWith('all', terminal))
  }
  return program
}
