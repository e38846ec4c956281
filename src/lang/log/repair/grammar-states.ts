import { logGrammar } from '../ebnf.ts'
import type { GrammarNode } from '../rule-graph.ts'

/** What a step takes: a token by the name of its type, or a whole rule. */
export type Symbol =
  | { readonly kind: 'token'; readonly name: string; readonly label: string }
  | { readonly kind: 'rule'; readonly rule: RuleStates }

interface Step {
  readonly symbol: Symbol
  readonly to: number
}

/** One rule as a small machine; state 0 begins it. */
export interface RuleStates {
  readonly name: string
  readonly id: number
  /** Steps that can be taken from each state. */
  readonly steps: Step[][]
  /** Whether the rule may end in each state. */
  readonly isEnd: boolean[]
  canBeEmpty: boolean
}

interface Draft {
  readonly jumps: number[][]
  readonly steps: { readonly node: GrammarNode & { readonly kind: 'token' | 'rule' }; readonly to: number }[][]
}

function addState(draft: Draft): number {
  draft.jumps.push([])
  draft.steps.push([])
  return draft.jumps.length - 1
}

/** Adds what `node` takes between two states. */
function connect(draft: Draft, node: GrammarNode, from: number, to: number): void {
  switch (node.kind) {
    case 'token':
    case 'rule':
      draft.steps[from]?.push({ node, to })
      return
    case 'sequence': {
      let at = from
      for (const item of node.items) {
        const next = addState(draft)
        connect(draft, item, at, next)
        at = next
      }
      draft.jumps[at]?.push(to)
      return
    }
    case 'choice':
      for (const item of node.items) connect(draft, item, from, to)
      return
    case 'optional':
      connect(draft, node.item, from, to)
      draft.jumps[from]?.push(to)
      return
    case 'repeat': {
      const start = addState(draft)
      const end = addState(draft)
      draft.jumps[from]?.push(start)
      connect(draft, node.item, start, end)
      draft.jumps[end]?.push(start, to)
      if (node.min === 0) draft.jumps[from]?.push(to)
    }
  }
}

function closure(draft: Draft, state: number): ReadonlySet<number> {
  const reached = new Set([state])
  for (const each of reached) for (const next of draft.jumps[each] ?? []) reached.add(next)
  return reached
}

function markEmpty(rules: readonly RuleStates[]): void {
  const reachesEnd = (rule: RuleStates): boolean => {
    const reached = new Set([0])
    for (const state of reached) {
      if (rule.isEnd[state]) return true
      for (const { symbol, to } of rule.steps[state] ?? [])
        if (symbol.kind === 'rule' && symbol.rule.canBeEmpty) reached.add(to)
    }
    return false
  }
  for (let isChanged = true; isChanged;) {
    isChanged = false
    for (const rule of rules) {
      if (rule.canBeEmpty || !reachesEnd(rule)) continue
      rule.canBeEmpty = true
      isChanged = true
    }
  }
}

function build(): ReadonlyMap<string, RuleStates> {
  const grammar = logGrammar()
  const rules = new Map<string, RuleStates>(
    grammar.map(({ name }, id) => [name, { name, id, steps: [], isEnd: [], canBeEmpty: false }]),
  )
  for (const { name, body } of grammar) {
    const draft: Draft = { jumps: [], steps: [] }
    const start = addState(draft)
    const end = addState(draft)
    connect(draft, body, start, end)
    const rule = rules.get(name)
    if (rule === undefined) continue
    for (let state = 0; state < draft.jumps.length; state++) {
      const reached = closure(draft, state)
      rule.isEnd.push(reached.has(end))
      rule.steps.push(
        [...reached].flatMap((each) =>
          (draft.steps[each] ?? []).flatMap(({ node, to }): Step[] => {
            if (node.kind === 'token') return [{ symbol: node, to }]
            const called = rules.get(node.name)
            return called === undefined ? [] : [{ symbol: { kind: 'rule', rule: called }, to }]
          }),
        ),
      )
    }
  }
  markEmpty([...rules.values()])
  return rules
}

let built: ReadonlyMap<string, RuleStates> | undefined

/** The rules of the parser as machines, by name; made at the first call. */
export function grammarStates(): ReadonlyMap<string, RuleStates> {
  return (built ??= build())
}
