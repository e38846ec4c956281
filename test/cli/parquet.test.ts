import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from './terminal.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-parquet-'))
const pattern = join(folder, 'day/*.parquet')

beforeAll(async () => {
  mkdirSync(join(folder, 'day'))
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  await connection.run(`COPY (SELECT make_timestamp_ns(1768471200123456789 + i) AS timestamp, ['info', 'Error'][1 + i % 2] AS level,
    9007199254740993 + i AS big, i / 10.0::DOUBLE AS ms, 'request ' || i || ' timed out' AS message FROM range(10) t(i)) TO '${join(folder, 'day/one.parquet')}'`)
  await connection.run(`COPY (SELECT '2026-02-0' || (1 + i) || 'T00:00:00+01:00' AS timestamp, 'debug' AS level, {'a': {'b': i}} AS ctx
    FROM range(3) t(i)) TO '${join(folder, 'two.pq')}' (FORMAT parquet, COMPRESSION zstd)`)
  await connection.run(`COPY (SELECT i AS n FROM range(10) t(i)) TO '${join(folder, 'timeless.parquet')}'`)
  await connection.run(
    `COPY (SELECT DATE '2026-01-02' AS a, DATE '2026-01-03' AS b) TO '${join(folder, 'twice.parquet')}'`,
  )
  await connection.run(`COPY (SELECT unnest(['2026-02-01 00:00:00.5', '2026-02-01T00:00:01', '2026-02-01 00:00', NULL]) AS ts)
    TO '${join(folder, 'zoneless.parquet')}'`)
  await connection.run(
    `COPY (SELECT 12.5::DOUBLE AS time, TIMESTAMP '2026-01-02 03:04:05' AS date) TO '${join(folder, 'duration.parquet')}'`,
  )
  connection.closeSync()
  instance.closeSync()
  writeFileSync(join(folder, 'app.ndjson'), '{"content":"one"}\n')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const rowsOf = (out: string): unknown[] => out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))

