import { readFileSync } from 'node:fs'
import { present } from '../../src/base/index.ts'
import { foreignBackend, type ForeignBackend } from '../../src/backends/sql/index.ts'
import { checkCatalog } from '../../src/catalog/index.ts'
import { Instant, toText, type Value } from '../../src/data/index.ts'
import { createEngine, type Engine } from '../../src/engine/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import type { ClickHouse } from './index.ts'

export interface MappedTables {
  readonly engine: Engine
  readonly backend: ForeignBackend
  close(): Promise<void>
}

/**
 * Opens a catalog over a test server as `serve --catalog` does. The address and database in the text are replaced by
 * those of the server.
 */
export async function openTables(server: ClickHouse, text: string, database: string): Promise<MappedTables> {
  const written = text.replace(/url: .*/u, `url: ${server.url}`).replace(/database: .*/u, `database: ${database}`)
  const env = { CLICKHOUSE_USER: server.username, CLICKHOUSE_PASSWORD: server.password }
  const { tables, engines, diagnostics } = await checkCatalog(written, { env })
  if (diagnostics.length > 0) throw new Error(diagnostics.map((each) => each.message).join('\n'))
  const backend = foreignBackend(
    present(engines.get('clickhouse')),
    tables.map((each) => each.mapping),
    standardFunctions,
  )
  return {
    backend,
    engine: createEngine({ catalog: backend.catalog, backends: [backend] }),
    close: () => backend.close(),
  }
}

export const otelCatalog = readFileSync(
  new URL('../../grammar/catalogs/opentelemetry-clickhouse.yaml', import.meta.url),
  'utf8',
)

/** Formats a value as hand-written statements return it: times in nanoseconds, missing values as `''`. */
function plain(value: Value): string {
  return value instanceof Instant ? String(value.ns) : value === null ? '' : toText(value)
}

/** Converts a row to an object of strings, without missing values. */
export function plainRow(row: ReadonlyMap<string, Value>): Record<string, string> {
  return Object.fromEntries(
    [...row].map(([name, value]) => [name, plain(value)] as const).filter(([, text]) => text !== ''),
  )
}
