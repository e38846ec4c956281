import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import process from 'node:process'
import { finished } from 'node:stream/promises'
import { createGzip, createZstdCompress } from 'node:zlib'
import { CommandError } from '../../base/index.ts'
import type { CommandModule } from '../command.ts'
import type { OutputName } from '../output/index.ts'
import { writerOf } from '../process-terminal.ts'
import { checkQueryIsNoFile, shellText } from '../query-argument.ts'
import type { Terminal } from '../terminal.ts'
import { fileQueryOptions, filesHelp, queryFiles, type QueryArguments } from './query.ts'

interface ExportArguments extends QueryArguments {
  readonly output: string
}

/** Formats by the ending of a file's name. */
const FORMATS: ReadonlyMap<string, OutputName> = new Map<string, OutputName>([
  ['ndjson', 'ndjson'],
  ['jsonl', 'ndjson'],
  ['json', 'json'],
  ['csv', 'csv'],
  ['logfmt', 'logfmt'],
  ['log', 'raw'],
  ['txt', 'table'],
])

function formatOf(path: string): OutputName | undefined {
  const ending = /\.([a-z]+)(?:\.(?:gz|zst))?$/i.exec(path)?.[1]
  return ending === undefined ? undefined : FORMATS.get(ending.toLowerCase())
}

function packerOf(path: string) {
  if (/\.gz$/i.test(path)) return createGzip()
  return /\.zst$/i.test(path) ? createZstdCompress() : undefined
}

/** Writes the answer beside the file and then puts it in its place: a file of this name is either whole or as it was. */
async function run(query: string, files: readonly string[], options: ExportArguments, terminal: Terminal) {
  const { output } = options
  checkQueryIsNoFile(
    `export --output ${shellText([output])}`,
    query,
    files,
    options.catalog !== undefined || options.data !== undefined,
  )
  const format = options.format ?? formatOf(output)
  if (format === undefined)
    throw new CommandError(
      `--format says how to write \`${output}\`: its name ends in none of ${[...FORMATS.keys()].join(', ')}.`,
    )
  const partial = `${output}.${process.pid}.part`
  const file = createWriteStream(partial, { flags: 'wx' })
  const packer = packerOf(output)
  const sink = packer ?? file
  packer?.pipe(file)
  const ended = finished(file)
  // Whoever writes is told; nobody waits for the end after that.
  ended.catch(() => {})
  file.on('error', (error) => packer?.destroy(error))
  try {
    const write = writerOf(sink)
    await queryFiles(query, files, { ...options, format, color: 'never' }, { ...terminal, isOutputTty: false, write })
    sink.end()
    await ended
    if (terminal.signal.aborted) throw new CommandError('Interrupted: nothing was written.', 1)
    await rename(partial, output)
  } catch (error) {
    file.destroy()
    await rm(partial, { force: true })
    const isFileFault = error instanceof Error && 'syscall' in error && 'code' in error
    throw isFileFault ? new CommandError(`Cannot write ${output}: ${error.message}`, 1) : error
  }
  if (options.quiet !== true) terminal.writeError(`Written to ${output}.\n`)
}

export const define: CommandModule['define'] = (command, terminal) => {
  fileQueryOptions(command)
    .argument('<query>', 'what is written')
    .argument('[files...]', filesHelp)
    .requiredOption(
      '--output <file>',
      `where to; its ending is the format (${[...FORMATS.keys()].join(', ')}), .gz or .zst packs it`,
    )
    .action((query: string, files: string[], options: ExportArguments) => run(query, files, options, terminal))
}
