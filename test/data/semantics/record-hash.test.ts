import { expect, test } from 'vitest'
import { present } from '../../../src/base/index.ts'
import {
  Instant,
  JsonText,
  encodeText,
  hashBytes,
  hashSeed,
  hashValue,
  positionHash,
  recordHash,
  rowOf,
  type Row,
  type Value,
} from '../../../src/data/index.ts'

const record = (...fields: (readonly [string, Value])[]): Row =>
  rowOf([['_time', new Instant(1_767_322_801_000_000_000n)], ...fields])

test('the hash of a record is that of its fields, in any order', () => {
  const hash = recordHash(record(['level', 'error'], ['status', 500]))
  expect(recordHash(record(['status', 500], ['level', 'error']))).toBe(hash)
  expect(recordHash(record(['status', 500], ['pod', null], ['level', 'error'], ['zone', '']))).toBe(hash)
  for (const other of [
    record(['level', 'error']),
    record(['level', 'Error'], ['status', 500]),
    record(['level', 'error'], ['status', '500']),
    record(['level', 'error'], ['code', 500]),
    record(['level', 500], ['status', 'error']),
    rowOf([
      ['_time', new Instant(1_767_322_801_000_000_001n)],
      ['level', 'error'],
      ['status', 500],
    ]),
  ])
    expect(recordHash(other)).not.toBe(hash)
})

test('every value has a hash of its own, and what is missing has none', () => {
  const values: Value[] = [true, false, 0, 1, -1, 0.5, NaN, Infinity, -Infinity, 2 ** 53, 2n ** 60n, -(2n ** 60n)]
  values.push('0', '1', 'true', 'NaN', 'a', 'aa', 'aaa', 'aaaa', 'aaaaa', '\u{10000}', '\ud800', '\ud801', '€', ' ')
  values.push(new Instant(0n), new Instant(1n), new Instant(-1n), new Instant(2n ** 32n), new Instant(2n ** 62n))
  values.push(new JsonText('"a"'), new JsonText('[1]'), 10n ** 400n, -(10n ** 400n))
  const distinct = new Set(values.map(hashValue))
  // Integers beyond the range of floats hash alike, and like infinity.
  expect(distinct.size).toBe(values.length - 2)
  expect(distinct.has(0)).toBe(false)
  expect([hashValue(null), hashValue('')]).toEqual([0, 0])
})

test('a text hashes as its bytes', () => {
  for (const text of [
    'a',
    'abc',
    'abcd',
    'GET /api/v1/users 200',
    'naïve',
    'abc€',
    'x\u{1f600}y',
    'lone \ud83d',
    '\udc00',
  ]) {
    const bytes = encodeText(`__${text}`)
    expect(hashValue(text)).toBe(hashBytes(hashSeed.text, bytes, 2, bytes.length))
  }
})

function expectEven(hashes: Iterable<number>): void {
  const buckets = new Uint32Array(16)
  for (const hash of hashes) buckets[hash % 16] = present(buckets[hash % 16]) + 1
  expect(Math.min(...buckets)).toBeGreaterThan(900)
  expect(Math.max(...buckets)).toBeLessThan(1100)
}

test('hashes spread evenly over records that differ in time, in one number, or by place', () => {
  const numbers = Array.from({ length: 16_000 }, (_, i) => i)
  expectEven(numbers.map((i) => recordHash(rowOf([['_time', new Instant(1_767_322_801_000_000_000n + BigInt(i))]]))))
  expectEven(numbers.map((i) => recordHash(record(['status', i]))))
  expectEven(numbers.map((i) => recordHash(record(['content', `request ${i} took ${i % 7} ms`]))))
  expectEven(numbers.map(positionHash))
})
