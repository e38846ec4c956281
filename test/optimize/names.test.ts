import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { standardFunctions } from '../../src/functions/index.ts'
import { seriesAggregations, seriesFunctions } from '../../src/functions/series/index.ts'
import { nodeOps } from '../../src/plan/index.ts'

/**
 * Properties of a function belong to its definition, and properties of a plan node to `NodeOps`. The optimizer, the
 * engine and the backends must not list names, so that a new function or node needs no change there.
 */
const src = resolve(import.meta.dirname, '../../src')

function filesUnder(folder: string): readonly string[] {
  return readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(src, folder, file))
}

function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(\/\*\*|\*|\/\/).*$/gm, '')
}

const { scalar, stats, rows, tables } = standardFunctions
const functionNames = new Set([
  ...[scalar, stats, rows, tables].flatMap((registry) => registry.names()),
  ...seriesFunctions.keys(),
  ...seriesAggregations.keys(),
])

/** String literals of type unions, such as `'sort'` of plan nodes or `'time'` of values, are not names of functions. */
const unionWords = new Set(
  ['base', 'data', 'plan', 'functions', 'backends', 'engine', 'optimize'].flatMap(filesUnder).flatMap((file) => {
    const types = withoutComments(readFileSync(file, 'utf8')).matchAll(
      /(?<=(?<!\|)\|\s*)'([\w-]+)'|'([\w-]+)'(?=\s*\|(?!\|))|(?<=readonly \w+\??: )'([\w-]+)'/g,
    )
    return [...types].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
  }),
)

const isNamed = /(?:\.(?:fn|name|op)|\b(?:fn|name|op|fnName))\s*[!=]==?\s*'([\w-]+)'/g
const isSwitched = /switch \([\w.]*(?:\.|\b)(?:fn|name|op)\) \{/

/** Returns the function names that occur in the code. */
function namesIn(text: string): readonly string[] {
  const code = withoutComments(text)
  const compared = [...code.matchAll(isNamed)].map((match) => match[1] ?? '')
  const switched = isSwitched.test(code) ? [...code.matchAll(/case '([\w-]+)'/g)].map((match) => match[1] ?? '') : []
  // Ignore literals that name kinds, and keys of lookup tables.
  const others = code.replaceAll(/case '[\w-]+'|kind [!=]== '[\w-]+'|'[\w-]+':/g, '')
  const written = [...others.matchAll(/'([\w-]+)'/g)]
    .map((match) => match[1] ?? '')
    .filter((word) => !unionWords.has(word))
  return [...new Set([...compared, ...switched, ...written])].filter((word) => functionNames.has(word))
}

const folders = ['optimize', 'engine', 'backends']

/**
 * Function names in this folder belong to TraceQL's syntax tree. They are unrelated to plan functions of the same name.
 */
const OF_TRACEQL = join('engine', 'traceql', 'metrics')

test('no function is known by its name', () => {
  const offences = folders
    .flatMap(filesUnder)
    .filter((file) => !relative(src, file).startsWith(OF_TRACEQL))
    .map((file) => ({ file: relative(src, file), names: namesIn(readFileSync(file, 'utf8')) }))
    .filter(({ names }) => names.length > 0)
  expect(offences.map(({ file, names }) => `${file} names ${names.join(', ')}`)).toEqual([])
})

test('a function that is named is seen', () => {
  expect(namesIn(`if (call.fn === 'sum') return 1`)).toEqual(['sum'])
  expect(namesIn(`switch (fn.name) {\n  case 'count':\n`)).toEqual(['count'])
  expect(namesIn(`const volatile = new Set(['rand', 'now'])`)).toEqual(['rand'])
  expect(namesIn(`node.kind === 'series-call' && node.name === 'absent_over_time'`)).toEqual(['absent_over_time'])
  expect(namesIn(`if (node.kind === 'sort' || node.kind === 'filter') return 'time'`)).toEqual([])
})

const planKinds = new Set(
  [
    ...Object.keys(nodeOps),
    'series-number series-text series-select series-range series-subquery series-unary series-binary series-call'.split(
      ' ',
    ),
  ].flat(),
)

/** Returns the number of switches over plan node kinds that have a default branch. */
function openSwitches(text: string): number {
  const lines = withoutComments(text).split('\n')
  let count = 0
  lines.forEach((line, i) => {
    const indent = /^(\s*)switch \([\w.]*kind\) \{/.exec(line)?.[1]
    if (indent === undefined) return
    const end = lines.findIndex((each, k) => k > i && each === `${indent}}`)
    const body = lines.slice(i + 1, end === -1 ? undefined : end).filter((each) => each.startsWith(`${indent}  `))
    const own = body.filter((each) => !each.startsWith(`${indent}    `))
    const kinds = own.flatMap((each) => /case '([\w-]+)'/.exec(each)?.[1] ?? [])
    const at = own.findIndex((each) => each.trim().startsWith('default:'))
    const isSafe = at === -1 || body.join('\n').includes('return assertNever(')
    if (kinds.length > 0 && kinds.every((kind) => planKinds.has(kind)) && !isSafe) count++
  })
  return count
}

test('no switch over kinds of plan nodes has a branch for the others', () => {
  const offences = folders.flatMap(filesUnder).filter((file) => openSwitches(readFileSync(file, 'utf8')) > 0)
  expect(offences.map((file) => relative(src, file))).toEqual([])
  expect(openSwitches(`switch (plan.kind) {\n  case 'scan':\n    return 1\n  default:\n    return 2\n}`)).toBe(1)
  expect(openSwitches(`switch (expr.kind) {\n  case 'and':\n    return 1\n  default:\n    return 2\n}`)).toBe(0)
})
