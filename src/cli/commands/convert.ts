import { existsSync, readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { CommandError, assertNever, isError, throwIfErrors } from '../../base/index.ts'
import { standardFunctions } from '../../functions/index.ts'
import { functionNamesOf } from '../../engine/pipelines/index.ts'
import { bodyToText, textToPipeline } from '../../lang/json/index.ts'
import { openParameters, parse, type ConvertedQuery } from '../../lang/log/index.ts'
import { convertLogql } from '../../lang/logql/index.ts'
import { convertTraceql } from '../../lang/traceql/index.ts'
import { parsePromqlOrThrow } from '../../lang/promql/index.ts'
import { spansTable, standardCatalog } from '../../store/index.ts'
import { parseJson } from '../../wire/index.ts'
import type { CommandModule } from '../command.ts'
import { tellDiagnostics, withCarets } from '../diagnostics-output.ts'
import { textOrInput } from '../read-text.ts'
import { logqlTable } from '../logql/entries-text.ts'
import { choice } from '../options/choice-option.ts'
import { excluding } from '../options/conditions.ts'
import { queryArgument } from '../options/query-argument.ts'
import type { Terminal } from '../terminal.ts'

const languages = ['logql', 'traceql', 'promql'] as const
type Language = (typeof languages)[number]

interface ConvertArguments {
  readonly from?: Language
  readonly to?: string
  readonly table?: string
}

const functions = functionNamesOf(standardFunctions)

/** Returns the content of the file named `input`, or of standard input for `-`, or else `input` itself. */
function sourceOf(input: string): string {
  if (existsSync(input)) return readFileSync(input, 'utf8')
  if (/^[^\s:"|(]+\.(json|txt|logsql|ndjson)$/i.test(input)) throw new CommandError(`There is no file ${input}.`)
  return textOrInput(input)
}

/** True if the whole text is JSON. Its beginning does not decide, since a query may begin like JSON. */
function isJson(source: string): boolean {
  try {
    const value: unknown = JSON.parse(source)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** Returns the pipeline of a search body, or the value itself. */
function pipelineOf(value: unknown, terminal: Terminal): unknown {
  const members = Object.entries(typeof value === 'object' && value !== null ? value : {})
  const found = members.find(([name]) => name.toLowerCase() === 'pipeline')?.[1]
  const beside = ['query', 'filters', 'sources'].filter((wanted) =>
    members.some(
      ([name, each]) => name.toLowerCase() === wanted && each !== null && each !== '' && hasText(wanted, each),
    ),
  )
  if (beside.length === 0) return found ?? value
  if (found === undefined) throw new CommandError(`This body has no \`pipeline\`, only ${beside.join(' and ')}.`)
  terminal.writeError(`What stands beside the pipeline is not part of it: ${beside.join(', ')}.\n`)
  return found
}

/** True for members whose value is a query text: `filters` is a text in a body, but a group in a pipeline. */
function hasText(name: string, value: unknown): boolean {
  return name === 'sources' ? Array.isArray(value) && value.length > 0 : typeof value === 'string'
}

async function toText(source: string, terminal: Terminal): Promise<void> {
  const { text, diagnostics } = bodyToText(pipelineOf(parseJson(source), terminal), functions)
  throwIfErrors(diagnostics)
  await terminal.write(`${text}\n`)
  // Every pipeline can be written as a text, but a long text may exceed the default limits of the parser.
  const { diagnostics: unread } = parse(text, { parameters: openParameters(text) })
  const fault = unread.find(isError)
  if (fault !== undefined) terminal.writeError(`Not every reader takes this text: ${fault.message}\n`)
}

async function toJson(text: string, tableName: string, terminal: Terminal): Promise<void> {
  const table = standardCatalog.tables.get(tableName)
  if (table === undefined) throw new CommandError(`There is no table ${tableName}.`)
  await withCarets(text, terminal, async () => {
    const { aliases, textField, name } = table
    const nowNs = terminal.nowNs()
    const made = textToPipeline(text, { functions, table: name, aliases, textField, nowNs })
    throwIfErrors(made.diagnostics)
    tellDiagnostics(made.diagnostics, text, terminal)
    await terminal.write(`${JSON.stringify(made.pipeline, null, 2)}\n`)
  })
}

/** Converts a query of another language to the log language, and reports where the answers differ. */
async function fromLanguage(
  text: string,
  from: Language,
  table: string | undefined,
  terminal: Terminal,
): Promise<void> {
  await withCarets(text, terminal, async () => {
    const { text: converted, notes } = convertedFrom(from, text, table)
    await terminal.write(`${converted}\n`)
    for (const note of notes) terminal.writeError(`note: ${note}\n`)
  })
}

function convertedFrom(from: Language, text: string, table: string | undefined): ConvertedQuery {
  switch (from) {
    case 'logql':
      return convertLogql(text, logqlTable(standardCatalog.tables, table ?? 'logs'))
    case 'traceql': {
      if (table !== undefined && table !== spansTable.name)
        throw new CommandError(`TraceQL is about the table ${spansTable.name}, not ${table}.`)
      const { notes, ...converted } = convertTraceql(text)
      return { ...converted, notes: [`Ask the table of spans: \`sluice query --table ${spansTable.name}\`.`, ...notes] }
    }
    case 'promql':
      parsePromqlOrThrow(text)
      throw new CommandError(
        'PromQL has no counterpart in the log language: a selector takes the newest sample before each step, and a window slides, which no pipe does. `sluice promql` answers PromQL itself.',
        1,
      )
    default:
      return assertNever(from)
  }
}

async function run(input: string, { from, to, table }: ConvertArguments, terminal: Terminal): Promise<void> {
  const source = sourceOf(input).trim()
  if (from !== undefined) return fromLanguage(source, from, table, terminal)
  const wanted = isJson(source) ? 'text' : 'json'
  if (to !== undefined && to !== 'json' && to !== 'text') {
    throw new CommandError(`--to is one of json, text, not \`${to}\`.`)
  }
  // With `--to text`, a source that is not JSON is reported as invalid JSON below.
  if (to === 'json' && wanted === 'text') throw new CommandError('This is a structured query already.')
  const isToText = (to ?? wanted) === 'text'
  if (isToText && table !== undefined)
    throw new CommandError('--table is for what becomes JSON: a text names no table.')
  await (isToText ? toText(source, terminal) : toJson(source, table ?? 'logs', terminal))
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  queryArgument(
    command,
    'a query of the log language, a structured query or a search body as JSON, a file that holds one, or `-`',
    '<input>',
  )
    .addOption(
      excluding(choice('--from <language>', 'convert a query of this language to the log language', languages), '--to'),
    )
    .option('--to <form>', 'json or text (default: the other form)')
    .option('--table <name>', 'the table of the endpoint that a structured query is for; logs unless given')
    .action((input: string, options: ConvertArguments) => run(input, options, terminal))
}
