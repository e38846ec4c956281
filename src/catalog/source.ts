import { isAbsolute, join } from 'node:path'
import { at, nearestNames, type Diagnostic, type JsonPath } from '../base/index.ts'
import type { ForeignFormat, ForeignSource } from '../backends/sql/index.ts'
import { catalogDiagnostic } from './diagnostics.ts'
import type { CatalogText } from './text/read-file.ts'
import type { FileConnection, FileTable } from './text/schema.ts'
import { listOf } from './words.ts'

const formats: readonly (readonly [RegExp, ForeignFormat])[] = [
  [/\.parquet$/i, 'parquet'],
  [/\.(csv|tsv)(\.gz|\.zst)?$/i, 'csv'],
  [/\.(json|ndjson|jsonl)(\.gz|\.zst)?$/i, 'json'],
  [/\.(arrow|feather|ipc)$/i, 'arrow'],
]

/** Returns the file format that a file name's extension stands for. */
export function formatOfPath(path: string): ForeignFormat | undefined {
  return formats.find(([pattern]) => pattern.test(path))?.[1]
}

export interface TableSource {
  readonly connection: string
  readonly source: ForeignSource
}

/** Splits a dotted table name into its parts. A name whose parts contain dots must be given as a list. */
export function pathOf(table: string | readonly string[]): readonly string[] {
  return typeof table === 'string' ? table.split('.') : table
}

/** Returns the connection and source of a table, or the errors of its declaration. */
export function sourceOf(
  name: string,
  table: FileTable,
  { file, spanOf }: CatalogText,
  folder = '.',
  nowNs = 0n,
): TableSource | readonly Diagnostic[] {
  const path: JsonPath = ['tables', name]
  const known = Object.keys(file.connections)
  const withReported = (...diagnostics: readonly Diagnostic[]): readonly Diagnostic[] => diagnostics
  const [only] = known
  if (table.connection === undefined && (known.length !== 1 || only === undefined))
    return withReported(catalogDiagnostic('which-connection', { table: name, known }, at(spanOf(path, 'key'))))
  const connectionName = table.connection ?? only ?? ''
  const connection: FileConnection | undefined = Object.hasOwn(file.connections, connectionName)
    ? file.connections[connectionName]
    : undefined
  if (connection === undefined) {
    const data = { name: connectionName, near: nearestNames(connectionName, known), known }
    return withReported(catalogDiagnostic('no-connection', data, at(spanOf([...path, 'connection']))))
  }
  const hasArrival = typeof table.time === 'object' && 'arrival' in table.time
  const arrival = hasArrival ? { arrivalNs: nowNs } : {}
  if (table.files === undefined)
    return { connection: connectionName, source: { kind: 'table', path: pathOf(table.table ?? name), ...arrival } }
  const where = at(spanOf([...path, 'files']))
  if (table.table !== undefined) return withReported(catalogDiagnostic('two-sources', {}, where))
  const { engine } = connection
  if (engine !== 'duckdb') return withReported(catalogDiagnostic('files-need-duckdb', { engine }, where))
  const files = listOf(table.files)
  const format = table.format ?? formatOfPath(files[0] ?? '')
  if (format === undefined) return withReported(catalogDiagnostic('file-format', { path: files[0] ?? '' }, where))
  const paths = files.map((each) => (isAbsolute(each) || /^\w+:\/\//.test(each) ? each : join(folder, each)))
  return { connection: connectionName, source: { kind: 'files', format, paths, ...arrival } }
}
