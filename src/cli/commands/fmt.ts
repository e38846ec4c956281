import type { Command } from 'commander'
import { CommandError, throwIfErrors } from '../../base/index.ts'
import { canon, format, parse } from '../../lang/log/index.ts'
import { formatLogql, parseLogqlOrThrow } from '../../lang/logql/index.ts'
import { choice, languageNames, type Language } from '../options/choice-option.ts'
import type { CommandModule } from '../command.ts'
import { withCarets } from '../diagnostics-output.ts'
import { textOrInput } from '../read-text.ts'
import { queryArgument } from '../options/query-argument.ts'
import type { Terminal } from '../terminal.ts'

interface FmtArguments {
  readonly dialect: Language
  readonly canonical?: boolean
}

async function run(query: string, { dialect, canonical }: FmtArguments, terminal: Terminal): Promise<void> {
  const text = textOrInput(query).trimEnd()
  if (dialect === 'logql' && canonical === true)
    throw new CommandError('LogQL has one format, which is canonical: leave --canonical out.')
  await withCarets(text, terminal, async () => {
    if (dialect === 'logql') {
      await terminal.write(`${formatLogql(parseLogqlOrThrow(text, { isFormatOnly: true }))}\n`)
      return
    }
    const { ast, diagnostics } = parse(text, { dialect })
    throwIfErrors(diagnostics)
    await terminal.write(`${canonical === true ? canon(ast, dialect) : format(text, { dialect })}\n`)
  })
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  queryArgument(command, 'a query, or `-` for standard input')
    .option('--canonical', 'the one text of all queries that mean this; comments go')
    .addOption(choice('--dialect <name>', 'dialect of the query', languageNames).default('native'))
    .action((query: string, options: FmtArguments) => run(query, options, terminal))
}
