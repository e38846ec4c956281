import type { Node, RuleTree } from './rule-tree.ts'

/** The grammar as data: what each rule is made of. Conditions that need more than one token are not part of it. */
export type GrammarNode =
  | { readonly kind: 'token'; readonly name: string; readonly label: string }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'sequence'; readonly items: readonly GrammarNode[] }
  | { readonly kind: 'choice'; readonly items: readonly GrammarNode[] }
  | { readonly kind: 'optional'; readonly item: GrammarNode }
  | { readonly kind: 'repeat'; readonly item: GrammarNode; readonly min: 0 | 1 }

export interface GrammarRule {
  readonly name: string
  readonly body: GrammarNode
}

function sequenceOf(nodes: readonly Node[]): GrammarNode {
  const items = nodes.map(nodeOf)
  const [only] = items
  return items.length === 1 && only !== undefined ? only : { kind: 'sequence', items }
}

function nodeOf(node: Node): GrammarNode {
  switch (node.kind) {
    case 'token':
      return { kind: 'token', name: node.type.name, label: node.type.label }
    case 'rule':
      return { kind: 'rule', name: node.rule.name }
    case 'choice':
      return { kind: 'choice', items: node.ways.map(({ nodes }) => sequenceOf(nodes)) }
    case 'option':
      return { kind: 'optional', item: sequenceOf(node.nodes) }
    case 'repeat':
      return { kind: 'repeat', item: sequenceOf(node.nodes), min: node.min }
  }
}

/** Rules by name, in the order of their definition. */
export function grammarRules(trees: readonly RuleTree[]): readonly GrammarRule[] {
  return trees.map(({ name, nodes }) => ({ name, body: sequenceOf(nodes) }))
}
