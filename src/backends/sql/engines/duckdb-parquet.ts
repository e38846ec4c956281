import { CHUNK_BYTES, SluiceError, nowhere } from '../../../base/index.ts'
import { foreignDiagnostic } from '../foreign/diagnostics.ts'
import { loadDuckdb, quotedText, reasonOf } from './duckdb.ts'

export type ParquetType = 'BOOLEAN' | 'BIGINT' | 'DOUBLE' | 'TIMESTAMP_NS' | 'VARCHAR'

export interface ParquetColumn {
  readonly name: string
  readonly type: ParquetType
}

export interface ParquetOptions {
  /** Input file in JSON lines: each line is an object with the columns as members and strings as values. */
  readonly lines: string
  /** Upper bound of the length of a line, bytes. */
  readonly lineBytes: number
  /** The columns, at least one. Names must differ in more than case. */
  readonly columns: readonly ParquetColumn[]
  /** The Parquet file to write. */
  readonly path: string
  /** Folder in which DuckDB may write data that do not fit into memory. */
  readonly scratch: string
  readonly signal: AbortSignal
}

const MEMORY = '1GiB'
const THREADS = '2'

const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * Converts JSON lines to a Parquet file compressed with zstd. Rejects with SluiceError `sql/…` if DuckDB is not
 * installed or cannot write the file.
 */
export async function writeParquet({
  lines,
  lineBytes,
  columns,
  path,
  scratch,
  signal,
}: ParquetOptions): Promise<void> {
  const { DuckDBInstance } = await loadDuckdb()
  const settings = { threads: THREADS, memory_limit: MEMORY, temp_directory: scratch, preserve_insertion_order: 'true' }
  const instance = await DuckDBInstance.create(':memory:', settings)
  const connection = await instance.connect()
  const interrupt = (): void => connection.interrupt()
  signal.addEventListener('abort', interrupt)
  try {
    const types = columns.map(({ name }) => `${quotedName(name)}: 'VARCHAR'`).join(', ')
    const casts = columns.map(({ name, type }) => `CAST(${quotedName(name)} AS ${type}) AS ${quotedName(name)}`)
    const rows = `read_json(${quotedText(lines)}, format = 'newline_delimited', columns = {${types}}, maximum_object_size = ${Math.max(CHUNK_BYTES, lineBytes)})`
    await connection.run(
      `COPY (SELECT ${casts.join(', ')} FROM ${rows}) TO ${quotedText(path)} (FORMAT parquet, COMPRESSION zstd)`,
    )
  } catch (error) {
    throw new SluiceError([
      foreignDiagnostic('statement-failed', { engine: 'DuckDB', reason: reasonOf(error) }, nowhere),
    ])
  } finally {
    signal.removeEventListener('abort', interrupt)
    connection.closeSync()
    instance.closeSync()
  }
}
