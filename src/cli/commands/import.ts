import { existsSync, rmdirSync, statSync } from 'node:fs'
import { runToEnd, CommandError } from '../../base/index.ts'
import type { Command } from 'commander'
import { rowToJson } from '../../data/index.ts'
import {
  emptyReport,
  formatNames,
  readRecords,
  type FormatName,
  type IngestReport,
  type ReadOptions,
  type RecordOptions,
} from '../../ingest/index.ts'
import { defaultBackendId, jsonFormatOf, jsonTables, openDataToWrite, type DataToWrite } from '../../server/index.ts'
import { diskFiles, discardFolder } from '../../store/durable/index.ts'
import type { CommandModule } from '../command.ts'
import { inputBytes, isParquetName, openInput } from '../../sources/files/index.ts'
import { checkedBackendId } from '../options/backend-id.ts'
import { MAX_DOCUMENT_BYTES, dataKind, readWhole, type DataKind } from '../load-kind.ts'
import { ndjsonOutput } from '../output/index.ts'
import { progressOn, tellBadLines } from '../reading.ts'
import { addRecordOptions, recordFlagsIn, recordOptionsIn } from '../options/record-options.ts'
import type { Terminal } from '../terminal.ts'

interface ImportArguments {
  readonly data: string
  readonly kind: string
  readonly backend: string
  readonly input: string
}

/** Approximate size of a batch in the log, bytes: small enough to be replayed in steps. */
const BATCH_BYTES = 4 * 1024 * 1024

/** Samples are not rows, so they are imported from the output of `export --format series`. */
type ImportKind = DataKind | 'samples'

const importKinds = [...jsonTables, 'samples'] as const

class Importer {
  readonly report: IngestReport = emptyReport()
  readonly #data: () => Promise<Pick<DataToWrite, 'ingest'>>
  readonly #kind: ImportKind
  readonly #options: RecordOptions | undefined
  readonly #onProgress: (report: IngestReport) => void
  readonly #signal: AbortSignal

  constructor(
    data: () => Promise<Pick<DataToWrite, 'ingest'>>,
    kind: ImportKind,
    options: RecordOptions | undefined,
    onProgress: (report: IngestReport) => void,
    signal: AbortSignal,
  ) {
    this.#onProgress = onProgress
    this.#signal = signal
    this.#data = data
    this.#options = options
    this.#kind = kind
  }

