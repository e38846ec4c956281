import { invariant } from '../../base/index.ts'
import type { TokenType } from './tokens.ts'

/** What a part of the grammar may begin with. */
export interface Head {
  /** In the order of the grammar. */
  readonly types: ReadonlySet<TokenType>
  /** Whether the part may be left out altogether. */
  readonly mayBeEmpty: boolean
}

/** A rule, as others name it. */
export interface NamedRule {
  readonly name: string
}

/** One of the ways that a choice offers. */
export interface Way {
  readonly nodes: readonly Node[]
  /** Whether it asks for more than its first token. */
  readonly isGated: boolean
  /** What it may begin with, where the rule says so itself. */
  readonly begins: Head | undefined
}

/** A part that may be left out or come again. */
interface Part {
  readonly index: number
  readonly nodes: readonly Node[]
  /** What it may begin with, where the rule says so itself. */
  readonly begins: Head | undefined
}

/** What a rule is made of; `index` tells nodes of one kind in a rule apart. */
export type Node =
  | { readonly kind: 'token'; readonly type: TokenType }
  | { readonly kind: 'rule'; readonly rule: NamedRule }
  | { readonly kind: 'choice'; readonly index: number; readonly ways: readonly Way[] }
  | (Part & { readonly kind: 'option' })
  | (Part & { readonly kind: 'repeat'; readonly min: 0 | 1 })

export interface RuleTree {
  readonly name: string
  readonly nodes: readonly Node[]
}

/** What something begins with that cannot be left out. */
export function headOfTypes(types: readonly TokenType[]): Head {
  return { types: new Set(types), mayBeEmpty: false }
}

/** What one way of a choice may begin with. */
export function headOfWay(way: Way, headOfRule: (rule: NamedRule) => Head): Head {
  return way.begins ?? headOf(way.nodes, headOfRule)
}

/** What a sequence may begin with, where `headOfRule` knows that of other rules. */
export function headOf(nodes: readonly Node[], headOfRule: (rule: NamedRule) => Head): Head {
  const types = new Set<TokenType>()
  const add = (head: Head): boolean => {
    for (const type of head.types) types.add(type)
    return head.mayBeEmpty
  }
  const addNode = (node: Node): boolean => {
    switch (node.kind) {
      case 'token':
        types.add(node.type)
        return false
      case 'rule':
        return add(headOfRule(node.rule))
      case 'choice':
        return node.ways.map((way) => add(headOfWay(way, headOfRule))).includes(true)
      case 'option':
        add(headOf(node.nodes, headOfRule))
        return true
      case 'repeat':
        return add(headOf(node.nodes, headOfRule)) || node.min === 0
    }
  }
  return { types, mayBeEmpty: nodes.every(addNode) }
}

/** All nodes of a tree, outer ones first. */
export function* nodesOf(nodes: readonly Node[]): Generator<Node> {
  for (const node of nodes) {
    yield node
    if (node.kind === 'choice') for (const way of node.ways) yield* nodesOf(way.nodes)
    else if (node.kind === 'option' || node.kind === 'repeat') yield* nodesOf(node.nodes)
  }
}

/** The node of a kind and number; a rule has one of each. */
export function nodeAt<K extends 'choice' | 'option' | 'repeat'>(
  tree: RuleTree,
  kind: K,
  index: number,
): Node & { readonly kind: K } {
  const found = [...nodesOf(tree.nodes)].filter(
    (node): node is Node & { readonly kind: K } => node.kind === kind && node.index === index,
  )
  const [only] = found
  invariant(found.length === 1 && only !== undefined, `${tree.name} has one ${kind} with the number ${index}`)
  return only
}