describe('Parquet files', () => {
  test('have their time under its own name too', async () => {
    const { out } = await run('query', 'timestamp:<2026-01-16 | stats by (timestamp:1d) count() n', pattern)
    expect(rowsOf(out)).toEqual([{ _time: '2026-01-15T00:00:00.000000000Z', n: 10 }])
  })

  test('have lists as JSON of the same rows has them', async () => {
    const path = join(folder, 'lists.parquet')
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
    const connection = await instance.connect()
    await connection.run(`COPY (SELECT TIMESTAMP '2026-01-15 10:00:00' AS time, ['a', 'b"c', NULL] AS texts, [1, 2] AS numbers, [[1], []] AS nested,
      []::VARCHAR[] AS none, [{'k': 'v', 'n': NULL}] AS objects, {'x': [true]} AS st, ['nan'::DOUBLE, 1.5] AS odd, [1.25]::DECIMAL(4, 2)[] AS decimals,
      ['red']::ENUM('red', 'blue')[] AS enums, NULL::VARCHAR[] AS missing)
      TO '${path}'`)
    connection.closeSync()
    instance.closeSync()
    const list = {
      texts: ['a', 'b"c', null],
      numbers: [1, 2],
      nested: [[1], []],
      none: [],
      objects: [{ k: 'v', n: null }],
      'st.x': [true],
      odd: ['NaN', 1.5],
      decimals: [1.25],
      enums: ['red'],
      missing: null,
    }
    const { out } = await run(
      'query',
      'texts:~"a" | fields texts, numbers, nested, none, objects, st.x, odd, decimals, enums, missing',
      path,
    )
    expect(rowsOf(out)).toEqual([list])
    const { out: grouped } = await run('query', '* | stats by (texts) min(numbers) least, values(none) all', path)
    expect(rowsOf(grouped)).toEqual([{ texts: list.texts, least: list.numbers, all: [[]] }])
    const { out: unrolled } = await run('query', '* | unroll (numbers) | fields numbers', path)
    expect(unrolled).toBe('{"numbers":1}\n{"numbers":2}\n')
  })

  test('are found by a pattern, with their time, text and fields to the last digit', async () => {
    const { out, code } = await run('query', 'level:error "timed out" | sort by (_time desc) | limit 1', pattern)
    expect(code).toBe(0)
    expect(out).toBe(
      '{"_time":"2026-01-15T10:00:00.123456798Z","level":"Error","big":9007199254741002,"ms":0.9,"message":"request 9 timed out"}\n',
    )
  })

  test('give only what is asked for to the reader, as the plan of DuckDB shows', async () => {
    const { out, error } = await run(
      'query',
      'level:error | stats count() as n, sum(ms) as total',
      pattern,
      '--explain',
    )
    expect(rowsOf(out)).toEqual([{ n: 5, total: 2.5 }])
    expect(error).toMatch(/PARQUET/)
    expect(error).not.toMatch(/message/)
  })

  test.each([
    ['nanoseconds', 'make_timestamp_ns(1767225600000000000 + i * 1000000000)'],
    ['microseconds', 'make_timestamp(1767225600000000 + i * 1000000)'],
    ['times with a zone', 'to_timestamp(1767225600 + i)'],
  ])('are read only where columns and row groups matter: times as %s', async (unit, time) => {
    const path = join(folder, `${unit}.parquet`)
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
    const connection = await instance.connect()
    await connection.run(`COPY (SELECT ${time} AS time, i / 2.0::DOUBLE AS ms, hash(i) AS other FROM range(8192) t(i))
      TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`)
    const chunks = await connection.runAndReadAll(`SELECT
        coalesce(dictionary_page_offset, data_page_offset)::DOUBLE AS start, total_compressed_size::DOUBLE AS size
      FROM parquet_metadata('${path}') WHERE row_group_id <> 1 OR path_in_schema = 'other'`)
    connection.closeSync()
    instance.closeSync()
    // Overwrites the bytes of the file that a query of one column and a time range must not read.
    const bytes = readFileSync(path)
    for (const [start, size] of chunks.getRows()) bytes.fill(0xff, Number(start), Number(start) + Number(size))
    writeFileSync(path, bytes)
    const range = '_time:[2026-01-01T00:40:00Z, 2026-01-01T00:50:00Z)'
    const { out, error } = await run('query', `${range} | stats count() as n, sum(ms) as total`, path)
    expect({ rows: rowsOf(out), error }).toEqual({ rows: [{ n: 600, total: 809_850 }], error: '' })
    const whole = await run('query', '* | stats sum(ms) as total', path)
    expect(whole.code).not.toBe(0)
  })

  test('may have times as texts, and fields inside fields', async () => {
    const { out } = await run('query', '* | sort by (_time) | limit 1', join(folder, 'two.pq'))
    expect(rowsOf(out)).toEqual([{ _time: '2026-01-31T23:00:00.000000000Z', level: 'debug', 'ctx.a.b': 0 }])
  })

  test('are read with times without a zone or seconds as UTC', async () => {
    const { out } = await run('query', '* | sort by (_time) | limit 4', join(folder, 'zoneless.parquet'))
    expect(rowsOf(out)).toEqual([
      { _time: '2026-02-01T00:00:00.000000000Z' },
      { _time: '2026-02-01T00:00:00.500000000Z' },
      { _time: '2026-02-01T00:00:01.000000000Z' },
      {},
    ])
  })

  test('have a time that is one, whatever a number is called', async () => {
    const { out } = await run('query', '*', join(folder, 'duration.parquet'))
    expect(rowsOf(out)).toEqual([{ _time: '2026-01-02T03:04:05.000000000Z', time: 12.5 }])
  })

  test.each([
    [['explain', 'level:error | stats count() as n'], 'FROM read_parquet('],
    [['lint', 'lvl:error', '--load'], 'There is no column `lvl`'],
    [['fields'], '{"name":"big","hits":10}'],
    [['values', 'level'], '{"level":"Error","hits":5}'],
    [['facets'], '{"field_name":"level","field_value":"Error","hits":5}'],
    [['hits', 'level:error'], '"hits":5'],
  ])('%j goes to DuckDB', async (command, words) => {
    const { out } = await run(...command, join(folder, 'day/one.parquet'))
    expect(out).toContain(words)
  })

  test('have the present time where no column is one, the last row first', async () => {
    const { out, error } = await run('query', '* | limit 2', join(folder, 'timeless.parquet'))
    expect(error).toContain('No column is a time')
    expect(rowsOf(out)).toEqual([9, 8].map((n) => ({ _time: '2026-03-10T12:00:00.000000000Z', n })))
  })

  test('need a word where several columns may be the time', async () => {
    const twice = join(folder, 'twice.parquet')
    const { code, error } = await run('query', '*', twice)
    expect([code, error]).toEqual([1, expect.stringContaining('none has a usual name: `a`, `b`')])
    const { out } = await run('query', '_time:2026-01-02', twice, '--time-field', 'a')
    expect(rowsOf(out)).toEqual([{ _time: '2026-01-02T00:00:00.000000000Z', b: '2026-01-03T00:00:00.000000000Z' }])
  })

  test('are refused where too many rows would have to be fetched', async () => {
    const { code, error } = await run('query', '* | format "<level>" as x', pattern, '--require-pushdown', '3')
    expect(code).toBe(1)
    expect(error).toContain('row functions read and write fields')
  })

  test('are not read together with other files', async () => {
    const { code, error } = await run('query', '*', folder)
    expect(code).not.toBe(0)
    expect(error).toContain('name one kind at a time')
  })
})

