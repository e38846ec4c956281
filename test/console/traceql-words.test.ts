import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import type { Ask } from '../../src/console/ask/client.ts'
import { traceOf } from '../../src/console/pages/traces/tempo.ts'
import { ofTrace } from '../../src/console/pages/traces/trace-condition.ts'
import { TraceqlLanguage } from '../../src/console/pages/traces/traceql-language.ts'
import { coloursOf, wantedAt } from '../../src/console/pages/traces/traceql-words.ts'

/**
 * Parses a text in which `¦` stands for the cursor. Returns what completion expects there, and the text it would
 * replace.
 */
function at(text: string) {
  const [before = '', after = ''] = text.split('¦')
  const { kind, field, text: typed, start, end } = wantedAt(before + after, before.length)
  return { kind, field, typed, replaced: (before + after).slice(start, end) }
}

test('completion knows what can stand at the cursor', () => {
  expect(at('{ du¦')).toEqual({ kind: 'words', field: undefined, typed: 'du', replaced: 'du' })
  expect(at('{ resource.serv¦ice.name = 1 }')).toEqual({
    kind: 'words',
    field: undefined,
    typed: 'resource.serv',
    replaced: 'resource.service.name',
  })
  expect(at('{ .a = ¦ }')).toMatchObject({ kind: 'words', field: '.a', typed: '', replaced: '' })
  expect(at('{ status != er¦ }')).toMatchObject({ kind: 'words', field: 'status', typed: 'er' })
  expect(at('{ span:name = "a¦b" }')).toMatchObject({ kind: 'string', field: 'span:name', replaced: '"ab"' })
  expect(at('{ .a = "x¦ && .b }')).toMatchObject({ kind: 'string', field: '.a', typed: 'x', replaced: '"x' })
  expect(at('{ span."a b" = `¦` }')).toMatchObject({ kind: 'string', field: 'span."a b"', replaced: '``' })
  expect(at('{ .a > 5¦ }')).toMatchObject({ kind: 'nothing' })
  expect(at('{ } // no¦')).toMatchObject({ kind: 'nothing' })
  expect(at('{ } | select("a¦")')).toMatchObject({ kind: 'nothing' })
})

test('colours tell functions, fields, constants and values apart', () => {
  const text = '{ span.a = "x" && status = error } | count() > 1.5e3 /* why */'
  const words = coloursOf(text).map(({ start, end, kind }) => `${text.slice(start, end)}:${kind}`)
  expect(words.filter((word) => !word.endsWith(':operator'))).toEqual([
    'span.a:property',
    '"x":string',
    'status:property',
    'error:keyword',
    'count:function',
    '1.5e3:number',
    '/* why */:comment',
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

test('names and values are read once, and again after a failure', async () => {
  const asked: string[] = []
  let isDown = true
  const ask = ((_: string, { path }: { readonly path: string }) => {
    asked.push(path.replace(/\?.*/, ''))
    if (isDown) return Promise.reject(new Error('no server'))
    const scopes = [
      { name: 'span', tags: ['a', 'b c'] },
      { name: 'intrinsic', tags: ['span:id'] },
    ]
    const tagValues = [{ type: 'string', value: 'x"y' }, { type: 'int', value: '7' }, { type: 'string' }]
    return Promise.resolve({ body: path.includes('/values') ? { tagValues } : { scopes } })
  }) as unknown as Ask
  const words = [{ label: 'duration', kind: 'keyword', detail: '', insertText: 'duration' }]
  const grammar = { call: () => Promise.resolve({ span: { start: 0, end: 0 }, items: words }) }
  const range = { startMs: 0, endMs: 1 }
  const { call } = new TraceqlLanguage(ask, grammar as never, () => range)
  const offered = async (text: string): Promise<readonly string[]> => {
    const { items } = await call('complete', { text, offset: text.length, table: 'spans', dialect: 'traceql' })
    return items.map(({ insertText }) => insertText)
  }
  expect(await offered('{ ')).toEqual(['duration'])
  isDown = false
  expect(await offered('{ ')).toEqual(['duration', 'span.a', 'span."b c"', 'span:id'])
  expect(await offered('{ span')).toEqual(['span.a', 'span."b c"', 'span:id'])
  expect(await offered('{ .')).toEqual(['.a', '."b c"'])
  expect(await offered('{ span.b')).toEqual(['span."b c"'])
  expect(await offered('{ span."b ')).toEqual(['span."b c"'])
  expect(await offered('{ .k = ')).toEqual([
    String.raw`"x\"y"`,
    '7',
    '""',
    'duration',
    'span.a',
    'span."b c"',
    'span:id',
  ])
  expect(await offered('{ .k = "')).toEqual([String.raw`"x\"y"`, '""'])
  const tags = '/tempo/api/v2/search/tags'
  expect(asked).toEqual([tags, tags, tags, '/tempo/api/v2/search/tag/.k/values'])
})

test('an answer of the search becomes a row of the list', () => {
  const sent = {
    traceID: 'ab',
    rootServiceName: '<root span not yet received>',
    startTimeUnixNano: '1700000000123456789',
    spanSets: [
      { matched: 5, spans: [{ spanID: 'a' }, { spanID: 'b' }] },
      { matched: 1, spans: [{ spanID: 'a' }] },
    ],
    serviceStats: { shop: { spanCount: 7, errorCount: 2 }, pay: { spanCount: 1 } },
  }
  expect(traceOf(sent)).toEqual({
    id: 'ab',
    name: '',
    service: '',
    isRoot: false,
    start: '2023-11-14T22:13:20.123Z',
    durationMs: 0,
    spans: 8,
    errors: 2,
    matched: { count: 6, ids: ['a', 'b'] },
  })
})

test('an id without zeros in front finds the whole one', () => {
  expect(ofTrace('odd')).toBe('trace_id:="odd"')
  expect(ofTrace('ab'.repeat(16))).toBe(`trace_id:="${'ab'.repeat(16)}"`)
  expect(ofTrace('abc')).toBe(`trace_id:in("abc", "0000000000000abc", "${'abc'.padStart(32, '0')}")`)
  expect(ofTrace('1'.repeat(30))).toBe(`trace_id:in("${'1'.repeat(30)}", "00${'1'.repeat(30)}")`)
})
