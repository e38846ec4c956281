import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logsqlVectors } from './logsql.ts'
import { promqlVectors } from './promql.ts'
import { report, type VectorSet } from './report.ts'

let root = ''
let count = 0

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'vectors-'))
})

afterAll(() => rmSync(root, { recursive: true }))

type Files = Readonly<Record<string, unknown>>

/** Runs a directory of these files, texts as they are and everything else as JSON. */
async function run(
  set: VectorSet,
  files: Files,
): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  const dir = join(root, String(count++))
  mkdirSync(join(dir, 'testdata'), { recursive: true })
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(dir, name), typeof content === 'string' ? content : JSON.stringify(content))
  const lines: string[] = []
  const code = await report(set, { dir }, (line) => lines.push(line))
  return { code, lines }
}

async function runLog(file: string, vectors: readonly object[], others: object = {}): ReturnType<typeof run> {
  const numbered = vectors.map((vector, i) => ({ id: String(i).padStart(12, '0'), ...vector }))
  return run(logsqlVectors, { [file]: { ...others, vectors: numbered } })
}

async function runScript(...lines: readonly string[]): ReturnType<typeof run> {
  return run(promqlVectors, { 'testdata/own.test': lines.join('\n') })
}

/** The last line: how many passed, failed, were skipped. */
function sums({ lines }: { readonly lines: readonly string[] }): string {
  return lines.at(-1) ?? ''
}

describe('a directory of vectors', () => {
  test('may hold only some of the files, and its counts are its own', async () => {
    const log = await runLog('values.json', [{ fn: 'uppercase', in: 'a', out: 'A' }])
    expect(log).toEqual({
      code: 0,
      lines: ['values.json: 1 passed, 0 failed, 0 skipped', '1 passed, 0 failed, 0 skipped'],
    })
    const series = await run(promqlVectors, {
      'series-desc.json': [{ input: 'a 1', labels: { __name__: 'a' }, values: [1] }],
    })
    expect(series).toMatchObject({
      code: 0,
      lines: ['series-desc.json: 1 passed, 0 failed, 0 skipped', expect.anything()],
    })
  })

  test('without any known file, or not there, is misuse', async () => {
    expect(await run(logsqlVectors, {})).toMatchObject({
      code: 2,
      lines: [expect.stringContaining('none of the files')],
    })
    const lines: string[] = []
    expect(await report(logsqlVectors, { dir: join(root, 'nowhere') }, (line) => lines.push(line))).toBe(2)
    expect(lines[0]).toMatch(/^there are no vectors in /)
  })

  test.each([
    ['pipes.json', '{"vectors": [', /pipes\.json not JSON/],
    ['filters.json', '{"cases": []}', /filters\.json neither a list/],
    ['e2e.json', 'null', /e2e\.json neither a list/],
  ])('a damaged %s is one failure', async (file, content, text) => {
    const { code, lines } = await run(logsqlVectors, {
      [file]: content,
      'values.json': [{ fn: 'uppercase', in: 'a', out: 'A' }],
    })
    expect(code).toBe(1)
    expect(lines[0]).toMatch(text)
    expect(sums({ lines })).toBe('1 passed, 1 failed, 0 skipped')
  })

  test.each([
    ['parse-valid.json', { kind: 'riddle', q: '*' }, /kind that is not known: riddle/],
    ['parse-valid.json', { kind: 'query', canon: '*' }, /has no query/],
    ['parse-invalid.json', { kind: 'riddle', q: '*' }, /kind that is not known: riddle/],
    ['pipes.json', { kind: 'riddle', q: 'limit 1', in: [], out: [] }, /kind that is not known: riddle/],
    ['pipes.json', { kind: 'rows', q: 'limit 1', in: [] }, /has no rows as its answer/],
    ['filters.json', { kind: 'riddle', q: '*' }, /kind that is not known: riddle/],
    ['filters.json', { kind: 'columns', q: '*', ds: 'none', rows: [] }, /there is no data set none/],
    ['optimizer.json', { kind: 'toString', q: '*' }, /kind that is not known: toString/],
    ['values.json', { fn: 'toString', in: 1, out: 1 }, /nothing runs toString/],
    ['e2e.json', { kind: 'riddle', q: '*', out: [] }, /kind that is not known: riddle/],
    ['e2e.json', { kind: 'storage', q: '*', out: [] }, /there is no data set/],
    [
      'e2e.json',
      { kind: 'ingest-query', q: '*', ingest: [], options: { colour: 1 }, out: [] },
      /option that is not known: colour/,
    ],
  ])('an entry of %s in no known form fails alone', async (file, vector, text) => {
    const { code, lines } = await runLog(file, [vector])
    expect(code).toBe(1)
    expect(lines[0]).toMatch(text)
    expect(lines[0]).toContain('000000000000')
  })

  test('an entry that is no object fails alone', async () => {
    for (const file of ['pipes.json', 'optimizer.json', 'parse-valid.json']) {
      const outcome = await run(logsqlVectors, { [file]: [7, null] })
      expect(outcome.code).toBe(1)
      expect(sums(outcome)).toBe('0 passed, 2 failed, 0 skipped')
    }
    expect(sums(await run(promqlVectors, { 'parse-valid.json': [7, null] }))).toBe('0 passed, 2 failed, 0 skipped')
  })
})

