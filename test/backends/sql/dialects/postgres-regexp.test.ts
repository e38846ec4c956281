// @module-tag slow
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Regex, seededRandom, type Random } from '../../../../src/base/index.ts'
import { postgresPattern } from '../../../../src/backends/sql/dialects/postgres-regexp.ts'
import { startPostgres, type TestPostgres } from '../../../harness/postgres.ts'

describe('patterns of PostgreSQL', () => {
  test.each([
    ['^err(or)?$', false, '^err(?:or)?$'],
    ['a.*?b|', false, 'a.*b|(?:)'],
    [String.raw`\d+\.\d{2,3}`, false, String.raw`[0-9]+\u002e[0-9]{2,3}`],
    ['ks', true, String.raw`[kK\u212a][sS\u017f]`],
    [String.raw`[^\s\]-]`, false, String.raw`[^\t\n\f\r \u005d\u002d]`],
    ['(?P<name>a)', false, '(?:a)'],
    ['x{,3}', false, String.raw`x\u007b\u002c3\u007d`],
  ])('%s becomes what means the same', (pattern, isFolded, expected) => {
    expect(postgresPattern(pattern, isFolded)).toBe(expected)
  })

  test.each([
    [String.raw`\bword\b`, false],
    [String.raw`\p{L}`, false],
    ['(?i)a', false],
    ['[[:alpha:]]', false],
    ['a{1000}', false],
    ['ä', true],
    ['[à-ö]', true],
    ['a**', false],
    [String.raw`\x41`, false],
    ['(a', false],
    ['\0', false],
  ])('%s has none', (pattern, isFolded) => {
    expect(postgresPattern(pattern, isFolded)).toBeUndefined()
  })
})

const ATOMS = [
  'a',
  'B',
  'k',
  's',
  '.',
  '\\d',
  '\\W',
  '\\s',
  '[ab]',
  '[^a-c]',
  '[\\w-]',
  'ä',
  '\n',
  '\\.',
  '^',
  '$',
  '-',
  '日',
  '{',
]
const QUANTIFIERS = ['', '', '', '*', '+', '?', '*?', '{2}', '{0,2}', '{1,}']
const CHARS = [
  'a',
  'b',
  'B',
  'k',
  'K',
  '\u212a',
  's',
  '\u017f',
  'ä',
  'Ä',
  '0',
  '_',
  ' ',
  '\n',
  '-',
  '.',
  '日',
  '{',
  '𐐁',
]

function patternOf(random: Random, depth: number): string {
  const parts = Array.from({ length: 1 + random.below(3) }, () => {
    const inner = depth > 0 && random.next() < 0.3 ? `(${patternOf(random, depth - 1)})` : random.pick(ATOMS)
    return inner === '^' || inner === '$' ? inner : inner + random.pick(QUANTIFIERS)
  })
  return depth > 0 && random.next() < 0.3 ? `${parts.join('')}|${patternOf(random, depth - 1)}` : parts.join('')
}

describe('on the server', () => {
  let server: TestPostgres
  let client: Client

  beforeAll(async () => {
    server = await startPostgres({ isServer: true })
    client = new Client({ connectionString: server.url })
    await client.connect()
  })

  afterAll(async () => {
    await client.end()
    await server.close()
  })

  test('random patterns match the texts that ours match', async () => {
    const random = seededRandom(7)
    let translated = 0
    for (let i = 0; i < 1_500; i++) {
      const pattern = patternOf(random, 2)
      const isFolded = random.next() < 0.4
      const found = postgresPattern(pattern, isFolded)
      if (found === undefined) continue
      translated++
      const texts = Array.from({ length: 12 }, () =>
        Array.from({ length: random.below(6) }, () => random.pick(CHARS)).join(''),
      )
      const ours = Regex.compile(isFolded ? `(?i)${pattern}` : pattern, { isWhole: false, dotMatchesNewline: true })
      const sql = 'SELECT array_agg(t ~ $2 ORDER BY n) AS matched FROM unnest($1::text[]) WITH ORDINALITY AS u(t, n)'
      const { rows } = await client.query<{ matched: boolean[] }>(sql, [texts, found])
      expect([pattern, isFolded, found, rows[0]?.matched]).toEqual([
        pattern,
        isFolded,
        found,
        texts.map((text) => ours.test(text)),
      ])
    }
    expect(translated).toBeGreaterThan(900)
  })
})
