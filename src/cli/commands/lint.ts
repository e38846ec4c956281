import type { Command } from 'commander'
import { CommandError, isError, renderDiagnostic } from '../../base/index.ts'
import type { Dialect } from '../../plan/index.ts'
import { choice, dialectNames } from '../options/choice-option.ts'
import type { CommandModule } from '../command.ts'
import { textOrInput } from '../read-text.ts'
import { queryArgument } from '../options/query-argument.ts'
import { loadOption, textSession } from '../text-session.ts'
import type { Terminal } from '../terminal.ts'
import { parseRange, rangeOptions, type RangeArguments } from '../options/time-option.ts'

interface LintArguments extends RangeArguments {
  readonly dialect: Dialect
  readonly json?: boolean
  readonly strict?: boolean
  readonly load?: readonly string[]
  readonly catalog?: string
}

async function run(query: string, options: LintArguments, terminal: Terminal): Promise<void> {
  const text = textOrInput(query)
  const { engine, close } = await textSession(terminal, options)
  const found = engine.check(text, {
    dialect: options.dialect,
    range: parseRange(options.from, options.to, { nowNs: terminal.nowNs() }),
  })
  await close()
  if (options.json === true) await terminal.write(`${JSON.stringify(found, null, 2)}\n`)
  else for (const diagnostic of found) await terminal.write(`${renderDiagnostic(diagnostic, text)}\n`)
  if (found.some(isError) || (options.strict === true && found.length > 0)) throw new CommandError('', 1)
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  queryArgument(loadOption(rangeOptions(command)), 'a query, or `-` for standard input')
    .addOption(choice('--dialect <name>', 'dialect of the query', dialectNames).default('native'))
    .option('--json', 'as JSON, with the edits that fix each')
    .option('--strict', 'exit with 1 for warnings too')
    .action((query: string, options: LintArguments) => run(query, options, terminal))
}
