import { describe, expect, test } from 'vitest'
import { present, SluiceError } from '../../src/base/index.ts'
import type { StoredRow } from '../../src/data/index.ts'
import { createEngine, type EngineLimits } from '../../src/engine/index.ts'
import { backendFixtures } from '../harness/backends.ts'

const rows: readonly StoredRow[] = Array.from({ length: 30 }, (_, i) => ({
  timeNs: BigInt(i),
  sequence: i,
  row: new Map<string, string>([
    ['content', `message number ${String(i).padStart(3, '0')}`],
    ['level', 'info'],
  ]),
}))

const small = { valueChars: 400, valueItems: 25 } satisfies Partial<EngineLimits>

/** Returns the error code of a query on every backend. */
async function outcomes(query: string, limits: Partial<EngineLimits>): Promise<readonly string[]> {
  const all: string[] = []
  for (const fixture of backendFixtures) {
    const opened = await fixture.open(rows)
    const engine = createEngine({ backends: [opened.backend], lint: 'off' })
    const outcome = await engine
      .query(query, { limits })
      .toArray()
      .then(() => 'answered')
      .catch((error: unknown) => {
        if (!(error instanceof SluiceError)) throw error
        return `${error.code} ${/`(\w+)`/.exec(error.message)?.[1]}`
      })
    all.push(outcome)
    await opened.close()
  }
  return all
}

const same = (outcome: string): readonly string[] => backendFixtures.map(() => outcome)

describe('one value', () => {
  const long = 'format "<content><content><content><content><content>" as content'
  test.each([
    [`* | ${long} | ${long}`, 'format'],
    [
      '* | replace ("e", "0123456789012345678901234567890123456789012345678901234567890123456789") at content | replace ("e", "0123456789") at content | replace ("0", "0123456789") at content',
      'replace',
    ],
    ['* | replace_regexp (".", "$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0") at content', 'replace_regexp'],
    [
      `* | ${long} | format "<hexencode:content>" as content | format "<hexencode:content>" as content | format "<q:content><content>" as content`,
      'format',
    ],
    [`* | ${long} | copy content as a, content as b, content as c, content as d | pack_json as e`, 'pack_json'],
    [`* | ${long} | copy content as a, content as b, content as c, content as d | pack_logfmt as e`, 'pack_logfmt'],
    ['* | stats values(content) limit 20 as v', 'values'],
    ['* | stats uniq_values(content) limit 20 as v', 'uniq_values'],
    ['* | stats json_values(content) limit 20 as v', 'json_values'],
  ])('%s is refused for its length', async (query, maker) => {
    expect(await outcomes(query, { valueChars: small.valueChars })).toEqual(same(`budget/value-length ${maker}`))
  })

  test.each([
    ['* | stats values(level) as v', 'values'],
    ['* | stats uniq_values(content) as v', 'uniq_values'],
    ['* | stats json_values(level) as v', 'json_values'],
    ['* | limit 1 | split "" from content as parts', 'answered'],
    ['* | format "<content><content>" as content | split "" from content as parts', 'split'],
    ['* | format "[1,2,3,4,5,6,7,8,9,10,1,2,3,4,5,6,7,8,9,10,1,2,3,4,5,6]" as a | unroll by (a)', 'unroll'],
  ])('%s is looked at for its items', async (query, maker) => {
    const expected = maker === 'answered' ? maker : `budget/value-items ${maker}`
    expect(await outcomes(query, { valueItems: small.valueItems })).toEqual(same(expected))
  })

  test('as long as may be is answered, one more is not', async () => {
    // 30 strings of 18 characters with quotes, commas between them, and brackets around the list.
    const chars = 30 * 20 + 29 + 2
    expect(await outcomes('* | stats values(content) as v', { valueChars: chars })).toEqual(same('answered'))
    expect(await outcomes('* | stats values(content) as v', { valueChars: chars - 1 })).toEqual(
      same('budget/value-length values'),
    )
  })
})

describe('what is made is counted before it is there', () => {
  const columnar = backendFixtures.filter(({ name }) => name === 'columnar')

  test.each([
    '* | format "<content><content><content><content>" as content | sort by (content)',
    '* | stats by (content) values(content) as v, uniq_values(content) as u',
    '* | stats json_values(content) as v, values(content) as w, quantile(0.5, content) as q',
    '* | facets',
    '* | uniq by (content, level)',
    'content:in(* | fields content)',
    '* | format "<content>" as line | sort by (line)',
    '* | patterns',
  ])('%s', async (query) => {
    for (const fixture of columnar) {
      const opened = await fixture.open(rows)
      const engine = createEngine({ backends: [opened.backend], lint: 'off' })
      const run = (memoryBytes: number): Promise<unknown> => engine.query(query, { limits: { memoryBytes } }).toArray()
      await expect(run(100)).rejects.toMatchObject({ code: 'budget/memory' })
      await expect(run(2 ** 26)).resolves.toBeDefined()
      await opened.close()
    }
  })

  test('many rows of one row are drawn one by one', async () => {
    const [fixture] = columnar
    const opened = await present(fixture).open(rows)
    const engine = createEngine({ backends: [opened.backend], lint: 'off' })
    const query =
      '* | generate_sequence 3000 | stats values(content) as a | format "<a>" as b | unroll by (a) | unroll by (b) | limit 5'
    expect(await engine.query(query, { limits: { memoryBytes: 2 ** 23 } }).toArray()).toHaveLength(5)
    await opened.close()
  })
})
