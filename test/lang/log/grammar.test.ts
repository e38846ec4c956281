import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { LogParser } from '../../../src/lang/log/parser.ts'
import { headOf, nodesOf, type Head, type Node } from '../../../src/lang/log/rule-tree.ts'
import { keywordCount, type TokenType } from '../../../src/lang/log/tokens.ts'
import { logEbnf, logGrammar, logRailroad, pipeDefinitions, type GrammarNode } from '../../../src/lang/log/index.ts'

/** The committed files are what the parser says; `UPDATE_GOLDEN=1` writes them anew. */
const files = [
  ['log.ebnf', logEbnf],
  ['log.html', logRailroad],
] as const

function tokensOf(node: GrammarNode): readonly string[] {
  switch (node.kind) {
    case 'token':
      return [node.label]
    case 'rule':
      return []
    case 'sequence':
    case 'choice':
      return node.items.flatMap(tokensOf)
    case 'optional':
    case 'repeat':
      return tokensOf(node.item)
  }
}

/** Places where one token does not decide. */
function faultsOf(node: Node, heads: ReadonlyMap<string, Head>): readonly string[] {
  const head = (nodes: readonly Node[]): Head =>
    headOf(nodes, ({ name }) => heads.get(name) ?? { types: new Set(), mayBeEmpty: false })
  const isToldRight = ({ types, mayBeEmpty }: Head, begins: Head | undefined): boolean =>
    begins === undefined ||
    (!mayBeEmpty && types.size === begins.types.size && [...types].every((type) => begins.types.has(type)))
  if (node.kind === 'option' || node.kind === 'repeat') {
    const own = head(node.nodes)
    const empty = node.kind === 'repeat' && own.mayBeEmpty ? ['repeats nothing'] : []
    return isToldRight(own, node.begins) ? empty : [...empty, `the ${node.kind} ${node.index} begins otherwise`]
  }
  if (node.kind !== 'choice') return []
  const ways = node.ways.map((way) => ({ ...head(way.nodes), isGated: way.isGated, begins: way.begins }))
  const untold = ways.flatMap((way, i) => (isToldRight(way, way.begins) ? [] : [`way ${i} begins otherwise`]))
  const hiding = ways.flatMap(({ mayBeEmpty, isGated }, i) =>
    mayBeEmpty && !isGated && i < ways.length - 1 ? [`way ${i} hides others`] : [],
  )
  const free = ways.filter(({ isGated }) => !isGated)
  const alike = (a: TokenType, b: TokenType): boolean => a === b || a.categories.includes(b) || b.categories.includes(a)
  const shared = free.flatMap((one, i) =>
    free
      .slice(i + 1)
      .flatMap((other) =>
        [...one.types].flatMap((a) =>
          [...other.types].flatMap((b) => (alike(a, b) ? [`${a.name} and ${b.name} begin alike`] : [])),
        ),
      ),
  )
  return [...hiding, ...shared, ...untold]
}

describe('grammar', () => {
  test.each(files)('%s is up to date', (name, make) => {
    const file = new URL(`../../../grammar/${name}`, import.meta.url)
    const text = make()
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  test('the grammar has no ambiguity, left recursion or unreachable alternative', () => {
    const parser = new LogParser()
    // A rule that begins with itself has no beginning, which is an error.
    const heads = parser.heads()
    const faults = parser
      .grammar()
      .flatMap(({ name, nodes }) =>
        [...nodesOf(nodes)].flatMap((node) => faultsOf(node, heads).map((fault) => `${name}: ${fault}`)),
      )
    expect(faults).toEqual([])
  })

  test('faults of a grammar are found', () => {
    const a: TokenType = { name: 'A', label: 'a', categories: [] }
    const b: TokenType = { name: 'B', label: 'b', categories: [a] }
    const way = (...types: readonly TokenType[]) => ({
      isGated: false,
      begins: undefined,
      nodes: types.map((type): Node => ({ kind: 'token', type })),
    })
    expect(faultsOf({ kind: 'choice', index: 0, ways: [way(a), way(b)] }, new Map())).toEqual(['A and B begin alike'])
    expect(faultsOf({ kind: 'choice', index: 0, ways: [way(), way(b)] }, new Map())).toEqual(['way 0 hides others'])
    const wrong = { ...way(a), begins: { types: new Set([b]), mayBeEmpty: false } }
    expect(faultsOf({ kind: 'choice', index: 0, ways: [wrong] }, new Map())).toEqual(['way 0 begins otherwise'])
    const part = { index: 0, nodes: [], begins: undefined }
    expect(faultsOf({ kind: 'repeat', min: 0, ...part }, new Map())).toEqual(['repeats nothing'])
    const told = { ...part, nodes: way(a).nodes, begins: wrong.begins }
    expect(faultsOf({ kind: 'option', ...told }, new Map())).toEqual(['the option 0 begins otherwise'])
    expect(faultsOf({ kind: 'repeat', min: 0, ...told }, new Map())).toEqual(['the repeat 0 begins otherwise'])
  })

  test('all keywords are known to the scanner before a rule has run', () => {
    const parser = new LogParser()
    const before = keywordCount()
    parser.grammar()
    expect(keywordCount()).toBe(before)
  })

  test('every name of every pipe begins a rule', () => {
    const labels = new Set(logGrammar().flatMap(({ body }) => tokensOf(body)))
    for (const name of pipeDefinitions.flatMap(({ names }) => names)) expect(labels).toContain(name)
  })

  test('every rule that is named exists', () => {
    const names = new Set(logGrammar().map(({ name }) => name))
    const referred = (node: GrammarNode): readonly string[] => {
      if (node.kind === 'rule') return [node.name]
      if (node.kind === 'sequence' || node.kind === 'choice') return node.items.flatMap(referred)
      return node.kind === 'token' ? [] : referred(node.item)
    }
    for (const { body } of logGrammar()) for (const name of referred(body)) expect(names).toContain(name)
  })
})
