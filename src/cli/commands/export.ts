import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import process from 'node:process'
import { finished } from 'node:stream/promises'
import { createGzip, createZstdCompress } from 'node:zlib'
import { CommandError, isSystemError } from '../../base/index.ts'
import type { CommandModule } from '../command.ts'
import { outputNames, ParquetLines } from '../output/index.ts'
import { writerOf } from '../process-terminal.ts'
import { writeSeries } from '../series-output.ts'
import { checkQueryIsNoFile, queryArgument, shellText } from '../options/query-argument.ts'
import { filterRule } from '../options/where-option.ts'
import type { Terminal } from '../terminal.ts'
import { queryFiles } from './query.ts'
import { filesHelp, queryOptions, type QueryArguments } from '../options/query-options.ts'

interface ExportArguments extends Omit<QueryArguments, 'format' | 'output'> {
  readonly format?: FormatName
  readonly output: string
}

const formatNames = [...outputNames, 'parquet', 'series'] as const
type FormatName = (typeof formatNames)[number]

/** Formats by file ending. */
const FORMATS: ReadonlyMap<string, FormatName> = new Map<string, FormatName>([
  ['ndjson', 'ndjson'],
  ['jsonl', 'ndjson'],
  ['json', 'json'],
  ['csv', 'csv'],
  ['logfmt', 'logfmt'],
  ['log', 'raw'],
  ['txt', 'table'],
  ['parquet', 'parquet'],
])

function formatOf(path: string): FormatName | undefined {
  const ending = /\.([a-z]+)(?:\.(?:gz|zst))?$/i.exec(path)?.[1]
  return ending === undefined ? undefined : FORMATS.get(ending.toLowerCase())
}

function packerOf(path: string) {
  if (/\.gz$/i.test(path)) return createGzip()
  return /\.zst$/i.test(path) ? createZstdCompress() : undefined
}

/** Converts the lines to a Parquet file. */
async function intoParquet({ columns, lineBytes }: ParquetLines, lines: string, signal: AbortSignal): Promise<void> {
  if (columns.length === 0) throw new CommandError('The answer has no rows: a Parquet file would have no columns.', 1)
  const byCase = new Map<string, string>()
  for (const { name } of columns) {
    const known = byCase.get(name.toLowerCase())
    if (known !== undefined)
      throw new CommandError(
        `A Parquet file cannot have columns that differ in case alone, as \`${known}\` and \`${name}\`: add \`| rename\` or \`| delete\`.`,
        1,
      )
    byCase.set(name.toLowerCase(), name)
  }
  const path = `${lines}.parquet`
  const scratch = `${lines}.tmp`
  const { writeParquet } = await import('../../backends/sql/index.ts')
  try {
    await writeParquet({ lines, lineBytes, columns, path, scratch, signal })
    await rename(path, lines)
  } finally {
    await rm(path, { force: true })
    await rm(scratch, { recursive: true, force: true })
  }
}

/** Writes to a temporary file and renames it: the target is either whole or unchanged. */
async function run(query: string, files: readonly string[], options: ExportArguments, terminal: Terminal) {
  const { output } = options
  checkQueryIsNoFile(
    `export --output ${shellText([output])}`,
    query,
    files,
    options.catalog !== undefined || options.data !== undefined || options.server !== undefined,
  )
  const format = options.format ?? formatOf(output)
  if (format === undefined)
    throw new CommandError(
      `--format says how to write \`${output}\`: its name ends in none of ${[...FORMATS.keys()].join(', ')}.`,
    )
  if (format === 'parquet' && packerOf(output) !== undefined)
    throw new CommandError(`A Parquet file is packed inside: \`${output}\` must end in .parquet.`)
  const partial = `${output}.${process.pid}.part`
  const file = createWriteStream(partial, { flags: 'wx' })
  const packer = packerOf(output)
  const sink = packer ?? file
  packer?.pipe(file)
  const ended = finished(file)
  // Only prevents an unhandled rejection: the writer reports the error.
  ended.catch(() => {})
  file.on('error', (error) => packer?.destroy(error))
  try {
    const write = writerOf(sink)
    const how = { ...terminal, isOutputTty: false, write }
    const parquet = format === 'parquet' ? new ParquetLines() : undefined
    const written = { format: format === 'parquet' || format === 'series' ? ('ndjson' as const) : format }
    if (format === 'series') await writeSeries(query, files, options, how)
    else await queryFiles(query, files, { ...options, ...written, output: parquet, color: 'never' }, how)
    sink.end()
    await ended
    if (parquet !== undefined) await intoParquet(parquet, partial, terminal.signal)
    if (terminal.signal.aborted) throw new CommandError('Interrupted: nothing was written.', 130)
    await rename(partial, output)
  } catch (error) {
    file.destroy()
    // The stream may still create the file until it is closed.
    await ended.catch(() => undefined)
    await rm(partial, { force: true })
    throw isSystemError(error) ? new CommandError(`Cannot write ${output}: ${error.message}`, 1) : error
  }
  if (options.quiet !== true) terminal.writeError(`Written to ${output}.\n`)
}

export const define: CommandModule['define'] = (command, terminal) => {
  queryArgument(
    queryOptions(command, formatNames),
    `what is written. ${filterRule}. With --format series a selector of series, \`*\` for all, such as 'up{job="api"}'`,
  )
    .argument('[files...]', filesHelp)
    .requiredOption(
      '--output <file>',
      `file to write; its ending selects the format (${[...FORMATS.keys()].join(', ')}), .gz or .zst compresses it`,
    )
    .action((query: string, files: string[], options: ExportArguments) => run(query, files, options, terminal))
}
