import { describe, expect, test } from 'vitest'
import { collect, SluiceError } from '../../src/base/index.ts'
import { rowToJson } from '../../src/data/index.ts'
import { createEngine, type QueryOptions, readRows } from '../../src/engine/index.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { filterDefinitions, pipeDefinitions } from '../../src/lang/log/index.ts'
import type { Dialect } from '../../src/plan/index.ts'
import { columnarOver, minuteNs, mixedRows, rowsOver, sqliteOver, startNs } from './data.ts'

const rows = mixedRows(60)
const clock = { nowMs: () => performance.now(), nowNs: () => startNs + 20n * minuteNs }

interface Example {
  readonly query: string
  readonly dialect: Dialect
}

function examples(): readonly Example[] {
  const language = [...filterDefinitions, ...pipeDefinitions].flatMap(({ doc }) => doc.examples)
  const { scalar, stats, rows: rowFunctions, tables } = standardFunctions
  const functions = [scalar.all, stats.all, rowFunctions.all, tables.all].flat().flatMap(({ doc }) => doc.examples)
  const all = [...language, ...functions].map((example): Example => ({
    query: example.query,
    dialect: 'dialect' in example && example.dialect !== undefined ? example.dialect : 'native',
  }))
  const seen = new Set<string>()
  // Results of `rand()`, and of pipes that describe storage, are no function of the rows.
  const isOfRows = (query: string): boolean =>
    !query.includes('rand()') &&
    !tables.all.some(({ name, physical }) => physical !== undefined && query.includes(name))
  return all.filter(({ query, dialect }) => isOfRows(query) && !seen.has(dialect + query) && seen.add(dialect + query))
}

describe('every example of the reference', async () => {
  const model = createEngine({ backends: [rowsOver(rows)], clock, lint: 'off' })
  const columnar = createEngine({ backends: [columnarOver(rows)], clock, lint: 'off' })
  const sqlite = createEngine({ backends: [await sqliteOver(rows), columnarOver([])], clock, lint: 'off' })

  const answer = async (engine: typeof model, { query, dialect }: Example, options: QueryOptions = {}) => {
    try {
      const result = engine.query(query, { dialect, ...options })
      return (await collect(readRows(result.batches()))).map((row) => rowToJson(row))
    } catch (error) {
      if (error instanceof SluiceError) return error.diagnostics.map(({ code, message }) => `${code}: ${message}`)
      throw error
    }
  }

  test.each(examples())('$dialect $query', async (example) => {
    const expected = await answer(model, example, { disabledRules: ['*'] })
    expect(await answer(model, example)).toEqual(expected)
    expect(await answer(columnar, example)).toEqual(expected)
    expect(await answer(sqlite, example)).toEqual(expected)
  })
})
