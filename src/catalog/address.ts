import type { ForeignName } from '../backends/sql/index.ts'

/** A database engine and its address: a file path, or a URL for `postgres` and `clickhouse`. */
export interface DatabaseAddress {
  readonly engine: ForeignName
  readonly where: string
}

/** Returns the database that a URL or file path refers to. */
export function databaseOf(where: string): DatabaseAddress | undefined {
  const [, prefix, path = ''] = /^(sqlite|duckdb):(?:\/\/)?(.*)$/.exec(where) ?? []
  if (prefix === 'sqlite' || prefix === 'duckdb') return { engine: prefix, where: path }
  if (/^postgres(ql)?:\/\//.test(where)) return URL.canParse(where) ? { engine: 'postgres', where } : undefined
  if (/^(https?|clickhouse):\/\//.test(where)) return URL.canParse(where) ? { engine: 'clickhouse', where } : undefined
  if (/\.(db|db3|sqlite|sqlite3|s3db)$/i.test(where)) return { engine: 'sqlite', where }
  if (/\.(duckdb|ddb)$/i.test(where)) return { engine: 'duckdb', where }
  return undefined
}
