import { collect } from '../../src/base/index.ts'
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { present } from '../../src/base/index.ts'
import * as sluice from '../../src/entries/sluice.ts'
import { readRows } from '../../src/engine/index.ts'

const root = resolve(import.meta.dirname, '../../src')
const STATEMENT = /^(?:import|export)\s(?!type\b)(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]/gms

/** Returns the packages that a file loads statically, directly or through its imports (type imports excepted). */
function packagesBehind(entry: string): ReadonlySet<string> {
  const packages = new Set<string>()
  const seen = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(STATEMENT)) {
      if (present(specifier).startsWith('.')) visit(resolve(dirname(file), present(specifier)))
      else packages.add(present(specifier))
    }
  }
  visit(resolve(root, entry))
  return packages
}

describe('the public list', () => {
  test('loads nothing of the server, of databases or of files', () => {
    const packages = [...packagesBehind('entries/sluice.ts')].filter((name) => !name.startsWith('node:'))
    expect(packages).toContain('luxon')
    const heavy = packages.filter((name) =>
      /hono|zod|pino|prom-client|better-sqlite3|duckdb|commander|protobufjs|yaml/.test(name),
    )
    expect(heavy).toEqual([])
  })

  test('the walk sees what it should', () => {
    expect([...packagesBehind('server/index.ts')].some((name) => name.includes('hono'))).toBe(true)
  })

  test('one import is enough to ask a question', async () => {
    const { createEngine, createMemoryStore, rowToJson, standardCatalog } = sluice
    const store = createMemoryStore(standardCatalog)
    const lines = [
      '{"_time":"2026-01-01T00:00:00Z","level":"error","content":"card declined"}',
      '{"_time":"2026-01-01T00:00:01Z","level":"info","content":"paid"}',
    ]
    store.table('logs').writer.appendJsonLines(new TextEncoder().encode(lines.join('\n')), { nowNs: 0n })
    const engine = createEngine({ tables: [...store.tables.values()] })
    const rows = await collect(readRows(engine.query('declined | fields level, content').batches()))
    expect(rows.map((row) => rowToJson(row))).toEqual(['{"level":"error","content":"card declined"}'])
  })
})