describe('log vectors', () => {
  test('functions of values', async () => {
    const right = [
      { fn: 'hexEncode', in: 'aß', out: '61C39F' },
      { fn: 'hexNumEncode', in: '255', out: '00000000000000FF' },
      { fn: 'hexNumEncode', in: 255, out: '00000000000000FF' },
      {
        fn: 'flattenJSONStream',
        in: ['{"a":{"b":1}} {"c":"}"}{"d":[1]}', '', []],
        out: '{"a.b":"1"}\n{"c":"}"}\n{"d":"[1]"}',
      },
      { fn: 'flattenJSONStream', in: ['{"a":1}[1]', '', []], out: { error: true } },
      { fn: 'tokenizeDistinct', in: ['foo bar', 'foo'], out: ['bar', 'foo'] },
      { fn: 'bucketFloat64', in: ['1.5', 1, 0], out: '1' },
      { fn: 'parseUint64', in: '7', out: '7' },
      { fn: 'rowsLiteral', in: 'rows({', out: { error: true } },
      { fn: 'naturalLess', in: [2, 10], out: true },
    ]
    expect((await runLog('values.json', right)).lines).toEqual([
      `values.json: ${right.length} passed, 0 failed, 0 skipped`,
      `${right.length} passed, 0 failed, 0 skipped`,
    ])
    const wrong = [
      { fn: 'hexEncode', in: 'a', out: '62' },
      { fn: 'uppercase', in: 'a', out: { error: true } },
      { fn: 'parseUint64', in: 'a', out: 7 },
      { fn: 'split', in: ['a,b', ','], out: ['b', 'a'] },
      { fn: 'tokenizeDistinct', in: ['foo bar'], out: ['foo'] },
    ]
    expect(sums(await runLog('values.json', wrong))).toBe(`0 passed, ${wrong.length} failed, 0 skipped`)
  })

  test('refused texts of every kind', async () => {
    const refused = [
      { kind: 'pattern-steps', q: 'bar <foo' },
      { kind: 'filter-ast', q: 'a:(' },
      { kind: 'query', qb64: Buffer.from('* |').toString('base64') },
    ]
    expect(sums(await runLog('parse-invalid.json', refused))).toBe('3 passed, 0 failed, 0 skipped')
    const among = refused.map((vector) => ({ ...vector, ast: { error: true } }))
    expect(sums(await runLog('parse-valid.json', among))).toBe('3 passed, 0 failed, 0 skipped')
    const sound = [
      { kind: 'pattern-steps', q: '<foo> <bar>' },
      { kind: 'filter-ast', q: 'a:b' },
      { kind: 'query', q: '*' },
    ]
    expect(sums(await runLog('parse-invalid.json', sound))).toBe('0 passed, 3 failed, 0 skipped')
  })

  test('typed values of rows are their texts; texts that are not UTF-8 are skipped', async () => {
    const { lines } = await runLog('pipes.json', [
      { q: 'fields a, b', in: [{ a: 1, b: true, c: null }], out: [{ a: '1', b: 'true' }] },
      { q: 'fields a', in: [{ a: '1' }], out: [{ a: 1 }] },
      { q: 'fields a', in: [{ a: { b64: '/w==' } }], out: [{ a: { b64: '/w==' } }] },
      { q: 'fields a', in: [{ a: 1 }], out: [{ a: 2 }] },
    ])
    expect(sums({ lines })).toBe('2 passed, 1 failed, 1 skipped')
    expect(lines).toContain('skipped 1: a text of ours is always Unicode')
  })

  test('the property of a query that is refused cannot be given', async () => {
    const vectors = [
      { kind: 'stats-labels', q: '* | stats by (', error: true },
      { kind: 'stats-labels', q: '* | stats by (a, b) count() n', fields: ['b', 'a', 'b'] },
      { kind: 'stats-labels', q: '* | stats by (a, b) count() n', error: true },
      { kind: 'stats-labels', q: '* | stats by (', fields: [] },
    ]
    expect(sums(await runLog('optimizer.json', vectors))).toBe('2 passed, 2 failed, 0 skipped')
  })

  test('records are taken in with their options', async () => {
    const { lines } = await runLog('e2e.json', [
      {
        kind: 'ingest-query',
        q: 'hello',
        ingest:
          '{"ts":"2025-06-05T14:30:19Z","log":{"text":"hello"},"n":1,"gone":1} {"ts":1749133820,"log":{"text":"bye"}}',
        options: { messageField: 'log.text', timeField: ['ts'], streamFields: 'n', ignoreFields: ['gone'] },
        out: [{ _time: '2025-06-05T14:30:19Z', _msg: 'hello', n: '1', _stream: '{n="1"}' }],
      },
      {
        kind: 'ingest-query',
        q: '_time:>2025-06-05T14:30:19Z {n=""}',
        ingest: [{ _time: '1749133820', _msg: 'bye' }],
        options: {},
        out: [{ _time: '2025-06-05T14:30:20Z', _msg: 'bye' }],
      },
    ])
    expect(lines).toEqual(['e2e.json: 2 passed, 0 failed, 0 skipped', '2 passed, 0 failed, 0 skipped'])
  })
})

