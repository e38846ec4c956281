// @module-tag slow
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dialects, type SqlParameter } from '../../../src/backends/sql/index.ts'
import { makesMachineCode, makesPatterns, runsTextAsCode } from './generated-code.ts'
import { attackText, harmlessTwin, variantOf } from './payloads.ts'
import { marked } from './marked.ts'
import { rounds } from '../run.ts'
import { makeSources, runInjection, type Source } from './run.ts'
import { seededRandom } from '../../../src/base/index.ts'
import { foreignCompilers, type Spoil } from './foreign-sql.ts'
import { queryTemplates, type Template } from './pairs.ts'

const source = join(import.meta.dirname, '../../../src')
const sources = await makeSources()

describe('what a user writes never becomes part of a statement', () => {
  test.each(sources)('in $name', async (each) => {
    const report = await runInjection({ more: rounds(each.weight > 20 ? 1500 : 200), seed: 7, sources: [each] })
    expect(report.differences).toEqual([])
    expect(report.pairs).toBeGreaterThanOrEqual(200)
    expect(report.byPlace.size).toBeGreaterThan(1)
    expect(report.refused).toBeLessThan(report.pairs / 2)
  })

  test('a statement that a hostile name changes is reported', async () => {
    const leaky: Template = {
      source: 'leaky',
      place: 'name',
      make: (text) => ({ kind: 'sql', text: `SELECT "${text.replaceAll('"', '""')}"` }),
      show: (text) => text,
      without: undefined,
      isStarKept: false,
      others: [],
    }
    const report = await runInjection({
      more: rounds(10),
      seed: 1,
      sources: [{ name: 'leaky', weight: 1, templates: () => [leaky] }],
    })
    expect(report.differences.length).toBeGreaterThan(5)
  })

  test('a statement that is refused because of a hostile name is reported', async () => {
    const picky: Template = {
      source: 'picky',
      place: 'value',
      make: (text) => (/['"`;]/.test(text) ? { kind: 'refused', code: 'x' } : { kind: 'sql', text: '' }),
      show: (text) => text,
      without: undefined,
      isStarKept: false,
      others: [],
    }
    const report = await runInjection({
      more: rounds(1000),
      seed: 1,
      sources: [{ name: 'picky', weight: 1, templates: () => [picky] }],
    })
    expect(report.differences.length).toBeGreaterThan(5)
  })
})

describe.each([
  ['duckdb', '"', '""'],
  ['postgres', '"', '""'],
  ['sqlite', '`', '``'],
  ['clickhouse', '`', '\\`'],
] as const)('names in statements of %s', (database, quote, inside) => {
  const over = (spell: (name: string) => string): Source => ({
    name: 'names',
    weight: 1,
    templates: () => [
      {
        source: 'name',
        place: 'name',
        make: (text) => ({ kind: 'sql', text: marked(`SELECT ${spell(text)} FROM logs WHERE a = $1`, text, database) }),
        show: (text) => text,
        without: undefined,
        isStarKept: false,
        others: [],
      },
    ],
  })
  const escaped = (name: string): string => (inside === '\\`' ? name.replaceAll('\\', String.raw`\\`) : name)

  test('are alike where they keep to their quotes', async () => {
    const sources = [over((name) => quote + escaped(name).replaceAll(quote, inside) + quote)]
    const report = await runInjection({ more: rounds(500), seed: 1, sources })
    expect(report.differences).toEqual([])
  })

  test('are found where they leave them', async () => {
    const report = await runInjection({ more: rounds(1000), seed: 1, sources: [over((name) => quote + name + quote)] })
    expect(report.differences.length).toBeGreaterThan(5)
  })

  test('are found where they are part of other text', async () => {
    const report = await runInjection({
      more: rounds(100),
      seed: 1,
      sources: [over((name) => `'%${name.replaceAll("'", "''")}%'`)],
    })
    expect(report.differences.length).toBeGreaterThan(5)
  })
})

const printed = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

/**
 * Imitates a faulty compiler that writes the first string parameter, or the first program for host code, into the SQL
 * as an unescaped literal.
 */
const leaking: Spoil = ({ sql, parameters }) => {
  let spoilt = sql
  for (const [i, parameter] of (parameters as readonly SqlParameter[]).entries()) {
    const text = parameter.kind === 'program' ? JSON.stringify(parameter.program, printed) : parameter.value
    if (typeof text !== 'string') continue
    spoilt = sql.replace(
      new RegExp(`\\{${parameter.name}:\\w+\\}|[$:]${parameter.name}(?!\\w)|[$?]${i + 1}(?!\\d)`),
      () => `'${text}'`,
    )
    break
  }
  return spoilt
}

describe.each(['duckdb', 'postgres', 'sqlite', 'clickhouse'] as const)('values in statements of %s', (database) => {
  test('are found where they are written into them', async () => {
    const templates = queryTemplates(foreignCompilers(database, leaking))
    const sources = [{ name: database, weight: 1, templates }]
    const report = await runInjection({ more: rounds(1000), seed: 1, sources })
    expect(report.differences.length).toBeGreaterThan(5)
    expect(report.differences.every(({ found, expected }) => found !== expected)).toBe(true)
  })
})

test('attacks are hostile, their twins are not', () => {
  const random = seededRandom(3)
  let twins = 0
  for (let i = 0; i < 2000; i++) {
    const attack = attackText(random)
    const twin = harmlessTwin(attack)
    if (twin === undefined) continue
    twins++
    expect(twin.replaceAll('\u0001', '-')).toMatch(/^[xXiI0-9a-zA-ZäÄ._\0–\u{20000}\u{1f600}-]+$/u)
    expect(twin).toHaveLength(attack.length)
    expect(variantOf(attack, random)).toHaveLength(attack.length)
  }
  expect(twins).toBeGreaterThan(1900)
})

test('every dialect is compared', () => {
  expect(dialects.map(({ name }) => name)).toEqual(['generic', 'sqlite'])
})

test('no text is ever run as code', () => {
  expect([...new Set(runsTextAsCode(source).map(({ file }) => file))]).toEqual([
    // Imports a module of the project that only Node can load.
    'engine/threads.ts',
    // Imports a module that the program starting a server names. Requests cannot name one.
    'server/settings/named-module.ts',
  ])
})

test('machine code is made in few places, of numbers alone', () => {
  const files = [...new Set(makesMachineCode(source).map(({ file }) => file))]
  expect(files).toEqual(['kernels/memory.ts'])
})

test('regular expressions of the platform are made in few places', () => {
  expect([...new Set(makesPatterns(source).map(({ file }) => file))].toSorted()).toEqual([
    'backends/columnar/expr/regexp-scan.ts',
    'backends/columnar/expr/safe-regexp.ts',
    // Built from constants only.
    'backends/rows/coerce.ts',
    // Built from constants and escaped strings, and used only by the row model.
    'backends/rows/number-runs.ts',
    // Two patterns, both built from one constant.
    'cli/options/time-option.ts',
    // Built from constants: the tokens of PromQL, for syntax colours.
    'console/pages/metrics/promql-words.ts',
    // Built from constants: the tokens of LogQL, for syntax colours.
    'console/pages/search/logql-words.ts',
    // Built from constants: the tokens of TraceQL, for syntax colours.
    'console/pages/traces/traceql-words.ts',
    // Built from the list of time formats.
    'data/times/pattern.ts',
    'data/times/zone.ts',
    // Built from constants: white space and letters of words.
    'functions/logql/template/strings.ts',
    // Built from constants, for a law of the fuzzer over random strings.
    'fuzz/oracles/parameters-are-values.ts',
    'ingest/kubernetes/workload-name.ts',
    // Built from the names of log levels, and from constants that several patterns share.
    'ingest/text/java.ts',
    'ingest/text/plain.ts',
    'ingest/text/prefixes.ts',
    // Built from constants: the tokens of LogQL and TraceQL.
    'lang/go-scanner/duration.ts',
    'lang/go-scanner/patterns.ts',
    // Built from constants: the tokens of templates.
    'lang/go-template/lexing.ts',
    'lang/go-template/tokens.ts',
    'lang/log/filters/time/literal.ts',
    // Built from stand-in values that the module chooses itself.
    'lang/placeholders.ts',
    // Built from constants: the characters of attribute names.
    'lang/traceql/parser/tokens.ts',
    // Built from a path pattern on the command line, with every character escaped.
    'sources/files/paths.ts',
  ])
})
