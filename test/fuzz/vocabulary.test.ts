// @module-tag slow
import { beforeAll, expect, test } from 'vitest'
import { SluiceError, isError, seededRandom } from '../../src/base/index.ts'
import { generateQuery, queryText } from '../../src/fuzz/log-query.ts'
import { lowerText } from '../../src/fuzz/subject.ts'
import { fuzzBaseNs } from '../../src/fuzz/dataset.ts'
import { standardFunctions } from '../../src/functions/index.ts'
import {
  filterDefinitions,
  mathFunctions,
  parse,
  pipeDefinitions,
  runningForms,
  statsForms,
  windowFunctions,
} from '../../src/lang/log/index.ts'
import { optionKinds } from '../../src/lang/log/rules/options.ts'

const CASES = 5000

/** What no random query may hold, and why. */
const exceptions: ReadonlyMap<string, string> = new Map([
  ['pipe block_stats', 'tells how the columnar backend stores rows; the others refuse it'],
  ['pipe blocks_count', 'tells how the columnar backend stores rows; the others refuse it'],
  ['pipe query_stats', 'tells what the columnar backend has read; the others refuse it'],
  ['filter broken', 'stands only for what could not be read'],
])

/** Functions that no text calls, and why. */
const otherFunctions: ReadonlyMap<string, string> = new Map([
  ['stream-id', 'put in where `_stream_id` is read, when names are resolved'],
  ['stream-name', 'put in where `_stream` is read, when names are resolved'],
])

const cases = new Map<string, number>()
/** Pipes and results that may have a condition. */
const conditional = new Set<string>()

type Node = Readonly<Record<string, unknown>>

const filterKinds = new Set<unknown>(filterDefinitions.map(({ kind }) => kind))
const pipeKinds = new Set<unknown>(pipeDefinitions.map(({ kind }) => kind))

function note(node: Node, found: Set<string>): void {
  const { kind } = node
  if (filterKinds.has(kind) && 'field' in node) found.add(`filter ${String(kind)}`)
  if (pipeKinds.has(kind) && !('field' in node && filterKinds.has(kind))) {
    found.add(`pipe ${String(kind)}`)
    if ('condition' in node) {
      conditional.add(`pipe ${String(kind)}`)
      if (node['condition'] !== undefined) found.add(`condition pipe ${String(kind)}`)
    }
  }
  if (kind === 'call' && typeof node['name'] === 'string') found.add(`math ${node['name']}`)
  if (kind === 'binary') found.add(`math ${String(node['op'])}`)
  if (kind === 'join') found.add(`join ${String(node['type'])}`)
  if ('call' in node && 'condition' in node) {
    const { name } = node['call'] as Node
    const what = 'cases' in node ? 'stats' : 'running'
    found.add(`${what} ${String(name)}`)
    if (node['condition'] !== undefined) found.add(`condition ${what} ${String(name)}`)
  }
  if (kind === 'window') for (const { fn } of node['calls'] as readonly Node[]) found.add(`window ${String(fn)}`)
  if ('options' in node && 'pipes' in node)
    for (const { name } of node['options'] as readonly Node[]) found.add(`option ${String(name)}`)
}

function walk(node: unknown, visit: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (Array.isArray(node)) {
    for (const each of node) walk(each, visit)
    return
  }
  visit(node as Node)
  for (const [name, value] of Object.entries(node)) if (name !== 'span' && name !== 'origin') walk(value, visit)
}

beforeAll(() => {
  for (let seed = 0; seed < CASES; seed++) {
    const query = generateQuery(seededRandom(seed))
    const { dialect = 'native' } = query
    const text = queryText(query)
    const { ast, diagnostics } = parse(text, { dialect })
    if (diagnostics.some(isError)) continue
    const found = new Set<string>([`dialect ${dialect}`])
    walk(ast, (node) => note(node, found))
    try {
      walk(lowerText(text, { dialect, baseNs: fuzzBaseNs }), (node) => {
        if (typeof node['fn'] === 'string') found.add(`function ${node['fn']}`)
        if (node['kind'] === 'call') found.add(`function ${String(node['fn'] ?? node['name'])}`)
      })
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
    }
    for (const each of found) cases.set(each, (cases.get(each) ?? 0) + 1)
  }
}, 240_000)

/** Those of the wanted that stand in fewer than one of 200 cases. */
function rare(wanted: readonly string[], least = CASES / 200): readonly string[] {
  return wanted
    .filter((each) => !exceptions.has(each) && (cases.get(each) ?? 0) < least)
    .map((each) => `${each}: ${cases.get(each) ?? 0}`)
}

test('every pipe, filter form, function and option that the language has is drawn', () => {
  expect(
    rare([
      ...pipeDefinitions.map(({ kind }) => `pipe ${kind}`),
      ...filterDefinitions.map(({ kind }) => `filter ${kind}`),
      ...[...statsForms.keys()].map((name) => `stats ${name}`),
      ...[...windowFunctions.keys()].map((name) => `window ${name}`),
      ...[...optionKinds.keys()].map((name) => `option ${name}`),
      ...['inner', 'left', 'right', 'full', 'cross'].map((type) => `join ${type}`),
      'dialect native',
      'dialect logsql',
    ]),
  ).toEqual([])
})

test('functions of math and of running values are drawn', () => {
  expect(
    rare([
      ...[...mathFunctions.keys()].map((name) => `math ${name}`),
      ...['+', '-', '*', '/', '%', '^', '&', 'xor', 'or', 'default'].map((op) => `math ${op}`),
      ...['count', 'sum', 'min', 'max', 'first', 'last'].map((name) => `running ${name}`),
    ]),
  ).toEqual([])
  expect(
    rare(
      [...runningForms.keys()].map((name) => `running ${name}`),
      1,
    ),
  ).toEqual([])
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
  // What tells of storage differs from backend to backend.
  const ofRows = tables.all.filter(({ physical }) => physical === undefined)
  const known = [...scalar.all, ...stats.all, ...rows.all, ...ofRows].map(({ name }) => name)
  const missing = known.filter((name) => !cases.has(`function ${name}`) && !otherFunctions.has(name))
  expect(missing).toEqual([])
})

test('no exception is named that is not there', () => {
  const named = new Set([
    ...pipeDefinitions.map(({ kind }) => `pipe ${kind}`),
    ...filterDefinitions.map(({ kind }) => `filter ${kind}`),
    ...[...mathFunctions.keys()].map((name) => `math ${name}`),
  ])
  expect([...exceptions.keys()].filter((each) => !named.has(each))).toEqual([])
  expect([...exceptions.keys()].filter((each) => cases.has(each))).toEqual([])
})
