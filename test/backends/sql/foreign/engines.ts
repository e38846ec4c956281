import type { ForeignBackend } from '../../../../src/backends/sql/index.ts'
import type { StoredRow } from '../../../../src/data/index.ts'
import type { Layout } from './layouts.ts'
import { hasClickHouse } from '../../../clickhouse/index.ts'
import { clickhouseUnderTest } from './clickhouse-engine.ts'
import { duckdbUnderTest } from './duckdb-engine.ts'

/** An engine with its own copy of the rows, for comparison with the row model. */
export interface LoadedEngine {
  readonly backend: ForeignBackend
  close(): Promise<void>
}

/** An engine that tests can start without an external server. */
export interface EngineUnderTest {
  readonly name: string
  load(layout: Layout, rows: readonly StoredRow[]): Promise<LoadedEngine>
}

export const foreignEngines: readonly EngineUnderTest[] = [
  duckdbUnderTest,
  // Install it with `npm install --no-save --prefix test/clickhouse`.
  ...(hasClickHouse ? [clickhouseUnderTest] : []),
]
