import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEngine, type ForeignEngine } from '../../../backends/sql/index.ts'
import { enumTexts } from '../layout.ts'
import { quoted, statementsOf, type OpenTestbed, type StoredValue, type Testbed } from '../testbed.ts'

const plain = (value: StoredValue): string => String(value)
const text = (value: StoredValue): string => quoted(String(value))

const types: Testbed['types'] = {
  text: { declared: 'VARCHAR', literal: text },
  enum: { declared: `ENUM(${enumTexts.map(quoted).join(', ')})`, literal: text },
  double: { declared: 'DOUBLE', literal: (value) => `'${value}'::DOUBLE`, hasNaN: true },
  integer: { declared: 'BIGINT', literal: (value) => `'${value}'::BIGINT` },
  bool: { declared: 'BOOLEAN', literal: plain },
  map: {
    declared: 'MAP(VARCHAR, VARCHAR)',
    literal: (value) => {
      const members = Object.entries(JSON.parse(String(value)) as Readonly<Record<string, string>>)
      const [keys, values] = [members.map(([key]) => quoted(key)), members.map(([, each]) => quoted(each))]
      return `MAP([${keys.join(', ')}]::VARCHAR[], [${values.join(', ')}]::VARCHAR[])`
    },
  },
  json: { declared: 'JSON', literal: text },
  'time-type': { declared: 'TIMESTAMP_NS', literal: text, stepNs: 1n },
  'time-s': { declared: 'BIGINT', literal: plain },
  'time-ms': { declared: 'BIGINT', literal: plain },
  'time-us': { declared: 'BIGINT', literal: plain },
  'time-ns': { declared: 'BIGINT', literal: plain },
  'time-text': { declared: 'VARCHAR', literal: text },
}

function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

async function open(): Promise<OpenTestbed | undefined> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const folder = mkdtempSync(join(tmpdir(), 'sluice-fuzz-'))
  const engines = new Map<string, ForeignEngine>()
  let files = 0
  return {
    // A first connection writes the file; then a read-only connection opens the file.
    create: async (table) => {
      await engines.get(table.name)?.close()
      const path = join(folder, `${files++}.duckdb`)
      const instance = await DuckDBInstance.create(path)
      const connection = await instance.connect()
      for (const statement of statementsOf(table, types, identifier)) await connection.run(statement)
      connection.closeSync()
      instance.closeSync()
      const engine = await openEngine({ name: 'duckdb', path })
      engines.set(table.name, engine)
      return { engine, source: { kind: 'table', path: [table.name] } }
    },
    close: async () => {
      for (const engine of engines.values()) await engine.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** DuckDB in this process. */
export const duckdbTestbed: Testbed = { name: 'duckdb', types, open, advice: 'needs `@duckdb/node-api`' }
