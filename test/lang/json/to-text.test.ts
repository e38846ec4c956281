import { describe, expect, test } from 'vitest'
import { standardFunctions } from '../../../src/functions/index.ts'
import { operators, pipelineToText, readPipeline, textToPipeline } from '../../../src/lang/json/index.ts'
import { parse } from '../../../src/lang/log/index.ts'
import { standardCatalog } from '../../../src/store/index.ts'

const { stats, scalar } = standardFunctions
const functions = {
  stats: (name: string) => stats.get(name)?.name,
  scalar: (name: string) => scalar.get(name)?.name,
  all: () => [...stats.names(), ...scalar.names()],
}
const table = standardCatalog.tables.get('logs')
const logs = { functions, aliases: table?.aliases, textField: table?.textField, nowNs: 1_773_144_000_000_000_000n }

function textOf(body: unknown): string {
  const { text, diagnostics } = pipelineToText(readPipeline(body), functions)
  expect(diagnostics).toEqual([])
  expect(parse(text).diagnostics).toEqual([])
  return text
}

describe('structured queries as texts', () => {
  // The nameless field is the text of a record. A selector without a key does not read it.
  test.each([
    [{ selectors: [{ alias: 'x' }] }, 'copy _made_1 as _made_0 | rename _made_0 as x | fields x'],
    [
      { selectors: [{ alias: 'x', processors: [{ op: 'add', args: [1] }] }] },
      'math _made_1 + "1" as _made_0 | rename _made_0 as x | fields x',
    ],
    [{ groupBy: [{ alias: 'x' }] }, 'copy _made_1 as _made_0 | uniq by (_made_0) | rename _made_0 as x'],
    [{ selectors: [{ key: 'pod' }], orderBy: [{ selector: { key: '*' } }] }, 'fields pod'],
    [{ limitBy: { limit: 1, selectors: [{ key: '*' }] } }, 'limit 1 by ()'],
  ])('without a key, %j', (body, text) => {
    expect(textOf(body)).toBe(`* | ${text}`)
  })

  test.each([
    [{ timeOffset: '1h', from: { timeOffset: '30 minutes' } }, 'options(range_offset=1h30m) *'],
    [{ domain: 'Traces', limit: 2 }, 'options(domain=traces) * | limit 2'],
    [
      {
        join: {
          leftPipeline: { domain: 'logs' },
          rightPipeline: { domain: 'traces', timeOffset: '1h' },
          onConditions: [{ leftColumn: { key: 'trace_id' } }, { leftColumn: { key: 'a' }, rightColumn: { key: 'b' } }],
          type: 'LEFT JOIN',
          prefix: 'span',
        },
      },
      'options(domain=logs) * | join by (trace_id, a = b) (options(domain=traces, range_offset=1h) *) left prefix "span" clashing',
    ],
    // The right side inherits the left side's offset, so the text states the right offset where it differs.
    [
      { timeOffset: '1h', union: { leftPipeline: { timeOffset: '1h', limit: 1 }, rightPipeline: { limit: 1 } } },
      'options(range_offset=2h) * | limit 1 | union (options(range_offset=1h) * | limit 1)',
    ],
    [
      { union: { leftPipeline: { timeOffset: '1h' }, rightPipeline: { limit: 1 } } },
      'options(range_offset=1h) * | union (options(range_offset=0) * | limit 1)',
    ],
    [
      { selectors: [{ key: '_time', alias: 's', processors: [{ op: 'toStartOfInterval', args: ['5 minutes'] }] }] },
      'bucketize _time:5m as _made_0 | rename _made_0 as s | fields s',
    ],
    [
      {
        selectors: [
          {
            key: '*',
            processors: [{ op: 'count' }],
            windowSpec: { partitionBy: [{ key: 'd', processors: [{ op: 'floor' }] }] },
          },
        ],
      },
      'math floor(d) as _made_0 | total_stats by (_made_0) count() as count | delete _made_0 | fields count',
    ],
    [
      { groupBy: [{ key: '_time', processors: [{ op: 'toStartOfInterval', args: ['1 hour'] }] }] },
      'bucketize _time:1h as _made_0 | uniq by (_made_0) | rename _made_0 as _time',
    ],
    // In `math`, a string argument that is not a number would be parsed as a field name.
    [
      { selectors: [{ key: 'd', alias: 'x', processors: [{ op: 'add', args: ['level'] }] }] },
      'compute add(d, "level") as _made_0 | rename _made_0 as x | fields x',
    ],
    // A column whose name reads as a number would be parsed as that number.
    [
      { mathExpression: [{ alias: 'x', math_operator: '+', args: [{ column: { key: '200' } }, { scalar: 1 }] }] },
      'copy "200" as _made_0 | math (_made_0 + "1") as x | delete _made_0',
    ],
    // Helper columns must not overwrite columns of the body.
    [{ selectors: [{ key: '_made_0', alias: 'x' }] }, 'copy _made_0 as __made_0 | rename __made_0 as x | fields x'],
  ])('%j', (body, expected) => {
    const text = expected.startsWith('options') ? expected : `* | ${expected}`
    expect(textOf(body)).toBe(text)
  })

  test('the time and text fields take every operator, by a form that means the same everywhere', () => {
    const conditions = [
      { key: '_time', filters: [{ op: 'startswith', value: '2026-01' }] },
      { key: '_time', filters: [{ op: 'gte', value: '2026-01-01T00:00:00Z' }] },
      { key: '_msg', filters: [{ op: 'istartswith', value: 'Conn' }] },
      { key: 'd', filters: [{ op: 'not_gt', value: 5 }] },
    ]
    expect(textOf({ filters: { operator: 'or', conditions } })).toBe(
      '(meets(_time, startswith, "2026-01") or _time:>="2026-01-01T00:00:00.000000000Z" or meets(_msg, istartswith, "Conn") or !d:>"5")',
    )
  })

  test('every operator, negated too, has a text that comes back as a pipeline', () => {
    for (const { name, isNegated } of operators) {
      for (const op of isNegated ? [name] : [name, `not_${name}`]) {
        for (const key of ['level', '_time', 'content', '*']) {
          const value = /^(not_)?i?in$/.test(op) ? ['a', 'b'] : 'a'
          const text = textOf({ filters: { conditions: [{ key, filters: [{ op, value }] }] } })
          const { pipeline, diagnostics } = textToPipeline(text, logs)
          expect(diagnostics, `${op} on ${key}: ${text}`).toEqual([])
          expect(pipeline?.filters, text).toBeDefined()
        }
      }
    }
  })

  test('constructs without a text form are reported', () => {
    // Decoded bodies never contain an unpaired surrogate, but callers in the same process may pass one.
    const filters = { conditions: [{ key: 'a', filters: [{ op: 'eq', value: '\ud801' }] }] }
    const { diagnostics } = pipelineToText({ filters }, functions)
    expect(diagnostics.map(({ code }) => code)).toEqual(['json/no-text'])
  })
})
