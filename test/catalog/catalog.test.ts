import { join } from 'node:path'
import { readFileSync, writeFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { SluiceError, applyFix, present, spanOf, type Diagnostic } from '../../src/base/index.ts'
import { openEngine, type EngineAddress, type ForeignEngine } from '../../src/backends/sql/index.ts'
import { openSqlite } from '../../src/store/sqlite/index.ts'
import { checkCatalog, closeAll, inferCatalog, openCatalog } from '../../src/catalog/index.ts'
import { catalogJsonSchema } from '../../src/catalog/text/index.ts'
import { sqliteFolder, type Folder } from './fixture.ts'

let folder: Folder
const opened = new Map<string, Promise<ForeignEngine>>()
/** Opens one engine per file and keeps it open until the end of the test. */
const open = async (address: EngineAddress): Promise<ForeignEngine> => {
  const path = address.path ?? ''
  const found = opened.get(path) ?? openEngine(address)
  opened.set(path, found)
  return { ...(await found), close: async () => undefined }
}
beforeAll(async () => {
  folder = await sqliteFolder()
})
afterAll(async () => {
  for (const engine of opened.values())
    await engine.then(
      (each) => each.close(),
      () => undefined,
    )
  folder.remove()
})

async function faultsOf(text: string): Promise<readonly Diagnostic[]> {
  try {
    const { engines, diagnostics } = await checkCatalog(text, { folder: folder.path, open })
    await closeAll(engines)
    return diagnostics
  } catch (error) {
    if (error instanceof SluiceError) return error.diagnostics
    throw error
  }
}

/** Splits a catalog in which «» marks an error into its text and the marked span. */
function marked(text: string): { readonly text: string; readonly start: number; readonly end: number } {
  const start = text.indexOf('«')
  const end = text.indexOf('»') - 1
  return { text: text.replace('«', '').replace('»', ''), start, end }
}

const connections = 'connections:\n  app: { engine: sqlite, path: app.db }\n'
const inTable = (lines: string): string => `${connections}tables:\n  logs:\n    table: requests\n${lines}`
const timed = (lines: string): string => inTable(`    time: ts\n${lines}`)

const faults: readonly (readonly [string, string])[] = [
  ['catalog/not-yaml', 'connections: «[»'],
  ['catalog/words-of-table', timed('    text: message\n    words: { fts5: «gone» }')],
  ['catalog/unknown-word', 'connections:\n  app: { engine: «sqllite», path: app.db }\ntables: { logs: {} }'],
  ['catalog/unknown-member', timed('    «tex»: message')],
  ['catalog/unknown-member', inTable('    time: { column: ts, «units»: ms }')],
  ['catalog/missing-member', 'connections:\n  «app»: { path: app.db }\ntables: { logs: {} }'],
  ['catalog/wrong-value', timed('    stream: «3»')],
  ['catalog/wrong-value', timed('    allColumns: «maybe»')],
  ['catalog/no-tables', `${connections}«tables»: {}`],
  ['catalog/no-connection', `${connections}tables:\n  logs: { connection: «apps», table: requests }`],
  [
    'catalog/which-connection',
    'connections:\n  a: { engine: duckdb }\n  b: { engine: duckdb }\ntables:\n  «logs»: { table: requests }',
  ],
  [
    'catalog/secret-in-file',
    'connections:\n  a: { engine: postgres, url: "postgres://h/db", password: «hunter2» }\ntables: { logs: {} }',
  ],
  [
    'catalog/secret-in-file',
    'connections:\n  a: { engine: postgres, url: «"postgres://me:hunter2@h/db"» }\ntables: { logs: {} }',
  ],
  [
    'catalog/no-variable',
    'connections:\n  «a»: { engine: clickhouse, url: "http://127.0.0.1:1", user: $NOT_SET_ANYWHERE }\ntables: { logs: {} }',
  ],
  ['catalog/needs-member', 'connections:\n  «a»: { engine: clickhouse }\ntables: { logs: {} }'],
  [
    'catalog/useless-member',
    'connections:\n  a: { engine: sqlite, path: app.db, «url»: "http://h" }\ntables: { logs: {} }',
  ],
  ['catalog/files-need-duckdb', `${connections}tables:\n  logs: { files: «"*.parquet"» }`],
  [
    'catalog/two-sources',
    'connections: { d: { engine: duckdb } }\ntables:\n  logs: { table: a, files: «"*.parquet"» }',
  ],
  ['catalog/file-format', 'connections: { d: { engine: duckdb } }\ntables:\n  logs: { files: «"*.dat"» }'],
  ['foreign/no-source', `${connections}tables:\n  logs: { «table»: reqests, time: ts }`],
  ['foreign/connect', 'connections:\n  «app»: { engine: sqlite, path: gone.db }\ntables: { logs: {} }'],
  ['catalog/no-column', inTable('    time: «tz»')],
  ['catalog/no-column', timed('    fields: { level: «severty» }')],
  ['catalog/no-column', timed('    hidden: [id, «statuss»]')],
  ['catalog/no-field', timed('    text: «mesage»')],
  ['catalog/no-field', timed('    stream: [service, «hots»]')],
  ['catalog/no-time', `${connections}tables:\n  «notes»: {}`],
  ['catalog/not-a-time', inTable('    time: { column: ts, unit: «timestamp» }')],
  ['catalog/not-a-time', inTable('    time: «attrs»')],
  ['catalog/not-a-time', inTable('    time: { column: ts, floor: «status» }')],
  ['catalog/time-unit', inTable('    time: «status»')],
  ['catalog/wrong-type', timed('    fields: { n: { column: id, type: «bool» } }')],
  ['catalog/same-field', timed('    fields: { «service»: severity }')],
  ['catalog/same-field', timed('    fields: { «_time»: severity }')],
  ['catalog/alias-hides', timed('    fields: { level: { column: severity, aliases: «status» } }')],
  [
    'catalog/same-alias',
    timed('    fields: { level: { column: severity, aliases: l }, n: { column: id, aliases: «l» } }'),
  ],
  ['catalog/not-attributes', timed('    attributes: «status»')],
  ['catalog/not-inside', timed('    fields: { n: { column: id, path: «[a]» } }')],
  ['catalog/words-of-engine', timed('    words: «trigram»')],
  ['catalog/words-need-text', timed('    fields: {}\n    hidden: message\n    «words»: { fts5: requests_words }')],
]

describe('what is wrong in a catalog', () => {
  test.each(faults)('%s in %j', async (code, marks) => {
    const { text, start, end } = marked(marks)
    const told = await faultsOf(text)
    expect(told.map((each) => each.code)).toContain(code)
    const found = present(told.find((each) => each.code === code))
    expect(spanOf(found.origin)).toEqual({ start, end })
    // Applying the fix removes the diagnostic.
    for (const fix of found.fixes.slice(0, 1)) {
      const again = await faultsOf(applyFix(text, fix))
      expect(again.map((each) => [each.code, spanOf(each.origin)?.start])).not.toContainEqual([code, start])
    }
  })

  test('is never told with a password', async () => {
    const told = await faultsOf(
      'connections:\n  a: { engine: postgres, url: "postgres://me:hunter2@h/db", password: hunter2 }\ntables: { logs: {} }',
    )
    expect(told.length).toBe(2)
    expect(JSON.stringify(told.map(({ message, notes, data }) => [message, notes, data]))).not.toContain('hunter2')
  })

  test.each(['', '42', '[]', 'a: &a [*a]', `${'['.repeat(40)}${']'.repeat(40)}`, '- - - -', '\0'])(
    '%j is no catalog',
    async (text) => {
      const told = await faultsOf(text)
      expect(told.length).toBeGreaterThan(0)
      for (const { code } of told) expect(code).toMatch(/^catalog\//)
    },
  )
})

describe('a catalog that is right', () => {
  const mappingOf = async (lines: string) => {
    const { tables, engines, diagnostics } = await checkCatalog(inTable(lines), { folder: folder.path, open })
    await closeAll(engines)
    expect(diagnostics).toEqual([])
    return present(tables[0]).mapping
  }

  test('needs little more than the name of the table', async () => {
    const mapping = await mappingOf('    time: ts')
    expect(mapping).toMatchObject({
      name: 'logs',
      source: { kind: 'table', path: ['requests'] },
      time: { field: '_time', column: 'ts', unit: 'ms' },
      textField: 'message',
      attributes: [{ column: 'attrs', kind: 'json', prefix: '' }],
      domain: 'logs',
      words: undefined,
    })
    expect(mapping.fields.map(({ name }) => name)).toEqual(['id', 'severity', 'service', 'message', 'status', 'took'])
  })

  test('says everything where that is wanted', async () => {
    const mapping = await mappingOf(`    time: { column: ts, unit: ms, field: at }
    fields:
      level: { column: severity, type: string, aliases: [severity] }
      method: { column: attrs, path: [http, method] }
      message: message
    allColumns: false
    attributes: { column: attrs, kind: json, prefix: attrs. }
    text: message
    stream: level
    tieBreak: id
    domain: events
    words: { fts5: requests_words }`)
    expect(mapping).toEqual({
      name: 'logs',
      source: { kind: 'table', path: ['requests'] },
      time: { field: 'at', column: 'ts', nativeType: 'INTEGER', isNullable: false, unit: 'ms' },
      textField: 'message',
      streamFields: ['level'],
      fields: [
        {
          name: 'level',
          column: 'severity',
          path: [],
          type: 'string',
          nativeType: 'TEXT',
          isNullable: true,
          aliases: ['severity'],
        },
        {
          name: 'method',
          column: 'attrs',
          path: ['http', 'method'],
          holds: 'json',
          type: 'any',
          nativeType: 'JSON',
          isNullable: true,
          aliases: [],
        },
        {
          name: 'message',
          column: 'message',
          path: [],
          type: 'any',
          nativeType: 'TEXT',
          isNullable: true,
          aliases: [],
        },
      ],
      attributes: [{ column: 'attrs', kind: 'json', prefix: 'attrs.' }],
      tieBreak: ['id'],
      domain: 'events',
      words: { kind: 'fts5', table: 'requests_words', cut: 'runs' },
    })
  })
})

test('queries name fields as the columns are called, where nothing else is called so', async () => {
  const text = `
connections:
  app: { engine: sqlite, path: app.db }
tables:
  logs:
    table: requests
    time: ts
    text: message
    fields: { level: severity, status: took, took: status }
`
  const catalog = await openCatalog(text, { folder: folder.path })
  const engine = catalog.engine()
  const answer = async (query: string): Promise<unknown> => engine.query(query).toArray()
  expect(await answer('ts:<2026-01-02T03:00:01Z | fields severity')).toEqual([{ level: 'ERROR' }])
  expect(await answer('severity:ERROR service:api | stats count() n')).toEqual([{ n: 6 }])
  // The table swaps the names of two columns: queries use the names of the fields, not of the columns.
  expect(await answer('* | stats count() if (took:>=200) n, count() if (status:>=200) m')).toEqual([{ n: 60, m: 0 }])
  await catalog.close()
})

describe('a catalog that is proposed', () => {
  test('says why, and is right', async () => {
    const text = await inferCatalog(folder.database, { open })
    expect(text.replaceAll(folder.path, '')).toMatchInlineSnapshot(`
      "# Proposed from what the database told; what a comment explains was guessed.
      # \`sluice catalog check FILE\` says whether it is right.

      connections:
        sqlite:
          engine: sqlite
          path: /app.db

      tables:
        requests:
          time: { column: ts, unit: ms }   # its numbers are milliseconds since 1970
          text: message                    # by its name
          stream: [service]                # by their names
          attributes: [attrs]              # their members are fields by name
          words: { fts5: requests_words }  # an index over message
          # Fields under their own names:
          #   id                           # any, INTEGER
          #   severity                     # any, TEXT
          #   service                      # any, TEXT
          #   message                      # any, TEXT
          #   status                       # any, INTEGER
          #   took                         # any, REAL

        notes:
          time: { arrival: true }  # no column is a time: all rows have that at which the catalog is opened
          # Fields under their own names:
          #   id                   # any, INTEGER
          #   "a b"                # any, TEXT
      "
    `)
    const { tables, engines, diagnostics } = await checkCatalog(text, { open })
    await closeAll(engines)
    expect(diagnostics).toEqual([])
    expect(tables.map(({ mapping }) => mapping.name)).toEqual(['requests', 'notes'])
  })

  test("texts as SQLite's functions write times are times, and texts of JSON objects attributes", async () => {
    const database = join(folder.path, 'own.db')
    const connection = await openSqlite(database)
    connection.exec(`CREATE TABLE logs (at TEXT, message TEXT, extra TEXT, note TEXT);
      INSERT INTO logs VALUES ('2026-11-22 10:00:00', 'one', '{"user":"u1"}', '{'), ('2026-11-22 10:00:00.25', 'two', '{}', NULL)`)
    connection.close()
    const text = await inferCatalog(database, { open })
    expect(text).toMatch(/time: \{ column: at, unit: text \}/)
    expect(text).toMatch(/attributes: \[extra\]/)
    const { tables, engines, diagnostics } = await checkCatalog(text, { open })
    await closeAll(engines)
    expect(diagnostics).toEqual([])
    expect(tables[0]?.mapping).toMatchObject({ attributes: [{ column: 'extra', kind: 'json' }] })
  })

  test('file connections have kind `files` with any engine', async () => {
    await expect(inferCatalog(`duckdb:${join(folder.path, 'none.parquet')}`, { open })).rejects.not.toThrow('read-only')
  })

  test('has no password in it', async () => {
    const where = 'http://me:hunter2@127.0.0.1:1/'
    const error: unknown = await inferCatalog(where).catch((thrown: unknown) => thrown)
    expect(String(error)).not.toContain('hunter2')
  })

  test.each(['what', 'ftp://h/x', ''])('cannot be made of %j', async (where) => {
    await expect(inferCatalog(where)).rejects.toMatchObject({ code: 'catalog/no-database' })
  })
})

describe('grammar/catalog.schema.json', () => {
  const file = new URL('../../grammar/catalog.schema.json', import.meta.url)

  test('is what the schemas say', () => {
    const text = `${JSON.stringify(catalogJsonSchema(), undefined, 2)}\n`
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  test('takes what is proposed, and refuses what is not known', async () => {
    const validate = new Ajv2020({ strict: true }).compile(catalogJsonSchema())
    const proposed: unknown = parse(await inferCatalog(folder.database, { open }))
    expect(validate(proposed)).toBe(true)
    expect(validate({ connections: {}, tables: { logs: { tex: 'a' } } })).toBe(false)
    expect(validate({ connections: { a: { engine: 'clickhouse', password: 'hunter2' } }, tables: {} })).toBe(false)
  })
})
