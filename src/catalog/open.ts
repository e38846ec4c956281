import { SluiceError, at, checkArgument, throwIfErrors, type Diagnostic } from '../base/index.ts'
import type { ForeignEngine, ForeignSource, TableMapping } from '../backends/sql/index.ts'
import { checkConnection, connect, connectOptions, type ConnectOptions, type FileSource } from './connect.ts'
import { catalogDiagnostic } from './diagnostics.ts'
import { fullTextOf, samplesOf } from './look.ts'
import { mappingOf } from './mapping.ts'
import { sourceOf, type TableSource } from './source.ts'
import type { CatalogText } from './text/read-file.ts'
import type { CatalogFile, FileSeries, FileTable } from './text/schema.ts'

/** A table of a catalog, its mapping and its connection. */
export interface MappedTable {
  readonly connection: string
  readonly mapping: TableMapping
}

/** The result of checking a catalog: its valid parts and all errors. */
export interface CheckedCatalog {
  readonly tables: readonly MappedTable[]
  readonly engines: ReadonlyMap<string, ForeignEngine>
  readonly diagnostics: readonly Diagnostic[]
  /** For tables of metric samples: the fields that the catalog declares as name and value. */
  readonly series: ReadonlyMap<string, FileSeries>
}

function isSource(found: TableSource | readonly Diagnostic[]): found is TableSource {
  return 'source' in found
}

/** Runs the checks that need no database. */
function checkText(text: CatalogText): readonly Diagnostic[] {
  const { file, spanOf } = text
  const reported = Object.entries(file.connections).flatMap(([name, each]) => checkConnection(name, each, spanOf))
  if (Object.keys(file.tables).length === 0)
    reported.push(catalogDiagnostic('no-tables', {}, at(spanOf(['tables'], 'key'))))
  for (const [name, table] of Object.entries(file.tables)) {
    const found = sourceOf(name, table, text)
    if (!isSource(found)) reported.push(...found)
  }
  return reported
}

/** Returns the files of a connection's tables. */
function filesOf(connection: string, read: CatalogText, folder: string | undefined): readonly FileSource[] {
  return Object.entries(read.file.tables).flatMap(([name, table]) => {
    const found = sourceOf(name, table, read, folder)
    if (!isSource(found) || found.connection !== connection || found.source.kind !== 'files') return []
    return [found.source]
  })
}

function isAbsent(code: string): boolean {
  return code === 'foreign/no-source' || code === 'foreign/no-file'
}

async function mapTable(
  name: string,
  table: FileTable,
  { source: named }: TableSource,
  engine: ForeignEngine,
  { spanOf }: CatalogText,
): Promise<{ readonly mapping?: TableMapping | undefined; readonly diagnostics: readonly Diagnostic[] }> {
  try {
    const source = (await engine.settle?.(named)) ?? named
    // Describes the table as the database has it, without the time column that Sluice adds.
    const described: ForeignSource = source.kind === 'table' ? { kind: 'table', path: source.path } : source
    return await mappingOf({
      name,
      table,
      engine: engine.name,
      source,
      columns: await engine.describe(described),
      samples: (column) => samplesOf(engine, described, column),
      fullText: (table) => fullTextOf(engine, table),
      spanOf: (path, key) => spanOf(['tables', name, ...path], key),
    })
  } catch (error) {
    if (!(error instanceof SluiceError) || !isAbsent(error.code)) throw error
    const where = at(spanOf(['tables', name, named.kind === 'files' ? 'files' : 'table'], 'key'))
    return { diagnostics: error.diagnostics.map((each) => ({ ...each, origin: where })) }
  }
}

/**
 * Reads a catalog and checks it against its databases, whose connections stay open. Throws SluiceError for errors in
 * the text before it connects, and `foreign/connect` if a database cannot be reached.
 */
export async function checkCatalog(text: string, options: ConnectOptions = {}): Promise<CheckedCatalog> {
  checkArgument(
    typeof text === 'string',
    text,
    'the text of a catalog',
    "openCatalog(readFileSync('catalog.yaml', 'utf8'))",
  )
  connectOptions.check(options, '`openCatalog`')
  // Loaded here, because only catalogs in text form need the YAML reader.
  const { readCatalog } = await import('./text/index.ts')
  return compareCatalog(readCatalog(text), options)
}

/** Like `checkCatalog`, for a catalog that a program built. Errors have no positions, since there is no text. */
export function checkMade(file: CatalogFile, options: ConnectOptions): Promise<CheckedCatalog> {
  return compareCatalog({ file, spanOf: () => ({ start: 0, end: 0 }) }, options)
}

async function compareCatalog(read: CatalogText, options: ConnectOptions): Promise<CheckedCatalog> {
  throwIfErrors(checkText(read))
  const nowNs = options.nowNs ?? BigInt(Date.now()) * 1_000_000n
  const engines = new Map<string, ForeignEngine>()
  const tables: MappedTable[] = []
  const diagnostics: Diagnostic[] = []
  try {
    for (const [name, connection] of Object.entries(read.file.connections)) {
      try {
        engines.set(name, await connect(name, connection, options, filesOf(name, read, options.folder)))
      } catch (error) {
        if (!(error instanceof SluiceError)) throw error
        const where = at(read.spanOf(['connections', name], 'key'))
        throw new SluiceError(error.diagnostics.map((each) => ({ ...each, origin: where })))
      }
    }
    for (const [name, table] of Object.entries(read.file.tables)) {
      const found = sourceOf(name, table, read, options.folder, nowNs)
      const engine = isSource(found) ? engines.get(found.connection) : undefined
      if (!isSource(found) || engine === undefined) continue
      const known = options.mappings?.find((mapping) => mapping.name === name)
      const { mapping, diagnostics: reported } = known
        ? { mapping: known, diagnostics: [] }
        : await mapTable(name, table, found, engine, read)
      diagnostics.push(...reported)
      if (mapping !== undefined) tables.push({ connection: found.connection, mapping })
    }
  } catch (error) {
    await closeAll(engines)
    throw error
  }
  const series = new Map(
    Object.entries(read.file.tables).flatMap(([name, table]) => (table.series ? [[name, table.series] as const] : [])),
  )
  return { tables, engines, diagnostics, series }
}

export async function closeAll(engines: ReadonlyMap<string, ForeignEngine>): Promise<void> {
  await Promise.all([...engines.values()].map((engine) => engine.close()))
}
