import { CommandError } from '../base/index.ts'
import type { DataArguments } from './data-session.ts'
import { recordFlagsIn, recordOptionsIn } from './options/record-options.ts'
import { checkNoTables, type TableArguments } from './options/table-option.ts'
import type { BackendName, OpenedSession } from './session.ts'
import type { Terminal } from './terminal.ts'

interface DatabaseArguments extends DataArguments, Pick<TableArguments, 'otherTables'> {
  readonly catalog?: string | undefined
  readonly table?: string | undefined
  readonly requirePushdown?: number | undefined
  readonly quiet?: boolean | undefined
  readonly backend?: BackendName | undefined
  readonly withFileName?: boolean | undefined
}

export type OpenSession = () => Promise<OpenedSession>

/**
 * Opens a data folder, the databases of a catalog, or DuckDB over Parquet files; returns `undefined` for other files.
 */
export async function databasesOf(
  paths: readonly string[],
  options: DatabaseArguments,
  terminal: Terminal,
  text = '',
): Promise<OpenSession | undefined> {
  const { catalog, data, table, requirePushdown } = options
  if (data !== undefined) {
    if (catalog !== undefined) throw new CommandError('Either --data or --catalog can be given, not both.')
    if (paths.length > 0) throw new CommandError('Either --data or files can be given, not both.')
    checkNoTables(options, '--data')
    const { openDataSession, readsSamples } = await import('./data-session.ts')
    return () => openDataSession(data, { ...options, hasSamples: readsSamples(text, table) }, terminal)
  }
  if (catalog !== undefined) {
    if (paths.length > 0) throw new CommandError('Either --catalog or files can be given, not both.')
    checkNoTables(options, '--catalog')
    const { openCatalogSession } = await import('./catalog-file.ts')
    return () => openCatalogSession(catalog, { table, requirePushdown }, terminal)
  }
  const parquet = await parquetAmong(paths)
  if (parquet.length === 0) {
    if (requirePushdown === undefined) return undefined
    throw new CommandError('--require-pushdown goes with --catalog or Parquet files.')
  }
  checkNoTables(options, 'Parquet files')
  checkParquetOptions(options)
  const { openDuckdbFiles } = await import('./catalog-file.ts')
  const timeField = recordOptionsIn(options)?.timeFields?.[0]
  const how = { table: table ?? 'logs', requirePushdown, timeField, isQuiet: options.quiet }
  return () => openDuckdbFiles(parquet, how, terminal)
}

/** Throws CommandError for options about parsing lines, since Parquet files have no lines. */
function checkParquetOptions({ withFileName, ...options }: DatabaseArguments): void {
  const given = recordFlagsIn(options).find((flag) => flag !== '--time-field' && flag !== '--tz')
  const option = withFileName === true ? '--with-file-name' : given
  if (option !== undefined) throw new CommandError(`${option} is for files of lines; those of Parquet have columns.`)
}

/**
 * Returns the file names if all of them are Parquet files, which DuckDB reads; an empty list if none is. Throws
 * CommandError for a mixture.
 */
async function parquetAmong(names: readonly string[]): Promise<readonly string[]> {
  // Neither `-` nor `logs=FILE` (a kind and a file) is the name of a Parquet file.
  if (names.every((name) => name === '-' || /^\w+=/.test(name))) return []
  const { isParquetName, namedFiles } = await import('../sources/files/index.ts')
  const { paths } = namedFiles(names)
  const found = paths.filter((path) => isParquetName(path))
  if (found.length === 0 || found.length === paths.length) return found
  const other = paths.find((path) => !isParquetName(path)) ?? ''
  throw new CommandError(
    `${found[0] ?? ''} is a Parquet file and ${other} is not: they are read by different engines, so name one kind at a time.`,
  )
}