describe('export as Parquet', () => {
  const out = join(folder, 'exported.parquet')
  const lines = [
    {
      _time: '2026-01-15T10:00:00.123456789Z',
      n: 1,
      x: 0.1,
      ok: true,
      big: 9007199254740993n,
      mixed: 'a',
      'a.b': 'Ünïcode "\n\u0000',
      tags: [1, 'two'],
    },
    { _time: '2026-01-15T10:00:01Z', n: -5, x: 1e300, ok: false, big: 1n, mixed: 7, content: '007' },
    { _time: '2026-01-15T10:00:02.5Z', x: 5, mixed: true, content: '' },
  ]
  const json = (value: object): string =>
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `#${each}#` : each)).replaceAll(
      /"#(\d+)#"/g,
      '$1',
    )
  const source = join(folder, 'source.ndjson')
  const all = '* | sort by (_time)'

  test('gives the same answers as what was exported', async () => {
    writeFileSync(source, lines.map(json).join('\n'))
    const { error } = await run('export', all, source, '--output', out)
    expect(error).toBe(`Written to ${out}.\n`)
    for (const query of [
      `${all} | delete mixed, tags`,
      '* | stats sum(x) x, max(big) big, min(n) n, count_uniq(ok) ok',
      'content:=007 | fields _time, content',
      'a.b:* | fields _time',
    ]) {
      const [before, after] = [await run('query', query, source), await run('query', query, out)]
      expect(rowsOf(after.out)).toEqual(rowsOf(before.out))
      expect(rowsOf(after.out)).not.toEqual([])
    }
    const mixed = await run('query', `${all} | fields mixed`, out)
    const tags = await run('query', 'tags:* | fields tags', out)
    expect(rowsOf(tags.out)).toEqual([{ tags: '[1,"two"]' }])
    expect(rowsOf(mixed.out)).toEqual([{ mixed: 'a' }, { mixed: '7' }, { mixed: 'true' }])
  })

  test('has types that others read', async () => {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
    const connection = await instance.connect()
    const reader = await connection.runAndReadAll(`DESCRIBE SELECT * FROM '${out}'`)
    const types = new Map(reader.getRowsJson().map((row) => [row[0], row[1]]))
    connection.closeSync()
    instance.closeSync()
    expect(Object.fromEntries(types)).toMatchObject({
      _time: 'TIMESTAMP_NS',
      n: 'BIGINT',
      x: 'DOUBLE',
      ok: 'BOOLEAN',
      big: 'BIGINT',
      mixed: 'VARCHAR',
      content: 'VARCHAR',
    })
  })

  test('has whole numbers that are doubles and those that are not in one column', async () => {
    const ids = [
      '9007199254740991',
      '9007199254740992',
      '1152921504606846976',
      '1152921504606846977',
      '-9223372036854775808',
    ]
    writeFileSync(join(folder, 'ids.ndjson'), ids.map((id) => `{"id":${id}}`).join('\n'))
    await run('export', '*', join(folder, 'ids.ndjson'), '--output', join(folder, 'ids.parquet'))
    const { out: lines } = await run('query', '* | fields id', join(folder, 'ids.parquet'))
    expect(lines).toBe(
      ids
        .map((id) => `{"id":${id}}\n`)
        .toReversed()
        .join(''),
    )
  })

  test('of a query, by a format and a name of its own', async () => {
    const named = join(folder, 'counts.bin')
    const { code } = await run(
      'export',
      '* | stats by (ok) count() n | sort by (n)',
      source,
      '--output',
      named,
      '--format',
      'parquet',
    )
    expect(code).toBe(0)
    expect(readFileSync(named).subarray(0, 4).toString()).toBe('PAR1')
    expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([])
  })

  test.each([
    ['no:such', 'none.parquet', 'The answer has no rows'],
    ['* | format "x" as X | format "y" as x', 'case.parquet', 'differ in case alone'],
    ['*', 'packed.parquet.gz', 'must end in .parquet'],
  ])('of %s to %s is refused', async (query, name, told) => {
    const path = join(folder, name)
    const { code, error } = await run('export', query, source, '--output', path)
    expect([code === 0, error]).toEqual([false, expect.stringContaining(told)])
    expect(readdirSync(folder).filter((each) => each.startsWith(name))).toEqual([])
  })
})

