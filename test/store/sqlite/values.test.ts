import { describe, expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import { Instant, JsonText, type Value } from '../../../src/data/index.ts'
import {
  decodeValue,
  encodeGroupKey,
  encodeValue,
  openSqlite,
  restFields,
  restKey,
  restValue,
  writeRest,
  type SqlValue,
} from '../../../src/store/sqlite/index.ts'

const values: readonly Value[] = [
  null,
  '',
  'plain',
  'nul\0inside',
  '\ufeffbom',
  '\ud800 lone',
  'emoji 😀',
  'line\nfeed "quote" \\ back',
  true,
  false,
  0,
  5,
  -7,
  0.1,
  1e300,
  2 ** 53,
  -(2 ** 53),
  Number.MAX_VALUE,
  5e-324,
  NaN,
  -0,
  Infinity,
  -Infinity,
  2n ** 53n + 1n,
  -(2n ** 63n),
  2n ** 64n - 1n,
  new Instant(0n),
  new Instant(-1n),
  new Instant(1_700_000_000_123_456_789n),
  new Instant(2n ** 63n - 1n),
  new JsonText('[1,2]'),
  new JsonText('["\ud800"]'),
]

describe('values in SQLite', () => {
  test('each comes back as it went in', async () => {
    const connection = await openSqlite(':memory:')
    connection.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, v)')
    const insert = connection.prepare('INSERT INTO t VALUES (?, ?)')
    values.forEach((value, i) => insert.run(BigInt(i), encodeValue(value)))
    const stored = connection.prepare('SELECT v FROM t ORDER BY id').pluck().all()
    expect(stored.map((value) => decodeValue(value as SqlValue))).toEqual(values)
    connection.close()
  })

  test('times compare by their bytes', () => {
    const times = [-(2n ** 63n), -1n, 0n, 1n, 2n ** 63n - 1n].map((ns) => encodeValue(new Instant(ns)) as Uint8Array)
    for (let i = 1; i < times.length; i++) expect(Buffer.compare(present(times[i - 1]), present(times[i]))).toBe(-1)
  })

  test('a group key joins missing and empty', () => {
    expect(encodeGroupKey('')).toBeNull()
    expect(encodeGroupKey(null)).toBeNull()
    expect(encodeGroupKey(5)).toEqual(encodeValue(5))
  })
})

describe('undeclared fields in one text', () => {
  const row = new Map<string, Value>(values.map((value, i) => [`field ${i}`, value]))
  row.set('a"b\\c\nd', 'odd name')
  row.set(',', 1)
  row.set(':x', 2)
  row.set('', 'nameless')
  row.set('__proto__', 'own')
  const rest = writeRest(row, () => false) ?? ''

  test('each is found by its name', () => {
    for (const [name, value] of row) expect(restValue(rest, restKey(name)), name).toEqual(value)
    expect(restValue(rest, restKey('field'))).toBeNull()
  })

  test('all come back in code point order of their names', () => {
    const read = [...restFields(rest)]
    expect(new Map(read)).toEqual(new Map([...row].filter(([, value]) => value !== null)))
    const names = read.map(([name]) => name)
    expect(names).toEqual([...names].sort())
  })

  test('a row of declared fields alone has no text', () => {
    expect(writeRest(row, () => true)).toBeNull()
    expect(writeRest(new Map([['a', null]]), () => false)).toBeNull()
  })
})
