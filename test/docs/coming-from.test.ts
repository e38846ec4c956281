import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { applyFix } from '../../src/base/index.ts'
import { parse } from '../../src/lang/log/index.ts'
import { createEngine } from '../../src/engine/index.ts'
import { mistakes, type Mistake } from '../lang/log/mistakes/index.ts'
import { root } from './pages.ts'

const languages = ['kql', 'logql', 'lucene', 'spl', 'sql'] as const

const pairsOf = (language: string): readonly Mistake[] => mistakes.filter(({ kind }) => kind === language)

const rows = readFileSync(join(root, 'fixtures/logs/payments-pool-exhausted.ndjson'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Record<string, unknown>)
const nowNs = BigInt(Date.parse('2026-03-10T11:20:00Z')) * 1_000_000n
const engine = createEngine({ tables: { logs: rows } })

async function answer(query: string): Promise<readonly Record<string, unknown>[]> {
  return engine.query<Record<string, unknown>>(query, { nowNs }).toArray()
}

/**
 * Returns the values of rows without column names, since languages name results differently. Rows are unordered. SQLite
 * rounds each addition of an average, so floats are compared by 12 digits.
 */
const valuesOf = (found: readonly Record<string, unknown>[]): readonly string[] =>
  found
    .map((row) => Object.values(row).map((value) => (typeof value === 'number' ? value.toPrecision(12) : value)))
    .map((values) => JSON.stringify(values))
    .toSorted()

/** Applies the first suggestion of the diagnostics of a text; returns the text itself if there is none. */
function mended(text: string): string {
  const fix = parse(text).diagnostics.find(({ fixes }) => fixes.length > 0)?.fixes[0]
  return fix === undefined ? text : applyFix(text, fix)
}

describe.each(languages)('docs/coming-from/%s.md', (language) => {
  test('shows the pairs of the table of foreign forms', () => {
    const path = join(root, `docs/coming-from/${language}.md`)
    const text = readFileSync(path, 'utf8')
    const [head] = text.split(/^<!-- pairs: .* -->$/m)
    const pairs = pairsOf(language).map(({ query, meant: [meant = ''] }) => `${query}\n  ${meant}\n`)
    const expected = `${head}<!-- pairs: ${language} -->\n\n\`\`\`\n${pairs.join('\n')}\`\`\`\n`
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, expected)
    else expect(text).toBe(expected)
  })

  test.each(pairsOf(language))('$query: the suggestion answers as the form that is shown', async ({ query, meant }) => {
    const offered = valuesOf(await answer(mended(query)))
    expect(valuesOf(await answer(meant[0] ?? ''))).toEqual(offered)
  })
})

describe('a statement of SQL and its form here give equal answers', () => {
  const database = new Database(':memory:')
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  database.exec(`CREATE TABLE logs (${names.join(', ')})`)
  const insert = database.prepare(`INSERT INTO logs (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
  for (const row of rows) insert.run(names.map((name) => row[name] ?? null))

  const statements = pairsOf('sql').filter(({ query }) => /^select .* from /i.test(query))

  test.each(statements)('$query', async ({ query, meant: [meant = ''] }) => {
    const expected = database.prepare<[], Record<string, unknown>>(query).all()
    const found = await answer(meant)
    if (/^select \*/i.test(query)) expect(found).toHaveLength(expected.length)
    else expect(valuesOf(found)).toEqual(valuesOf(expected))
  })

  test('the data distinguish statements', () => {
    const counts = statements.map(({ query }) => database.prepare(query).all().length)
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(statements.length / 2)
  })
})
