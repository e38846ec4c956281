import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../../src/base/index.ts'
import { columnarBackend } from '../../../../src/backends/columnar/index.ts'
import { Counters } from '../../../../src/backends/columnar/expr/counters.ts'
import { SubstringInWords } from '../../../../src/backends/columnar/expr/substring-in-words.ts'
import { rowsBackend } from '../../../../src/backends/rows/index.ts'
import type { Row, ValueTest } from '../../../../src/data/index.ts'
import { createEngine } from '../../../../src/engine/index.ts'
import { standardFunctions } from '../../../../src/functions/index.ts'
import { createMemoryStore, standardCatalog } from '../../../../src/store/index.ts'

const random = seededRandom(3)
const odd = [
  `${'x'.repeat(126)}deadbeef`,
  `${'x'.repeat(128)}cafe12`,
  'ſdeadbe',
  'DEAD\u212aE',
  'deadKe1',
  'Cafe\u0130x9',
  'dead beef',
  'dead-be',
  'de\u00e4dbe',
  '',
  'caf\u00e912 caf12',
]
const hex = (): string => random.below(2 ** 31).toString(16)
const texts = [
  ...odd,
  ...Array.from({ length: 3000 }, () => `${hex()} ${random.pick(['Cafe', 'cafe', 'dead', 'x'])}${hex()} done`),
]
const rows = texts.map((content, i) => ({
  timeNs: BigInt(i),
  sequence: i,
  row: new Map([['content', content]]) satisfies Row,
}))
const store = createMemoryStore(standardCatalog)
store.table('logs').writer.appendRows(rows)
store.table('logs').seal()
const columnar = createEngine({ backends: [columnarBackend(store, standardFunctions)], lint: 'off' })
const model = createEngine({ backends: [rowsBackend(new Map([['logs', rows]]), standardFunctions)], lint: 'off' })

describe('what lies inside one word', () => {
  test.each([
    'content:*deadbe*',
    'content:*cafe12*',
    'content:*deadke*',
    'content:*a*',
    'content:*7*',
    'content:*zzzz*',
    'content:~"dead[a-f]e"',
    'content:~"(?:cafe|Cafe)[0-9]{2}"',
    'content:~"[a-f]{7}[0-9]{1}"',
    'content:~"cafe12"',
    'content:~"dead.be"',
    'content:~"(?i)dead[a-z]e"',
    '-content:*cafe*',
    '-content:~"[a-f]{6}"',
  ])('%s finds the rows that it finds one by one', async (filter) => {
    for (const query of [`${filter} | fields content`, `${filter} | stats count() as n`]) {
      expect(await columnar.query(query).toArray()).toEqual(await model.query(query).toArray())
    }
  })

  const counters = new Counters()

  test.each<[ValueTest, boolean]>([
    [{ kind: 'contains', text: 'deadBE', isFolded: true }, true],
    [{ kind: 'contains', text: 'dead be', isFolded: true }, false],
    [{ kind: 'contains', text: '', isFolded: true }, false],
    [{ kind: 'contains', text: 'é', isFolded: true }, false],
    [{ kind: 'regexp', pattern: '[a-f]{7}[0-9]{2}', isFolded: false }, true],
    [{ kind: 'regexp', pattern: '\\w\\d_', isFolded: false }, true],
    [{ kind: 'regexp', pattern: '[a-f]{7}[0-9]{2}', isFolded: true }, false],
    [{ kind: 'regexp', pattern: '[^a]b', isFolded: false }, false],
    [{ kind: 'regexp', pattern: 'a.b', isFolded: false }, false],
    [{ kind: 'regexp', pattern: '\\bab', isFolded: false }, false],
    [{ kind: 'regexp', pattern: 'ab+', isFolded: false }, false],
  ])('is known of %j: %s', (test, isKnown) => {
    expect(SubstringInWords.of(test, counters) !== undefined).toBe(isKnown)
  })
})
