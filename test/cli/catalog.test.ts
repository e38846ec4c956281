// @module-tag slow
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sqliteFolder, type Folder } from '../catalog/fixture.ts'
import { run } from './terminal.ts'

let folder: Folder
let path: string

beforeAll(async () => {
  folder = await sqliteFolder()
  path = join(folder.path, 'catalog.yaml')
  writeFileSync(
    path,
    `connections:
  app: { engine: sqlite, path: app.db }
tables:
  logs:
    table: requests
    time: ts
    fields: { level: severity }
  samples:
    table: requests
    domain: metrics
    time: ts
    fields: { __name__: severity, value: took }
    hidden: [message, attrs, id]
`,
  )
})
afterAll(() => folder.remove())

const onCatalog = (...command: string[]) => run(...command, '--catalog', path)

describe('--catalog', () => {
  test('query, in the database', async () => {
    const { code, out, error } = await onCatalog('query', 'level:error | stats by (service) count() as n', '--explain')
    expect([code, out]).toEqual([0, '{"service":"api","n":6}\n{"service":"web","n":6}\n'])
    expect(error).toContain('GROUP BY')
    expect(error).not.toContain('[columnar]')
  })

  test('fields, values, facets and hits', async () => {
    expect((await onCatalog('fields')).out).toContain('{"name":"http.method","hits":60}')
    expect((await onCatalog('values', 'user')).out).toContain('{"user":"u3","hits":15}')
    expect((await onCatalog('facets')).out).toContain('"api"')
    expect((await onCatalog('hits', 'timed', '--step', '30s')).out.trim().split('\n')).toHaveLength(2)
  })

  test('promql', async () => {
    const { code, out } = await onCatalog(
      'promql',
      'count by (__name__) ({__name__!=""})',
      '--time',
      '2026-01-02T03:00:59Z',
    )
    expect(code).toBe(0)
    expect(out).toContain('"__name__":"ERROR"')
  })

  test('explain tells the statement and who runs what', async () => {
    const { out } = await onCatalog('explain', 'level:=ERROR | extract "request <id>" from message | limit 1')
    expect(out).toContain('FROM requests')
    expect(out).toContain('sqlite')
  })

  test('--require-pushdown refuses what would go on elsewhere, and says why', async () => {
    const stage = '* | unpack_logfmt from message | filter request:none | fields request'
    const refused = await onCatalog('query', stage, '--require-pushdown', '10')
    expect(refused.code).toBe(1)
    expect(refused.error).toContain('More than 10 rows would have to leave `sqlite`')
    expect(refused.error).toContain('sqlite cannot run apply unpack_logfmt')
    expect((await onCatalog('query', stage, '--require-pushdown', '100')).code).toBe(0)
    expect((await onCatalog('query', '* | stats count() n', '--require-pushdown', '1')).code).toBe(0)
  })

  test.each([
    [['query', '*', 'some.ndjson'], 'Either --catalog or files'],
    [['query', '*', '--follow'], '--follow reads files'],
    [['query', '*', '--table', 'log'], 'no table `log`; `logs` is near'],
    [['serve', '--demo'], '--demo stores data here'],
    [['compile', '*', '--dialect', 'duckdb'], 'of sqlite, not of duckdb'],
  ])('%j cannot be', async (command, words) => {
    const { code, error } = await onCatalog(...command)
    expect(code).not.toBe(0)
    expect(error).toContain(words)
  })
})

describe('catalog', () => {
  test('check says what it found, and marks what is wrong', async () => {
    expect(await run('catalog', 'check', path)).toMatchObject({
      code: 0,
      out: 'logs: 7 fields of app, time in ts (ms), attributes in attrs\nsamples: 5 fields of app, time in ts (ms)\n',
    })
    const bad = join(folder.path, 'bad.yaml')
    writeFileSync(
      bad,
      'connections:\n  app: { engine: sqlite, path: app.db }\ntables:\n  logs: { table: requests, time: tsx }\n',
    )
    const { code, error } = await run('catalog', 'check', bad)
    expect(code).toBe(1)
    expect(error).toContain('bad.yaml:4:34')
    expect(error).toContain('Did you mean `ts`?')
  })

  test('infer proposes what check takes', async () => {
    const { out } = await run('catalog', 'infer', folder.database, 'requests')
    const proposed = join(folder.path, 'proposed.yaml')
    writeFileSync(proposed, out)
    expect((await run('catalog', 'check', proposed)).code).toBe(0)
  })
})

