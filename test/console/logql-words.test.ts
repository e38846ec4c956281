import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import type { Ask } from '../../src/console/ask/client.ts'
import { hitsOfLogql, queryLogql } from '../../src/console/data/remote/loki-answers.ts'
import type { ServerCalls } from '../../src/console/data/remote/server-calls.ts'
import { logql } from '../../src/console/language/logql.ts'
import { LogqlLanguage } from '../../src/console/pages/search/logql-language.ts'
import { coloursOf, streamsAt, wantedAt } from '../../src/console/pages/search/logql-words.ts'
import { wordsOf } from '../../src/console/pages/search/marked.tsx'

/** Removes the `¦` from a text. Returns the text and the offset of the mark, which stands for the cursor. */
function split(text: string): readonly [text: string, offset: number] {
  const [before = '', after = ''] = text.split('¦')
  return [before + after, before.length]
}

function at(marked: string) {
  const [text, offset] = split(marked)
  const { kind, field, text: typed, start, end } = wantedAt(text, offset)
  return { kind, field, typed, replaced: text.slice(start, end) }
}

test('completion knows what can stand at the cursor', () => {
  expect(at('{names¦pace="a"}')).toEqual({ kind: 'words', field: undefined, typed: 'names', replaced: 'namespace' })
  expect(at('{namespace=~"sh¦op"}')).toEqual({ kind: 'string', field: 'namespace', typed: 'sh', replaced: '"shop"' })
  expect(at('{a="b"} |= "ti¦')).toMatchObject({ kind: 'nothing' })
  expect(at('{a="b"} != "ti¦"')).toMatchObject({ kind: 'nothing' })
  expect(at('{a="b"} | pod != `x¦`')).toMatchObject({ kind: 'string', field: 'pod', typed: 'x', replaced: '`x`' })
  expect(at('rate({a="b"}[5¦m])')).toMatchObject({ kind: 'nothing' })
  expect(at('{a="b"} | js¦')).toMatchObject({ kind: 'words', field: undefined, typed: 'js' })
  expect(at('{a="b"} # no¦')).toMatchObject({ kind: 'nothing' })
})

test('completion knows the streams of the cursor', () => {
  const streams = (text: string) => streamsAt(...split(text))
  expect(streams('{a="b"¦')).toEqual({ selector: undefined, isInside: true })
  expect(streams('{a="{"} | ¦')).toEqual({ selector: '{a="{"}', isInside: false })
  expect(streams('sum by (¦) (rate({a="b"}[5m]))')).toEqual({ selector: '{a="b"}', isInside: false })
  expect(streams('rate({a="b"}[5m]) + rate({c="d"} | ¦[5m])')).toEqual({ selector: '{c="d"}', isInside: false })
  expect(streams('{a="b"} | json | {c¦')).toEqual({ selector: '{a="b"}', isInside: true })
  expect(streams('')).toEqual({ selector: undefined, isInside: false })
})

test('colours tell functions, keywords, labels and values apart', () => {
  const text = 'sum by (json) (rate({a="x"} |= `y` | logfmt --strict | json="z" | unwrap bytes(n) [5m])) > 1e3 # why'
  const words = coloursOf(text).map(({ start, end, kind }) => `${text.slice(start, end)}:${kind}`)
  expect(words.filter((word) => !word.endsWith(':operator'))).toEqual([
    'sum:function',
    'by:keyword',
    'json:property',
    'rate:function',
    'a:property',
    '"x":string',
    '`y`:string',
    'logfmt:keyword',
    '--strict:keyword',
    'json:keyword',
    '"z":string',
    'unwrap:keyword',
    'bytes:function',
    'n:property',
    '5m:number',
    '1e3:number',
    '# why:comment',
  ])
})

test('any text has colours in order, and completion at every offset', () => {
  assert(
    property(string({ unit: 'binary', maxLength: 40 }), (text) => {
      let end = 0
      for (const colour of coloursOf(text)) {
        expect(colour.start).toBeGreaterThanOrEqual(end)
        expect(colour.end).toBeGreaterThan(colour.start)
        end = colour.end
      }
      for (let offset = 0; offset <= text.length; offset++) {
        const { start, end: wantedEnd } = wantedAt(text, offset)
        if (start > wantedEnd || wantedEnd > text.length) expect.fail(`${text} at ${offset}`)
      }
    }),
    { numRuns: 50 },
  )
})

test('labels, fields of lines and values are offered where they can stand', async () => {
  const asked: string[] = []
  const lists: Readonly<Record<string, unknown>> = {
    labels: { data: ['namespace', 'pod'] },
    detected_fields: { fields: [{ label: 'amount' }, { label: 'pod' }] },
    'label/pod/values': { data: ['x"y'] },
    'label/amount/values': { status: 'success' },
    'detected_field/pod/values': { values: ['x"y', 'z'] },
    'detected_field/amount/values': { values: ['7'] },
  }
  const ask = ((_: string, { path }: { readonly path: string }) => {
    const { pathname, searchParams } = new URL(path, 'http://localhost')
    const name = pathname.replace('/loki/api/v1/', '')
    asked.push(`${name} ${searchParams.get('query') ?? ''}`)
    return Promise.resolve({ body: lists[name] })
  }) as unknown as Ask
  const grammar = {
    call: (_: string, { text, offset }: { readonly text: string; readonly offset: number }) => {
      const before = text.slice(0, offset)
      const items = logql.wordsAfter(before).map((label) => ({ label, kind: '', detail: '', insertText: label }))
      return Promise.resolve({ items, takesNames: logql.takesNameAfter?.(before) })
    },
  }
  const { call } = new LogqlLanguage(ask, grammar as never, () => ({ startMs: 0, endMs: 1 }))
  const offered = async (marked: string): Promise<readonly string[]> => {
    const [text, offset] = split(marked)
    const { items } = await call('complete', { text, offset, table: 'logs', dialect: 'logql' })
    return items.map(({ insertText }) => insertText)
  }
  expect(await offered('{¦')).toEqual(['namespace', 'pod'])
  expect(await offered('{pod="¦')).toEqual([String.raw`"x\"y"`])
  expect(await offered('{pod="a"} | js¦')).toEqual(['json'])
  expect(await offered('{pod="a"} | po¦')).toEqual(['pod'])
  expect(await offered('{pod="a"} | am¦x')).toEqual(['amount', 'namespace'])
  expect(await offered('{pod="a"} | amount = ¦')).toEqual(['"7"'])
  expect(await offered('{pod="a"} | pod = "z¦"')).toEqual(['"z"'])
  expect(await offered('sum by (¦')).toEqual(['namespace', 'pod', 'amount'])
  expect(await offered('sum(ra¦')).toEqual(expect.arrayContaining(['rate']))
  expect(asked).toEqual([
    'labels ',
    'label/pod/values ',
    'detected_fields {pod="a"}',
    'label/amount/values ',
    'detected_field/amount/values {pod="a"}',
    'detected_field/pod/values {pod="a"}',
    'detected_fields {service_name=~".+"}',
  ])
})

