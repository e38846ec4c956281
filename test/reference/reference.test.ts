import { mkdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createEngine } from '../../src/engine/index.ts'
import { filterDefinitions, fromTableDoc, pipeDefinitions, type FeatureExample } from '../../src/lang/log/index.ts'
import { backendFixtures } from '../harness/backends.ts'
import { isUpdatingGolden, writeGolden } from '../harness/golden.ts'
import { storedRowsOf } from '../harness/rows.ts'
import { referencePages } from './generate.ts'

const GRAMMAR = resolve(import.meta.dirname, '../../grammar')
const FIXTURE = resolve(import.meta.dirname, '../../fixtures/logs/payments-pool-exhausted.ndjson')

const pages = await referencePages()

describe('reference', () => {
  test.each([...pages])('grammar/%s is what the definitions say', (path, text) => {
    const file = resolve(GRAMMAR, path)
    if (isUpdatingGolden) {
      mkdirSync(resolve(file, '..'), { recursive: true })
      writeGolden(file, text)
    }
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  test('operators and diagnostics of every module are in it', () => {
    expect(pages.get('operators.md')).toContain('| `eq` |')
    for (const module of ['analyze', 'budget', 'engine', 'json', 'lint', 'log', 'promql', 'server', 'sql', 'wire']) {
      expect(pages.get('reference/diagnostics.md')).toContain(`## ${module}\n`)
    }
  })
})

const lines = readFileSync(FIXTURE, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
const columnar = backendFixtures.find(({ name }) => name === 'columnar')
if (columnar === undefined) throw new Error('there is no columnar backend')
const { backend } = await columnar.open(storedRowsOf(lines, 0n))
const engine = createEngine({ backends: [backend], upper: backend })

const clauses = [{ kind: 'from', doc: fromTableDoc }]
const examples = [...pipeDefinitions, ...filterDefinitions, ...clauses].flatMap(({ kind, doc }) =>
  doc.examples.map((example): readonly [string, FeatureExample] => [`${kind}: ${example.query}`, example]),
)

describe('examples of pipes, filters and clauses', () => {
  test.each(examples)('%s', async (_, { query, dialect = 'native' }) => {
    const rows = await engine.query(query, { dialect, lint: 'off' }).toArray()
    expect(Array.isArray(rows)).toBe(true)
  })

  test('every pipe and every filter that is written has one', () => {
    const without = [...pipeDefinitions, ...filterDefinitions].filter(
      ({ doc }) => doc.form !== '' && doc.examples.length === 0,
    )
    expect(without.map(({ kind }) => kind)).toEqual([])
  })
})
