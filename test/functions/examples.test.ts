// @module-tag slow
import { collect } from '../../src/base/index.ts'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { present } from '../../src/base/index.ts'
import { createEngine, readRows } from '../../src/engine/index.ts'
import { standardFunctions, type FunctionDoc, type FunctionExample } from '../../src/functions/index.ts'
import { backendFixtures } from '../harness/backends.ts'
import { answerLines, storedRowsOf } from '../harness/rows.ts'

const path = resolve(import.meta.dirname, '../../fixtures/logs/payments-pool-exhausted.ndjson')
const lines = readFileSync(path, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
const stored = storedRowsOf(lines, 0n)

/** Matches calls whose results depend on chance or on the time. */
const UNCERTAIN = /rand\(\)|now\(\)/

interface Documented {
  readonly name: string
  readonly doc: FunctionDoc
}

const { scalar, stats, rows: rowWise, tables } = standardFunctions
/** Pipes that describe storage are documented with the pipes of the same name. */
const ofRows = tables.all.filter(({ physical }) => physical === undefined)
const documented: readonly Documented[] = [...scalar.all, ...stats.all, ...rowWise.all, ...ofRows]

const examples = documented.flatMap(({ name, doc }) =>
  doc.examples.map((example): readonly [string, FunctionExample] => [`${name}: ${example.query}`, example]),
)

const opened = await Promise.all(backendFixtures.map(async (fixture) => fixture.open(stored)))
const [rows, ...others] = opened.map(({ backend }) =>
  createEngine({ backends: [backend, present(opened[0]).backend], upper: present(opened[0]).backend }),
)

describe('examples of functions', () => {
  test.each(examples)('%s', async (_, { query, result }) => {
    const answer = await collect(readRows(present(rows).query(query, { lint: 'off' }).batches()))
    const expected = answerLines(answer, 'native')
    if (result !== undefined) expect(expected.map((line) => JSON.parse(line))).toEqual(result)
    if (UNCERTAIN.test(query)) return
    for (const engine of others) {
      const other = await collect(readRows(engine.query(query, { lint: 'off' }).batches()))
      expect(answerLines(other, 'native'), engine.backends[0]?.name).toEqual(expected)
    }
  })

  test('every function that a query can name has one', () => {
    const without = documented.filter(({ name, doc }) => doc.examples.length === 0 && !name.includes('-'))
    expect(without.map(({ name }) => name)).toEqual([])
  })
})