  /** Stores one batch and reports unreadable records as the server does. */
  async append(format: string, payload: Uint8Array, options = this.#options): Promise<void> {
    const body = { chunks: [payload], encoding: 'identity' as const }
    const data = await this.#data()
    const stored = await data.ingest({ table: this.#kind, format, options, body })
    const { report } = this
    for (const { line, reason, excerpt = '' } of stored.errors) {
      if (report.examples.length < 5) report.examples.push({ lineNumber: report.lines + line, reason, excerpt })
    }
    report.addAll(stored)
    report.records += stored.accepted
    report.badLines += stored.rejected
    report.lines += stored.accepted + stored.rejected
    report.bytes += payload.length
    this.#onProgress(report)
  }

  /** Stores whole lines in batches; stops after an interrupt. */
  async appendLines(chunks: AsyncIterable<Uint8Array>, options = this.#options): Promise<void> {
    let held: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of chunks) {
      if (this.#signal.aborted) return
      held.push(chunk)
      bytes += chunk.length
      if (bytes < BATCH_BYTES) continue
      const all = Buffer.concat(held)
      const end = all.lastIndexOf(10) + 1
      if (end === 0) continue
      await this.append('ndjson', all.subarray(0, end), options)
      held = [all.subarray(end)]
      bytes = all.length - end
    }
    if (bytes > 0 && !this.#signal.aborted) await this.append('ndjson', Buffer.concat(held), options)
  }
}

async function* asJsonLines(
  path: string,
  context: Omit<ReadOptions, 'report'>,
  { names }: IngestReport,
): AsyncGenerator<Uint8Array> {
  for await (const records of readRecords(openInput(path), { ...context, report: emptyReport() })) {
    if (context.options !== undefined) for (const record of records) for (const name of record.keys()) names.add(name)
    yield Buffer.from(`${records.map((record) => rowToJson(record)).join('\n')}\n`)
  }
}

/** Reads a Parquet file as JSON lines with the time in `_time`. */
async function* rowsAsJsonLines(path: string, table: DataKind, timeField: string | undefined, terminal: Terminal) {
  const { openDuckdbFiles } = await import('../catalog-file.ts')
  const session = await openDuckdbFiles([path], { table, timeField }, terminal)
  try {
    const { signal } = terminal
    const limits = { timeoutMs: Number.MAX_SAFE_INTEGER }
    const result = session.engine.query('*', { table: session.table, nowNs: terminal.nowNs(), limits, signal })
    const lines = ndjsonOutput('native')
    for await (const batch of result.batches()) yield lines.batch(batch)
  } catch (error) {
    // After an interrupt, the lines that were read are still stored.
    if (!terminal.signal.aborted) throw error
  } finally {
    await session.close()
  }
}

async function importFile(
  path: string,
  kind: ImportKind,
  importer: Importer,
  context: Omit<ReadOptions, 'report'>,
  terminal: Terminal,
): Promise<void> {
  if (kind === 'samples') {
    if (isParquetName(path))
      throw new CommandError(`Samples are imported from what \`export --format series\` writes, not from ${path}.`)
    await importer.appendLines(openInput(path))
    return
  }
  if (isParquetName(path)) {
    const { timeFields, ...options } = context.options ?? {}
    await importer.appendLines(rowsAsJsonLines(path, kind, timeFields?.[0], terminal), options)
    return
  }
  if (kind === 'logs' && context.format !== 'json') {
    await importer.appendLines(asJsonLines(path, context, importer.report))
    return
  }
  const whole = path === '-' ? undefined : await readWhole(path, MAX_DOCUMENT_BYTES)
  const format = whole === undefined ? 'ndjson' : runToEnd(jsonFormatOf(kind, whole))
  if (whole === undefined || format === 'ndjson') await importer.appendLines(openInput(path))
  else await importer.append(format, whole)
}

/** Returns the total size in bytes; `undefined` for standard input and compressed files. */
function bytesOf(paths: readonly string[]): number | undefined {
  if (paths.length === 0) return undefined
  let bytes = 0
  for (const path of paths) {
    if (path === '-' || isParquetName(path) || /\.(?:gz|zst|zstd|bz2|xz)$/i.test(path)) return undefined
    bytes += statSync(path, { throwIfNoEntry: false })?.size ?? 0
  }
  return bytes
}

/** Removes the data folder if the import created it and stored no rows. */
async function takeAway(folder: string, wasThere: boolean): Promise<void> {
  // Ignored, so that the first error is reported.
  await discardFolder(diskFiles, folder).catch(() => undefined)
  try {
    if (!wasThere) rmdirSync(folder)
  } catch {
    // Expected: a folder with content cannot be removed.
  }
}

async function run(files: readonly string[], options: ImportArguments, terminal: Terminal): Promise<void> {
  const kind = options.kind === 'samples' ? options.kind : dataKind(options.kind)
  if (kind === undefined) throw new CommandError(`--kind is one of ${importKinds.join(', ')}, not \`${options.kind}\`.`)
  if (!formatNames.some((name) => name === options.input))
    throw new CommandError(`--input is one of ${formatNames.join(', ')}, not \`${options.input}\`.`)
  if (kind !== 'logs' && options.input !== 'json')
    throw new CommandError(`--input ${options.input} is for logs: ${kind} are read as JSON.`)
  const records = recordOptionsIn(options)
  const [said] = recordFlagsIn(options)
  if (kind === 'samples' && said !== undefined)
    throw new CommandError(`${said} is for records: samples have names of their own.`)
  for (const path of files) inputBytes(path)
  const backend = checkedBackendId(options.backend, '--backend')
  const wasThere = existsSync(options.data)
  const isOurs = diskFiles.list(options.data).length === 0
  let opened: Promise<DataToWrite> | undefined
  // Opens the folder with the first batch, so that unreadable input does not create one.
  const open = (): Promise<DataToWrite> =>
    (opened ??= openDataToWrite(options.data, {
      nowNs: () => terminal.nowNs(),
      backend,
      onFailure: (error) => terminal.writeError(`${error instanceof Error ? error.message : String(error)}\n`),
    }))
  const progress = progressOn(terminal)
  const totalBytes = bytesOf(files)
  const onProgress = (report: IngestReport): void => progress(report, totalBytes)
  const importer = new Importer(open, kind, records, onProgress, terminal.signal)
  try {
    for (const path of files.length === 0 ? ['-'] : files) {
      if (terminal.signal.aborted) break
      await importFile(
        path,
        kind,
        importer,
        {
          format: options.input as FormatName,
          nowNs: terminal.nowNs(),
          options: records,
        },
        terminal,
      )
    }
  } finally {
    progress(undefined)
    const data = await opened?.catch(() => undefined)
    await data?.close()
    if (opened !== undefined && isOurs && importer.report.records === 0) await takeAway(options.data, wasThere)
  }
  tellBadLines(importer.report, records, terminal)
  if (terminal.signal.aborted)
    throw new CommandError(
      `Interrupted: ${importer.report.records} ${kind} are stored in ${options.data}, of the first ${importer.report.lines} records; those behind them are not.`,
      130,
    )
  await terminal.write(`${importer.report.records} ${kind} stored in ${options.data}.\n`)
  if (importer.report.records === 0 && importer.report.badLines > 0)
    throw new CommandError('Nothing of it could be read.', 1)
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  addRecordOptions(command)
    .argument(
      '[files...]',
      'JSON lines, JSON documents or Kubernetes events, gzip and zstd too, or Parquet; `-` or none is standard input',
    )
    .requiredOption('--data <folder>', 'the folder that `serve --data` reads')
    .option('--kind <name>', `${importKinds.join(', ')}, the last as \`export --format series\` writes them`, 'logs')
    .option('--backend <id>', 'backend that owns the data', defaultBackendId)
    .option('--input <name>', `json; for logs also ${formatNames.filter((name) => name !== 'json').join(', ')}`, 'json')
    .action((files: string[], options: ImportArguments) => run(files, options, terminal))
}
