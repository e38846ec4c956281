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

/** A production as the parser library serializes it. */
export interface SerializedNode {
  readonly type: string
  readonly name?: string
  readonly label?: string
  readonly definition?: readonly SerializedNode[]
}

function sequence(items: readonly GrammarNode[]): GrammarNode {
  const [only] = items
  return items.length === 1 && only !== undefined ? only : { kind: 'sequence', items }
}

function nodeOf(serialized: SerializedNode): GrammarNode {
  const inner = (): GrammarNode => sequence((serialized.definition ?? []).map(nodeOf))
  switch (serialized.type) {
    case 'Terminal':
      return { kind: 'token', name: serialized.name ?? '', label: serialized.label ?? '' }
    case 'NonTerminal':
      return { kind: 'rule', name: serialized.name ?? '' }
    case 'Alternation':
      return { kind: 'choice', items: (serialized.definition ?? []).map(nodeOf) }
    case 'Option':
      return { kind: 'optional', item: inner() }
    case 'Repetition':
      return { kind: 'repeat', item: inner(), min: 0 }
    case 'RepetitionMandatory':
      return { kind: 'repeat', item: inner(), min: 1 }
    default:
      return inner()
  }
}

/** Rules by name, in the order of their registration. */
export function grammarRules(serialized: readonly SerializedNode[]): readonly GrammarRule[] {
  return serialized.map((rule) => ({
    name: rule.name ?? '',
    body: sequence((rule.definition ?? []).map(nodeOf)),
  }))
}
