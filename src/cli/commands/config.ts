import type { Command } from 'commander'
import { CommandError } from '../../base/index.ts'
import type { CommandModule } from '../command.ts'
import { configPath, settingsOf } from '../settings.ts'
import type { Terminal } from '../terminal.ts'

function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Prints every option that has a value, and where the value comes from. */
async function print(name: string | undefined, program: Command, terminal: Terminal): Promise<void> {
  const among = program.commands.filter((command) => name === undefined || command.name() === name)
  if (among.length === 0) throw new CommandError(`There is no command ${name ?? ''}.`)
  for (const command of among) {
    const settings = await settingsOf(command, terminal)
    for (const option of command.options) {
      const found = settings.get(option) ?? { value: option.defaultValue as unknown, origin: 'default' }
      if (found.value === undefined || (Array.isArray(found.value) && found.value.length === 0)) continue
      const text = option.long === '--key' ? '(set)' : shown(found.value)
      await terminal.write(`${command.name()} ${option.long ?? ''} ${text}  # ${found.origin}\n`)
    }
  }
}

export const define: CommandModule['define'] = (command, terminal, whole) => {
  command.addHelpText(
    'after',
    `
Options come from the command line, else from the environment (SLUICE_QUERY_FORMAT, then SLUICE_FORMAT), else from
the configuration, a file of YAML: options of all commands by name, options of one below its name.

  color: never
  query:
    format: table
    timeout: 10s
`,
  )
  command
    .command('print [command]')
    .description('show the options that have a value, and where it comes from')
    .action(async (name: string | undefined) => print(name, await whole(), terminal))
  command
    .command('path')
    .description('where the configuration is read from: SLUICE_CONFIG, else the usual place')
    .action(() => terminal.write(`${configPath(terminal)}\n`))
}
