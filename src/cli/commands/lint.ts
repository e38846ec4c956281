import type { Command } from 'commander'
import { CommandError, isError, renderDiagnostic, type Diagnostic } from '../../base/index.ts'
import { parseLogql } from '../../lang/logql/index.ts'
import { choice, languageNames, type Language } from '../options/choice-option.ts'
import type { CommandModule } from '../command.ts'
import { textOrInput } from '../read-text.ts'
import { queryArgument } from '../options/query-argument.ts'
import { loadOption, textSession } from '../text-session.ts'
import type { Terminal } from '../terminal.ts'
import { parseRange, rangeOptions, type RangeArguments } from '../options/time-option.ts'

interface LintArguments extends RangeArguments {
  readonly dialect: Language
  readonly json?: boolean
  readonly strict?: boolean
  readonly load?: readonly string[]
  readonly catalog?: string
}

/** Returns the diagnostics of a LogQL query. Throws CommandError for options that have no effect on LogQL. */
function checkedLogql(text: string, { load, catalog, from, to }: LintArguments): readonly Diagnostic[] {
  const given = Object.entries({ '--load': load, '--catalog': catalog, '--from': from, '--to': to })
  const other = given.find(([, value]) => value !== undefined)?.[0]
  if (other !== undefined) throw new CommandError(`Either --dialect logql or ${other} can be given, not both.`)
  return parseLogql(text).diagnostics
}

async function checked(text: string, options: LintArguments, terminal: Terminal): Promise<readonly Diagnostic[]> {
  const { dialect, from, to } = options
  if (dialect === 'logql') return checkedLogql(text, options)
  const { engine, close } = await textSession(terminal, options)
  const found = engine.check(text, { dialect, range: parseRange(from, to, { nowNs: terminal.nowNs() }) })
  await close()
  return found
}

async function run(query: string, options: LintArguments, terminal: Terminal): Promise<void> {
  const text = textOrInput(query)
  const found = await checked(text, options, terminal)
  if (options.json === true) await terminal.write(`${JSON.stringify(found, null, 2)}\n`)
  else for (const diagnostic of found) await terminal.write(`${renderDiagnostic(diagnostic, text)}\n`)
  if (found.some(isError) || (options.strict === true && found.length > 0)) throw new CommandError('', 1)
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  queryArgument(loadOption(rangeOptions(command)), 'a query, or `-` for standard input')
    .addOption(choice('--dialect <name>', 'dialect of the query', languageNames).default('native'))
    .option('--json', 'as JSON, with the edits that fix each')
    .option('--strict', 'exit with 1 for warnings too')
    .action((query: string, options: LintArguments) => run(query, options, terminal))
}