describe('import of Parquet files', () => {
  const imported = join(folder, 'imported')
  const all = '* | sort by (_time)'

  test('brings back what was exported, to the last digit', async () => {
    const source = join(folder, 'there.ndjson')
    const there = join(folder, 'there.parquet')
    writeFileSync(
      source,
      [1, 2, 3]
        .map(
          (n) =>
            `{"_time":"2026-01-15T10:00:0${n}.123456789Z","level":"warn","content":"row ${n}","big":900719925474099${n}}`,
        )
        .join('\n'),
    )
    await run('export', '*', source, '--output', there)
    expect(await run('import', '--data', imported, there)).toMatchObject({
      code: 0,
      out: `3 logs stored in ${imported}.\n`,
    })
    const [before, after] = [await run('query', all, source), await run('query', '--data', imported, all)]
    expect(after.out).toBe(before.out)
  })

  test('takes what other programs write, and the time that is named', async () => {
    const to = join(folder, 'foreign')
    expect((await run('import', '--data', to, join(folder, 'day/one.parquet'))).code).toBe(0)
    expect((await run('import', '--data', to, '--time-field', 'b', join(folder, 'twice.parquet'))).code).toBe(0)
    const { out } = await run('query', '--data', to, `${all} | fields _time, level, content, a, ms | limit 2`)
    const none = { a: null, level: null, content: null, ms: null }
    expect(rowsOf(out)).toEqual([
      { ...none, _time: '2026-01-03T00:00:00.000000000Z', a: '2026-01-02T00:00:00.000000000Z' },
      { ...none, _time: '2026-01-15T10:00:00.123456789Z', level: 'info', content: 'request 0 timed out', ms: 0 },
    ])
  })

  test('stores other kinds', async () => {
    const file = join(folder, 'events.parquet')
    const events = join(folder, 'events.ndjson')
    writeFileSync(events, '{"_time":"2026-01-15T10:00:00Z","type":"scaling","reason":"Up","count":2}\n')
    await run('export', '*', events, '--table', 'events', '--output', file)
    expect((await run('import', '--data', join(folder, 'kinds'), '--kind', 'events', file)).code).toBe(0)
    const { out } = await run(
      'query',
      '--data',
      join(folder, 'kinds'),
      '--table',
      'events',
      '* | fields type, reason, count',
    )
    expect(rowsOf(out)).toEqual([{ type: 'scaling', reason: 'Up', count: 2 }])
  })

  test('that is damaged stores nothing, and makes no folder', async () => {
    const cut = join(folder, 'cut.parquet')
    writeFileSync(cut, readFileSync(join(folder, 'day/one.parquet')).subarray(0, 100))
    const { code, error } = await run('import', '--data', join(folder, 'none'), cut)
    expect([code, error]).toEqual([1, expect.stringContaining('cut.parquet') as string])
    expect(existsSync(join(folder, 'none'))).toBe(false)
  })

  test('a name that says nothing gets advice on how to read it', async () => {
    const named = join(folder, 'unnamed')
    writeFileSync(named, readFileSync(join(folder, 'day/one.parquet')))
    const { code, error } = await run('query', '*', named)
    expect([code, error]).toEqual([1, expect.stringContaining('a name that ends in .parquet') as string])
  })
})
