import type { Command } from 'commander'
import type { Dialect } from '../../plan/index.ts'
import type { CommandModule } from '../command.ts'
import { withCarets } from '../diagnostics-output.ts'
import { textOrInput } from '../read-text.ts'
import { textSession } from '../session.ts'
import type { Terminal } from '../terminal.ts'

async function run(query: string, options: { readonly dialect: Dialect }, terminal: Terminal): Promise<void> {
  const text = textOrInput(query)
  await withCarets(text, terminal, async () => {
    const { engine } = await textSession(terminal)
    await terminal.write(`${engine.format(text, { dialect: options.dialect })}\n`)
  })
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  command
    .argument('<query>', 'a query, or `-` for standard input')
    .option('--dialect <name>', 'native, logsql', 'native')
    .action((query: string, options: { readonly dialect: Dialect }) => run(query, options, terminal))
}