describe('metric scripts', () => {
  test('a text is any literal of the language', async () => {
    const outcome = await runScript(
      `eval instant at 1m "a"`,
      String.raw`  expect string 'a'`,
      '',
      String.raw`eval instant at 1m "a\tb"`,
      '  expect string `a\tb`',
      '',
      String.raw`eval instant at 1m "a\x62"`,
      String.raw`  expect string "\u0061b"`,
    )
    expect(outcome.lines).toEqual(['scripts: 3 passed, 0 failed, 0 skipped', '3 passed, 0 failed, 0 skipped'])
  })

  test('a bad expectation fails its own case only', async () => {
    const bad = ['  expect string "a', '  expect riddle', '  expect range vector from 1 to 2', '  {a="1"} {{riddle:1}}']
    const lines = bad.flatMap((line) => ['eval instant at 1m 1', line, ''])
    const outcome = await runScript(...lines, 'eval instant at 1m 2', '2')
    expect(sums(outcome)).toBe(`1 passed, ${bad.length} failed, 0 skipped`)
    expect(outcome.lines[0]).toMatch(/^scripts: own\.test:1 1 not a text in quotes: "a/)
  })

  test('what is no command, block or series is told with its line, and the rest runs', async () => {
    const outcome = await runScript(
      'load 1m',
      '  a 1',
      '  b {{riddle}}',
      '',
      'sing instant at 1m a',
      '  a 1',
      '',
      'load soon',
      '  c 1',
      '',
      'eval instant soon a',
      '',
      'eval instant at 0 a',
      '  a 1',
    )
    expect(outcome.lines.slice(0, -2).map((line) => /own\.test:(\d+)/.exec(line)?.[1])).toEqual(['3', '5', '8', '11'])
    expect(sums(outcome)).toBe('1 passed, 4 failed, 0 skipped')
  })

  test('numbers are read as the reference reads them', async () => {
    for (const [query, text] of [
      ['255', '0xff'],
      ['8', '010'],
      ['5', '0b101'],
      ['1000', '1_000'],
      ['Inf', '+infinity'],
      ['0.5', '.5'],
    ])
      expect(sums(await runScript(`eval instant at 1m ${query}`, text ?? ''))).toBe('1 passed, 0 failed, 0 skipped')
  })

  test('an answer that is not the expected one fails', async () => {
    const outcome = await runScript(
      'load 1m',
      '  a{b="1"} 1',
      '',
      'eval instant at 0 a',
      '  a{b="1"} 2',
      '',
      'eval instant at 0 a',
      '  expect fail',
      '',
      'eval instant at 0 a{',
      '  a 1',
      '',
      'eval instant at 0 a{',
      '  expect fail',
    )
    expect(sums(outcome)).toBe('1 passed, 3 failed, 0 skipped')
  })

  test('the index says the tier of a case; one that it lists and no script has fails', async () => {
    const script = ['eval instant at 1m 1', '1', 'eval instant at 1m 2', '2'].join('\n')
    const listed = (count: number): object[] =>
      Array.from({ length: count }, () => ({ file: 'own.test', tier: 'core' }))
    const runWith = async (cases: unknown): ReturnType<typeof run> =>
      run(promqlVectors, { 'testdata/own.test': script, 'cases.json': cases })
    expect((await runWith(listed(1))).lines.slice(0, 2)).toEqual([
      'core: 1 passed, 0 failed, 0 skipped',
      'scripts: 1 passed, 0 failed, 0 skipped',
    ])
    expect(sums(await runWith(listed(3)))).toBe('2 passed, 1 failed, 0 skipped')
    expect(sums(await runWith('['))).toBe('2 passed, 1 failed, 0 skipped')
    expect(sums(await run(promqlVectors, { 'cases.json': listed(1) }))).toBe('0 passed, 1 failed, 0 skipped')
  })

  test('golden answers need their data, and a bad line fails alone', async () => {
    const golden = { query: '1', range: { status: 'error' }, instant: { status: 'error' } }
    expect(sums(await run(promqlVectors, { 'compliance-golden.jsonl': JSON.stringify(golden) }))).toBe(
      '0 passed, 1 failed, 0 skipped',
    )
    const outcome = await run(promqlVectors, {
      'demo.jsonl': '',
      'demo-meta.json': { rangeStart: 0, rangeEnd: 60, step: 60, instantAt: 0 },
      'compliance-golden.jsonl': `${JSON.stringify({
        query: '1',
        range: {
          status: 'success',
          data: {
            resultType: 'matrix',
            result: [
              {
                metric: {},
                values: [
                  [0, '1'],
                  [60, '1'],
                ],
              },
            ],
          },
        },
        instant: { status: 'success', data: { resultType: 'scalar', result: [0, '1'] } },
      })}\n{\n${JSON.stringify(golden)}`,
    })
    expect(sums(outcome)).toBe('1 passed, 2 failed, 0 skipped')
  })
  test('golden lines in ranges may differ in their last digits, and in no others', async () => {
    const seconds = Array.from({ length: 100 }, (_, i) => i * 15)
    const series = {
      metric: { __name__: 'm' },
      values: seconds.map((s) => s * 2),
      timestamps: seconds.map((s) => s * 1000),
    }
    const golden = (query: string, value: string): string =>
      JSON.stringify({
        query,
        range: {
          status: 'success',
          data: { resultType: 'matrix', result: [{ metric: {}, values: seconds.slice(60).map((s) => [s, value]) }] },
        },
        instant: { status: 'success', data: { resultType: 'vector', result: [] } },
      })
    const outcome = await run(promqlVectors, {
      'demo.jsonl': JSON.stringify(series),
      'demo-meta.json': { rangeStart: 900, rangeEnd: 1485, step: 15, instantAt: 100_000 },
      'compliance-golden.jsonl': [
        golden('deriv(m[10m])', '2.0000000000001'),
        golden('deriv(m[10m])', '2.0000000001'),
        golden('avg_over_time(deriv(m[10m])[1m:])', '2'),
        golden('sum(m) * 0 + 2', '2'),
        golden('sum(m) * 0 + 2', '2.0000000000001'),
      ].join('\n'),
    })
    expect(
      outcome.lines.filter((line) => line.startsWith('compliance: line')).map((line) => line.split(' ')[2]),
    ).toEqual(['2', '5'])
    expect(sums(outcome)).toBe('3 passed, 2 failed, 0 skipped')
  })
})