test('a click on a value adds a stage behind the last one', () => {
  const narrowed = (text: string, field: string, isExcluded: boolean): string | undefined =>
    logql.narrow?.({ text, field, value: 'a "b"', isExcluded, table: 'logs', dialect: 'logql' })
  expect(narrowed('{x="y"} # why', 'pod', false)).toBe(String.raw`{x="y"} | pod = "a \"b\"" # why`)
  expect(narrowed('{x="y"} | json', 'pod', true)).toBe(String.raw`{x="y"} | json | pod != "a \"b\""`)
  expect(narrowed('{x="y"}', 'content', false)).toBe(String.raw`{x="y"} |= "a \"b\""`)
  expect(narrowed('{x="y"}', 'content', true)).toBe(String.raw`{x="y"} != "a \"b\""`)
  expect(narrowed('{x=', 'pod', false)).toBe(String.raw`{x= | pod = "a \"b\""`)
})

test('words of line filters are marked', () => {
  expect(wordsOf('{a="b"} |= "x y" |= `c|d` != "no" | e="f"', 'logql')).toEqual(['x y', 'c|d'])
})

function serverOf(data: unknown, asked: URLSearchParams[] = []): ServerCalls {
  const answer = (_: string, { body }: { readonly body: string }) => {
    asked.push(new URLSearchParams(body))
    return Promise.resolve(Response.json({ data }))
  }
  return { answer } as unknown as ServerCalls
}

const { signal } = new AbortController()
const range = { startMs: 1_700_000_000_000, endMs: 1_700_000_060_000 }

test('entries are rows, the newest first, and say whether there may be more', async () => {
  const result = [
    { stream: { b: '1', a: '2' }, values: [['1700000000000000001', 'old']] },
    { stream: { content: 'label' }, values: [['1700000001000000000', 'new']] },
  ]
  const calls = serverOf({ resultType: 'streams', result })
  const { lines, isCut } = await queryLogql(calls, { query: '{a="b"}', range, maxRows: 5 }, signal)
  expect(isCut).toBe(false)
  expect(lines).toEqual([
    '{"_time":"2023-11-14T22:13:21Z","content":"new","content_label":"label"}',
    '{"_time":"2023-11-14T22:13:20.000000001Z","content":"old","a":"2","b":"1"}',
  ])
  const first = await queryLogql(calls, { query: '{a="b"}', range, maxRows: 1 }, signal)
  expect([first.lines.length, first.isCut]).toEqual([1, true])
})

test('series are rows of points, the largest first', async () => {
  const values = [
    [1_700_000_000.5, '1.5'],
    [1_700_000_001, 'NaN'],
  ]
  const calls = serverOf({
    resultType: 'matrix',
    result: [
      { metric: {}, values: [[1_700_000_001, '1']] },
      { metric: { value: 'x' }, values },
    ],
  })
  const { lines } = await queryLogql(calls, { query: 'rate({a="b"}[1m])', range, maxRows: 1 }, signal)
  expect(lines).toEqual([
    '{"_time":"2023-11-14T22:13:20.500Z","value_label":"x","value":1.5}',
    '{"_time":"2023-11-14T22:13:21.000Z","value_label":"x","value":"NaN"}',
    '{"_time":"2023-11-14T22:13:21.000Z","value":1}',
  ])
})

test('the histogram counts entries in windows that fill the range', async () => {
  const asked: URLSearchParams[] = []
  const values = [
    [1_700_000_000.999, '2'],
    [1_700_000_059.999, '3'],
  ]
  const calls = serverOf({ resultType: 'matrix', result: [{ metric: { detected_level: 'error' }, values }] }, asked)
  const { timesMs, stepMs, total, groups } = await hitsOfLogql(calls, { query: '{a="b"} # why', range }, signal)
  expect([timesMs[0], timesMs[59], stepMs, total]).toEqual([range.startMs, range.startMs + 59_000, 1000, 5])
  expect(groups.map(({ name, hits }) => [name, hits[0], hits[59]])).toEqual([['error', 2, 3]])
  await hitsOfLogql(calls, { query: '{a="b"} | json', range }, signal)
  expect(asked.map((form) => form.get('query'))).toEqual([
    'sum by (detected_level) (count_over_time({a="b"} # why\n[1000ms]))',
    'sum by (detected_level) (count_over_time({a="b"} | json\n| drop __error__, __error_details__[1000ms]))',
  ])
  expect(asked[0]?.get('start')).toBe('1700000000999000000')
})
