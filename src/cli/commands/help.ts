import type { Command } from 'commander'
import { CommandError } from '../../base/index.ts'
import type { CommandModule } from '../command.ts'
import { entriesNamed, entryText, referenceEntries, referenceNames, unknownName } from '../reference.ts'
import type { Terminal } from '../terminal.ts'

async function describe(name: string, program: Command, terminal: Terminal): Promise<void> {
  const command = program.commands.find((each) => each.name() === name)
  const entries = referenceEntries()
  const texts = entriesNamed(name, entries).map(entryText)
  if (command !== undefined) texts.unshift(command.helpInformation())
  if (texts.length > 0) return terminal.write(texts.join('\n'))
  const known = new Set([...program.commands.map((each) => each.name()), ...referenceNames(entries)])
  throw new CommandError(unknownName(name, 'command, pipe, filter or function', known))
}

export const define: CommandModule['define'] = (command, terminal, whole) => {
  command
    .argument(
      '[name]',
      'a command, pipe, filter or function, such as stats, or `questions`; all commands when none is named',
    )
    .action(async (name: string | undefined) =>
      name === undefined ? command.parent?.outputHelp() : describe(name, await whole(), terminal),
    )
}
