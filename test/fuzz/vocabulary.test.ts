// @module-tag slow
import { beforeAll, expect, test } from 'vitest'
import { SluiceError, isError, seededRandom } from '../../src/base/index.ts'
import { generateQuery, queryText } from '../../src/fuzz/log-query.ts'
import { everyForm, formsIn, undrawnForms, visitTree } from '../../src/fuzz/forms.ts'
import { lowerText } from '../../src/fuzz/subject.ts'
import { fuzzBaseNs } from '../../src/fuzz/dataset.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import { parse, pipeDefinitions, statsForms } from '../../src/lang/log/index.ts'
import { optionKinds } from '../../src/lang/log/rules/options.ts'

const CASES = 10_000

/** Functions that the fuzzer's queries never call, with the reason. */
const otherFunctions: ReadonlyMap<string, string> = new Map([
  ['logql-number', 'put in by LogQL for `unwrap`; `test/engine/logql.test.ts` draws it'],
  ['logql-stages', 'put in by LogQL; `fuzz/scope/logql.ts` and `test/engine/logql.test.ts` draw it'],
  ['stream-id', 'put in where `_stream_id` is read, when names are resolved'],
  ['stream-label', 'put in where a stream filter reads streams that a stage has made'],
  ['stream-name', 'put in where `_stream` is read, when names are resolved'],
])

const cases = new Map<string, number>()
/** Pipes and results that accept a condition. */
const conditional = new Set<string>()
const pipeKinds = new Set<unknown>(pipeDefinitions.map(({ kind }) => kind))

beforeAll(() => {
  for (let seed = 0; seed < CASES; seed++) {
    const query = generateQuery(seededRandom(seed))
    const { dialect = 'native' } = query
    const text = queryText(query)
    const { ast, diagnostics } = parse(text, { dialect })
    if (diagnostics.some(isError)) continue
    const found = formsIn(ast).add(`dialect ${dialect}`)
    visitTree(ast, (node) => {
      if ('condition' in node && pipeKinds.has(node['kind'])) conditional.add(`pipe ${String(node['kind'])}`)
    })
    try {
      visitTree(lowerText(text, { dialect, baseNs: fuzzBaseNs }), (node) => {
        if (typeof node['fn'] === 'string') found.add(`function ${node['fn']}`)
        if (node['kind'] === 'call') found.add(`function ${String(node['fn'] ?? node['name'])}`)
      })
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
    }
    for (const each of found) cases.set(each, (cases.get(each) ?? 0) + 1)
  }
})

/** Returns the forms that occur in fewer than `least` cases, by default one in 200. */
function rare(wanted: readonly string[], least = CASES / 200): readonly string[] {
  return wanted
    .filter((each) => !undrawnForms.has(each) && (cases.get(each) ?? 0) < least)
    .map((each) => `${each}: ${cases.get(each) ?? 0}`)
}

test('everything that the language has is drawn', () => {
  // The `running …` forms are mostly `stats` functions, whose generation another test covers.
  const own = everyForm('logsql')
  expect(
    rare([
      ...everyForm('native').filter((name) => !name.startsWith('running ') || own.includes(name)),
      ...[...optionKinds.keys()].map((name) => `option ${name}`),
      'dialect native',
      'dialect logsql',
    ]),
  ).toEqual([])
  expect(rare(everyForm('native'), 1)).toEqual([])
})

test('conditions stand on every pipe and function that takes one', () => {
  expect(conditional.size).toBeGreaterThan(20)
  expect(
    rare(
      [...conditional].map((each) => `condition ${each}`),
      1,
    ),
  ).toEqual([])
  expect(
    rare(
      [...statsForms.keys()].map((name) => `condition stats ${name}`),
      1,
    ),
  ).toEqual([])
})

test('every function that is registered is called by some plan', () => {
  const { scalar, stats, rows, tables } = standardFunctions
  // Pipes that describe storage return different rows on each backend.
  const ofRows = tables.all.filter(({ physical }) => physical === undefined)
  const known = [...scalar.all, ...stats.all, ...rows.all, ...ofRows].map(({ name }) => name)
  const missing = known.filter((name) => !cases.has(`function ${name}`) && !otherFunctions.has(name))
  expect(missing).toEqual([])
})

test('no exception is named that is not there', () => {
  const named = new Set(everyForm('native'))
  expect([...undrawnForms.keys()].filter((each) => !named.has(each))).toEqual([])
  expect([...undrawnForms.keys()].filter((each) => cases.has(each))).toEqual([])
})
