import { Budget, CALL_TIMEOUT_MS, SAMPLE_ROWS } from '../base/index.ts'
import {
  fillTemplate,
  type ForeignEngine,
  type ForeignForm,
  type ForeignName,
  type ForeignSource,
  type ForeignValue,
} from '../backends/sql/index.ts'
import { defaultEngineLimits } from '../engine/index.ts'

/** Maximum length in UTF-16 units of a sample value. */
const SAMPLE_CHARS = 200

/** Runs a statement that inspects a database. All its result columns are strings. */
async function rowsOf(
  engine: ForeignEngine,
  sql: string,
  columns: number,
): Promise<readonly (readonly ForeignValue[])[]> {
  const budget = new Budget({ ...defaultEngineLimits, timeoutMs: CALL_TIMEOUT_MS }, () => performance.now())
  const forms = Array.from({ length: columns }, (): ForeignForm => 'text')
  const rows: ForeignValue[][] = []
  for await (const batch of engine.run({ sql, parameters: [], forms }, { budget, batchRows: 1024 })) {
    for (let i = 0; i < batch.rowCount; i++) rows.push(batch.columns.map((column) => column[i] ?? null))
  }
  return rows
}

function sourceText({ dialect }: ForeignEngine, source: ForeignSource): string {
  const own = dialect.foreign?.source(source)
  return own ?? (source.kind === 'table' ? source.path.map((part) => dialect.identifier(part)).join('.') : '')
}

/** Returns the first non-missing values of a column as strings. */
export async function samplesOf(
  engine: ForeignEngine,
  source: ForeignSource,
  column: string,
): Promise<readonly string[]> {
  const name = engine.dialect.identifier(column)
  const text = engine.name === 'clickhouse' ? `toString(${name})` : `CAST(${name} AS TEXT)`
  const sql = `SELECT ${text} AS value\nFROM ${sourceText(engine, source)}\nWHERE ${name} IS NOT NULL\nLIMIT ${SAMPLE_ROWS}`
  const rows = await rowsOf(engine, sql, 1)
  return rows.flatMap(([value]) => (typeof value === 'string' ? [value.slice(0, SAMPLE_CHARS)] : []))
}

/** True if a sample is a JSON object, or starts like one. */
export function isObjectText(sample: string): boolean {
  if (!/^\s*\{\s*["}]/.test(sample)) return false
  if (sample.length >= SAMPLE_CHARS) return true
  try {
    JSON.parse(sample)
    return true
  } catch {
    return false
  }
}

/** Statements that list the user's tables. Each row has the parts of one table's name. */
const listings: Readonly<Record<ForeignName, string>> = {
  duckdb: `SELECT table_schema, table_name FROM information_schema.tables
WHERE table_catalog = current_database() AND table_schema NOT IN ('information_schema', 'pg_catalog') ORDER BY 1, 2`,
  clickhouse: `SELECT database, name FROM system.tables WHERE database = currentDatabase() AND is_temporary = 0 ORDER BY 2`,
  postgres: `SELECT table_schema::text, table_name::text FROM information_schema.tables
WHERE table_schema NOT IN ('information_schema', 'pg_catalog') ORDER BY 1, 2`,
  // Excludes the internal tables of full-text tables.
  sqlite: `SELECT 'main', name FROM sqlite_schema AS t WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
AND sql NOT LIKE 'CREATE VIRTUAL TABLE%'
AND NOT EXISTS (SELECT 1 FROM sqlite_schema AS v WHERE v.sql LIKE 'CREATE VIRTUAL TABLE%' AND substr(t.name, 1, length(v.name) + 1) = v.name || '_')
ORDER BY name`,
}

/** Schemas that are omitted from table names. */
const usualSchemas: ReadonlySet<string> = new Set(['main', 'public'])

/** Returns the tables of a database, each as the parts of its name. */
export async function tablesOf(engine: ForeignEngine): Promise<readonly (readonly string[])[]> {
  const rows = await rowsOf(engine, listings[engine.name], 2)
  return rows.map(([schema, table]) => {
    const parts = [String(schema), String(table)]
    return engine.name === 'clickhouse' || usualSchemas.has(String(schema)) ? parts.slice(1) : parts
  })
}

/** Returns a statement that lists the index definitions of a table; `undefined` if the database has no word indexes. */
function indexListing(engine: ForeignEngine, path: readonly string[]): string | undefined {
  const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
  const table = literal(path.at(-1) ?? '')
  switch (engine.name) {
    case 'clickhouse':
      return `SELECT type, expr FROM system.data_skipping_indices WHERE table = ${table} AND database = currentDatabase()`
    case 'postgres':
      return `SELECT indexdef::text, ''::text FROM pg_indexes WHERE tablename = ${table}`
    case 'sqlite':
      return `SELECT name, sql FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL TABLE%fts5%'`
    default:
      return undefined
  }
}

/** Returns the statement that created a full-text table of SQLite. */
export async function fullTextOf(engine: ForeignEngine, table: string): Promise<string | undefined> {
  const name = table.replaceAll("'", "''")
  const sql = `SELECT sql FROM sqlite_schema WHERE name = '${name}' AND sql LIKE 'CREATE VIRTUAL TABLE%'`
  const [row] = await rowsOf(engine, sql, 1)
  return row === undefined ? undefined : String(row[0])
}

/** Returns the word index of a text column as a catalog declares it; `undefined` if the database shows none. */
export async function wordsOf(
  engine: ForeignEngine,
  path: readonly string[],
  column: string,
): Promise<'text' | 'trigram' | 'tsvector' | { readonly fts5: string } | undefined> {
  const sql = indexListing(engine, path)
  if (sql === undefined) return undefined
  for (const row of await rowsOf(engine, sql, 2)) {
    const [first, second] = row.map(String) as [string, string]
    // Other kinds of word indexes would miss matching rows, or not speed up the search.
    const indexed = engine.dialect.functions['indexed-text']
    if (engine.name === 'clickhouse' && first === 'text' && indexed !== undefined) {
      if (second === fillTemplate(indexed, [engine.dialect.identifier(column)])) return 'text'
    }
    if (engine.name === 'postgres' && first.includes(column)) {
      if (first.includes('gin_trgm_ops') || first.includes('gist_trgm_ops')) return 'trigram'
      if (first.includes('to_tsvector')) return 'tsvector'
    }
    if (engine.name === 'sqlite') {
      // Matches `content='requests'` with any kind of quotes.
      const [, over = ''] = /content\s*=\s*['"]?([^'",)]*)/i.exec(second) ?? []
      const isOver = over.trim() === path.at(-1)
      if (isOver && second.includes(column)) return { fts5: first }
    }
  }
  return undefined
}
