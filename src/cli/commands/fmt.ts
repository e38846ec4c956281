import type { Command } from 'commander'
import { throwIfErrors } from '../../base/index.ts'
import { canon, format, parse } from '../../lang/log/index.ts'
import type { Dialect } from '../../plan/index.ts'
import { choice, dialectNames } from '../options/choice-option.ts'
import type { CommandModule } from '../command.ts'
import { withCarets } from '../diagnostics-output.ts'
import { textOrInput } from '../read-text.ts'
import { queryArgument } from '../options/query-argument.ts'
import type { Terminal } from '../terminal.ts'

interface FmtArguments {
  readonly dialect: Dialect
  readonly canonical?: boolean
}

async function run(query: string, { dialect, canonical }: FmtArguments, terminal: Terminal): Promise<void> {
  const text = textOrInput(query).trimEnd()
  await withCarets(text, terminal, async () => {
    const { ast, diagnostics } = parse(text, { dialect })
    throwIfErrors(diagnostics)
    await terminal.write(`${canonical === true ? canon(ast, dialect) : format(text, { dialect })}\n`)
  })
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  queryArgument(command, 'a query, or `-` for standard input')
    .option('--canonical', 'the one text of all queries that mean this; comments go')
    .addOption(choice('--dialect <name>', 'dialect of the query', dialectNames).default('native'))
    .action((query: string, options: FmtArguments) => run(query, options, terminal))
}
