// @module-tag slow
import { assert, asyncProperty, property, sample } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isError } from '../../src/base/index.ts'
import { rowsBackend } from '../../src/backends/index.ts'
import type { Extension } from '../../src/engine/index.ts'
import { PlanEngine } from '../../src/engine/index.ts'
import {
  dataSets,
  logCases,
  logLaws,
  logQueries,
  metricCases,
  metricLaws,
  metricQueries,
  pipelineBodies,
  pipelineCases,
  pipelineLaws,
  plans,
  queryText,
} from '../../src/fuzz/index.ts'
import { defineScalar, defineStats } from '../../src/functions/index.ts'
import { definePipe, parse, vocabularyOf } from '../../src/lang/log/index.ts'
import { parsePromql } from '../../src/lang/promql/index.ts'

const extend: Extension = {
  pipes: [
    definePipe({
      name: 'newest_of',
      arguments: [
        { name: 'key', type: 'field' },
        { name: 'most', type: 'number', isOptional: true },
      ],
      expand: ({ key, most = '1' }) => `sort by (_time desc) | limit ${most} by (${key})`,
      doc: { summary: 'The newest rows of each key.' },
    }),
  ],
  scalars: [
    defineScalar({
      name: 'halved',
      parameters: [{ name: 'number', type: 'number' }],
      returns: 'number',
      evaluate: (number) => number / 2,
      doc: { summary: 'Half of it.' },
    }),
  ],
  stats: [
    defineStats({
      name: 'longest',
      parameters: [{ name: 'field', type: 'string' }],
      returns: 'number',
      init: () => 0,
      add: (most, text) => Math.max(most, text.length),
      merge: (a, b) => Math.max(a, b),
      finish: (most) => most,
      isOrderSensitive: false,
      doc: { summary: 'The length of the longest text.' },
    }),
  ],
}
const vocabulary = vocabularyOf({ ...extend })
const options = { numRuns: 40, seed: 7 }

describe('what a user has defined', () => {
  const texts = sample(logQueries({ extend }), { numRuns: 600, seed: 1 }).map((query) => queryText(query))

  test('is drawn, and nearly all that is drawn can be read', () => {
    for (const name of ['newest_of', 'halved', 'longest'])
      expect(texts.filter((text) => text.includes(name)).length, name).toBeGreaterThan(8)
    const refused = texts.filter((text) => parse(text, { vocabulary }).diagnostics.some(isError))
    expect(refused.length).toBeLessThan(20)
    expect(sample(logQueries(), 200).some((query) => queryText(query).includes('newest_of'))).toBe(false)
  })

  test.each(['round-trip', 'same-on-every-backend', 'same-after-optimize', 'plans-settle'])(
    'keeps the law %s',
    async (name) => {
      const law = logLaws.get(name)
      await assert(
        asyncProperty(logCases({ extend, maxRows: 12 }), async (given) => {
          // Laws do not apply to queries that cannot be parsed.
          if (parse(queryText(given), { vocabulary, dialect: given.dialect }).diagnostics.some(isError)) return
          expect(await law?.(given, { extend })).toBeUndefined()
        }),
        options,
      )
    },
    60_000,
  )
})

test('a backend of the caller that loses a row breaks a law, and the case shrinks', async () => {
  const law = logLaws.get('same-on-every-backend')
  let smallest: readonly unknown[] = []
  const check = assert(
    asyncProperty(logCases(), async (given) => {
      const broken = await law?.(given, {
        backend: (rows, functions) => rowsBackend(new Map([['logs', rows.slice(1)]]), functions),
      }).catch(() => undefined)
      if (broken !== undefined) smallest = given.rows
      expect(broken).toBeUndefined()
    }),
    { numRuns: 100, seed: 3 },
  )
  await expect(check).rejects.toThrow()
  expect(smallest.length).toBe(1)
})

test('structured queries, metric queries and plans are drawn and keep their laws', async () => {
  await assert(
    asyncProperty(pipelineCases({ maxRows: 12 }), async (given) => {
      expect(await pipelineLaws.get('json-to-text')?.(given)).toBeUndefined()
    }),
    options,
  )
  await assert(
    asyncProperty(metricCases(), async (given) => {
      expect(await metricLaws.get('optimized-is-raw')?.(given)).toBeUndefined()
    }),
    { ...options, numRuns: 15 },
  )
  assert(
    property(metricQueries(), (text) => {
      expect(parsePromql(text).ast).toBeDefined()
    }),
    options,
  )
  const engine = new PlanEngine({ backends: [] })
  assert(
    property(plans(), (plan) => {
      expect(engine.compilePlan(plan, {}).optimized).toBeDefined()
    }),
    options,
  )
  expect(sample(pipelineBodies(), 5).every((body) => typeof body === 'object')).toBe(true)
  expect(sample(dataSets({ maxRows: 10 }), 5).every((rows) => rows.length <= 10)).toBe(true)
})
