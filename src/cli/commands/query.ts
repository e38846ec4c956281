import { CommandError } from '../../base/index.ts'
import type { Command } from 'commander'
import type { Dialect } from '../../plan/index.ts'
import type { CommandModule } from '../command.ts'
import { tellDiagnostics, withCarets } from '../diagnostics-output.ts'
import { colorWords, outputNamed, outputNames, type OutputName } from '../output/index.ts'
import { progressOn, tellBadLines } from '../reading.ts'
import { backendNames, fileTables, openSession, planner } from '../session.ts'
import type { Tables } from '../../backends/columnar/index.ts'
import type { Terminal } from '../terminal.ts'
import { parseRange, parseTimeout, rangeOptions, timeoutHelp, type RangeArguments } from '../time-option.ts'
import type { QueryOptions } from '../../engine/index.ts'
import { formatNames, type FormatName } from '../../ingest/index.ts'

export interface QueryArguments extends RangeArguments {
  readonly format?: string
  readonly color?: string
  readonly input: string
  readonly backend: string
  readonly dialect: string
  readonly table: string
  readonly explain?: boolean
  readonly stats?: boolean
  readonly quiet?: boolean
  readonly withFileName?: boolean
  readonly timeout: string
}

function oneOf<T extends string>(text: string, known: readonly T[], option: string): T {
  const found = known.find((name) => name === text)
  if (found === undefined) throw new CommandError(`${option} is one of ${known.join(', ')}, not \`${text}\`.`)
  return found
}

async function run(text: string, paths: readonly string[], options: QueryArguments, terminal: Terminal): Promise<void> {
  const dialect: Dialect = oneOf(options.dialect, ['native', 'logsql'], '--dialect')
  const format: OutputName = oneOf(
    options.format ?? (terminal.isOutputTty ? 'table' : 'ndjson'),
    outputNames,
    '--format',
  )
  const input: FormatName = oneOf(options.input, formatNames, '--input')
  const nowNs = terminal.nowNs()
  const range = parseRange(options.from, options.to, nowNs)
  const limits = { timeoutMs: parseTimeout(options.timeout) }
  const settings = { range, dialect, table: options.table, nowNs, signal: terminal.signal, limits }
  const { namedFiles } = await import('../../sources/files/index.ts')
  let isWhole = true
  const files = await fileTables(options.table, {
    ...namedFiles(paths.length === 0 ? ['-'] : paths),
    hasFileNames: options.withFileName,
    format: input,
    nowNs,
    onProgress: progressOn(terminal),
    onRead: (report) => {
      isWhole &&= !report.passedOver.some(({ isText }) => isText)
      if (options.quiet !== true) tellBadLines(report, terminal)
    },
  })
  try {
    await withCarets(text, terminal, () => answer(text, files, { ...options, format }, settings, terminal))
  } finally {
    await files.close()
  }
  // Some of the files are not part of the answer, as was said.
  if (!isWhole) throw new CommandError('', 1)
}

type QuerySettings = QueryOptions & { readonly dialect: Dialect }

async function answer(
  text: string,
  tables: Tables,
  { format, ...options }: QueryArguments & { readonly format: OutputName },
  settings: QuerySettings,
  terminal: Terminal,
): Promise<void> {
  // A query with errors does not wait for the files: backends that copy rows read them first.
  const compiled = planner(terminal, 'warn').plan(text, settings)
  const session = await openSession(tables, oneOf(options.backend, backendNames, '--backend'), terminal, 'warn')
  try {
    const result = session.engine.queryCompiled(compiled, settings)
    if (terminal.isErrorTty && options.quiet !== true) tellDiagnostics(result.diagnostics, text, terminal)
    const textField = tables.tables.get(options.table)?.definition.textField ?? 'content'
    const output = outputNamed(format, { dialect: settings.dialect, textField, color: options.color }, terminal)
    await terminal.write(output.begin(result.schema))
    for await (const batch of result.batches()) {
      const piece = output.batch(batch)
      if (piece !== '') await terminal.write(piece)
    }
    await terminal.write(output.end())
    const { printExplainTree } = await import('../../engine/index.ts')
    if (options.explain === true) terminal.writeError(`${printExplainTree(result.explain())}\n`)
    if (options.stats === true) terminal.writeError(`${JSON.stringify(result.statistics(), null, 2)}\n`)
  } finally {
    await session.close()
  }
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  rangeOptions(command)
    .argument('<query>', "a query of the log language, such as 'level:error | stats by (workload) count()'")
    .argument(
      '[files...]',
      "files, folders or quoted patterns such as 'logs/**/*.gz': JSON, CSV, TSV, logfmt or plain text, packed too; `-` or none is standard input",
    )
    .option('--format <name>', `${outputNames.join(', ')} (table on a terminal, else ndjson)`)
    .option('--color <when>', colorWords.join(', '), 'auto')
    .option('--input <name>', formatNames.join(', '), 'auto')
    .option('--with-file-name', 'gives every row the path of its file as `_file`')
    .option('--backend <name>', backendNames.join(', '), 'columnar')
    .option('--dialect <name>', 'native, logsql', 'native')
    .option('--table <name>', 'the table that the files hold', 'logs')
    .option('--timeout <time>', timeoutHelp, '60s')
    .option('--explain', 'show on standard error who ran what')
    .option('--stats', 'show on standard error what the query cost')
    .option('--quiet', 'say nothing of bad lines and warnings')
    .action((text: string, files: string[], options: QueryArguments) => run(text, files, options, terminal))
}
