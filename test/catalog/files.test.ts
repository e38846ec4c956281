// @module-tag slow
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SluiceError } from '../../src/base/index.ts'
import { inferCatalog, openCatalog } from '../../src/catalog/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-files-'))
const csv = `at,level,zip,big,wide,ms
2026-01-15 10:00:00.123456789,info,007,9007199254740993,18446744073709551615,0.5
2026-01-15 10:00:01,Error,123,9007199254740994,5,1.25
`
const lines = `{"at":"2026-01-15T11:00:00.123456789+01:00","level":"info","zip":"007","big":9007199254740993,"wide":18446744073709551615,"ms":0.5,"ctx":{"user":{"id":"6B1C9A3E-7F3D-4D6C-9D43-1C1B8BB1D111"},"day":"2026-01-01"},"m":1}
{"at":"2026-01-15T10:00:01Z","level":"Error","zip":"123","big":9007199254740994,"wide":5,"ms":1.25,"m":"x"}
`

beforeAll(async () => {
  const write = (name: string, content: string | Uint8Array): void => writeFileSync(join(folder, name), content)
  write('a.csv', csv)
  write('a.csv.gz', gzipSync(csv))
  write('a.csv.zst', zstdCompressSync(csv))
  write('a.ndjson', lines)
  write('a.ndjson.gz', gzipSync(lines))
  write('a.ndjson.zst', zstdCompressSync(lines))
  write('a.arrow', 'ARROW1')
  write('app.db', '')
  for (const day of ['2026-01-01', '2026-01-02']) {
    mkdirSync(join(folder, `parts/day=${day}/zone=01`), { recursive: true })
    write(`parts/day=${day}/zone=01/x.ndjson`, `{"at":"${day}T00:00:00Z","n":1}\n`)
  }
  const instance = await DuckDBInstance.create(join(folder, 'other.duckdb'), { threads: '1' })
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE logs AS SELECT TIMESTAMP '2026-01-15 10:00:00' AS at, 'kept' AS message`)
  connection.closeSync()
  instance.closeSync()
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function withCatalog<T>(
  tables: object,
  work: (catalog: Awaited<ReturnType<typeof openCatalog>>) => Promise<T>,
  connection: object = {},
): Promise<T> {
  const text = JSON.stringify({ connections: { files: { engine: 'duckdb', ...connection } }, tables })
  const catalog = await openCatalog(text, { folder })
  try {
    return await work(catalog)
  } finally {
    await catalog.close()
  }
}

const rowsOf = (files: string, query: string): Promise<readonly object[]> =>
  withCatalog({ logs: { files, time: 'at' } }, async (catalog) => {
    const rows = await catalog.engine().query(query).toArray()
    return rows
  })

async function codeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
    return 'no error'
  } catch (error) {
    return error instanceof SluiceError ? `${error.code}: ${error.message}` : String(error)
  }
}

describe.each(['', '.gz', '.zst'])('files that end with %j', (packing) => {
  test('CSV keeps nanoseconds, 64 bits and leading zeros', async () => {
    expect(await rowsOf(`a.csv${packing}`, 'level:info | fields _time, zip, big, wide, ms')).toEqual([
      {
        _time: '2026-01-15T10:00:00.123456789Z',
        zip: '007',
        big: 9007199254740993n,
        wide: '18446744073709551615',
        ms: 0.5,
      },
    ])
  })

  test('JSON lines keep them too, and texts as they are written', async () => {
    const fields = '_time, zip, big, wide, ms, m, ctx.user.id, ctx.day'
    expect(await rowsOf(`a.ndjson${packing}`, `level:info | fields ${fields}`)).toEqual([
      {
        _time: '2026-01-15T10:00:00.123456789Z',
        zip: '007',
        big: 9007199254740993n,
        wide: 18446744073709551615n,
        ms: 0.5,
        m: '1',
        'ctx.user.id': '6B1C9A3E-7F3D-4D6C-9D43-1C1B8BB1D111',
        'ctx.day': '2026-01-01',
      },
    ])
  })
})

describe('what DuckDB is given', () => {
  const planOf = (files: string, query: string): Promise<string> =>
    withCatalog({ logs: { files, time: 'at' } }, async (catalog) => {
      const statement = catalog.engine().toSQL(query)
      return (await catalog.explain('logs', statement)).join('\n')
    })

  test.each(['a.csv', 'a.ndjson'])('of %s only the columns that are needed', async (files) => {
    const plan = await planOf(files, 'level:=Error | stats sum(ms) as total')
    expect(plan).toMatch(/Projections:[^:]*level/)
    expect(plan).not.toMatch(/zip|big|wide/)
  })

  test('files of other partitions are not read', async () => {
    const plan = await planOf('parts/**/*.ndjson', 'day:=2026-01-02 | stats count() as n')
    expect(plan).toMatch(/1\/2/)
    expect(await rowsOf('parts/**/*.ndjson', 'day:=2026-01-02 | fields day, zone, n')).toEqual([
      { day: '2026-01-02', zone: '01', n: 1 },
    ])
  })
})

describe('what is not there gets a message', () => {
  test.each([
    ['gone.csv', 'there is no such file'],
    ['gone/*.csv', 'no file matches'],
    ['a.arrow', 'its extension `nanoarrow`, which is not installed'],
  ])('%s', async (files, words) => {
    expect(await codeOf(() => rowsOf(files, '*'))).toContain(words)
  })

  test.each([
    ['app.db', 'its extension `sqlite`'],
    ['postgres://127.0.0.1:1/none', 'its extension `postgres`'],
  ])('attached %s', async (where, words) => {
    const open = () => withCatalog({ logs: { table: 'app.logs' } }, async () => undefined, { attach: { app: where } })
    // If the DuckDB extension is installed on this machine, the error is that the table cannot be opened or read.
    expect(await codeOf(open)).toMatch(new RegExp(`${words}|cannot be (opened|read)`))
  })

  test('a password in an attached address', async () => {
    const attach = { app: 'postgres://me:secret@127.0.0.1/none' }
    const open = () => withCatalog({ logs: { table: 'app.logs' } }, async () => undefined, { attach })
    expect(await codeOf(open)).toMatch(/^catalog\/secret-in-file: [^]*$/)
    expect(await codeOf(open)).not.toContain('me:secret')
  })
})

test('an attached DuckDB file can be read together with files', async () => {
  const tables = { logs: { table: 'other.logs', time: 'at' }, lines: { files: 'a.csv', time: 'at' } }
  const attach = { other: 'other.duckdb' }
  await withCatalog(
    tables,
    async (catalog) => {
      const count = (table: string) => catalog.engine().query('* | stats count() as n', { table }).toArray()
      expect([await count('logs'), await count('lines')]).toEqual([[{ n: 1 }], [{ n: 2 }]])
    },
    { attach },
  )
})

test('what is proposed for files is right, also without a time', async () => {
  writeFileSync(join(folder, 'timeless.csv'), 'a,b\n1,x\n')
  for (const name of ['a.csv', 'a.ndjson.gz', 'timeless.csv']) {
    const text = await inferCatalog(join(folder, name))
    const catalog = await openCatalog(text)
    expect(await catalog.engine().query('* | stats count() as n').toArray()).toHaveLength(1)
    await catalog.close()
  }
})