describe('compile', () => {
  test('with --inline has its values in the statement, and says which functions a shell does not have', async () => {
    const duckdb = await run('compile', '--inline', '--dialect', 'duckdb', `level:="it's" duration_ms:>500.5 | limit 5`)
    expect(duckdb).toMatchObject({ code: 0, error: '' })
    expect(duckdb.out).toContain("'it''s'")
    expect(duckdb.out).not.toMatch(/\$|^--/m)
    const sqlite = await run('compile', '--inline', '--dialect', 'sqlite', 'error | limit 5')
    expect(sqlite.error).toMatch(/^A shell cannot run it: .*a search for words \(sluice_test\)\.\n$/)
    expect(sqlite.out).toContain('LIMIT 5')
  })

  test.each(['duckdb', 'clickhouse', 'postgres', 'sqlite'])('%s, without a database', async (dialect) => {
    const { code, out } = await run('compile', '--dialect', dialect, 'level:=error | stats by (workload) count() as n')
    expect(code).toBe(0)
    expect(out).toMatch(/^SELECT .*\nFROM .*\nWHERE .*level.*GROUP BY .*^-- (?:\$1 )?level = "error"$/ms)
  })

  test('over a catalog, with the plan of the database', async () => {
    const { out } = await onCatalog('compile', 'level:=ERROR | limit 2', '--explain', '--json')
    const { sql, parameters, plan } = JSON.parse(out) as {
      readonly sql: string
      readonly parameters: readonly { readonly name: string; readonly value: unknown }[]
      readonly plan: string[]
    }
    expect(sql).toContain('FROM requests')
    expect(parameters).toContainEqual({ name: 'severity', value: 'ERROR' })
    expect(parameters).toContainEqual({ name: 'limit', value: 2 })
    expect(plan.join('\n')).toContain('SCAN')
  })

  test('a test of a thousand phrases is no megabytes of patterns', async () => {
    const { out, error } = await run(
      'compile',
      '--dialect',
      'postgres',
      'contains_common_case("ÄRGER ÄRGER")',
      '--json',
    )
    expect(error).toContain('it looks for more than 64 phrases at once')
    expect(out.length).toBeLessThan(1000)
  })

  test('prints long values by their beginning, and whole as JSON', async () => {
    const { out } = await run('compile', '--dialect', 'postgres', 'timeout')
    expect(out).toMatch(
      /^-- \$\d content_pattern\w* = "[^\n]{190,200}… \([\d,]+ characters; --json writes them all\)$/m,
    )
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThan(400)
    const whole = await run('compile', '--dialect', 'postgres', 'timeout', '--json')
    const { parameters } = JSON.parse(whole.out) as { readonly parameters: readonly { readonly value: string }[] }
    expect(Math.max(...parameters.map(({ value }) => value.length))).toBeGreaterThan(1000)
  })

  test('says what goes on above the statement', async () => {
    const { error } = await run('compile', '--dialect', 'sqlite', '* | unpack_logfmt')
    expect(error).toContain('sqlite runs a part')
  })

  test.each([
    [['compile', '*'], '--dialect is needed'],
    [['compile', '*', '--dialect', 'sqlite', '--explain'], '--explain needs a database'],
    [['compile', 'a | nope', '--dialect', 'sqlite'], 'nope'],
  ])('%j cannot be', async (command, words) => {
    const { code, error } = await run(...command)
    expect(code).not.toBe(0)
    expect(error).toContain(words)
  })
})
