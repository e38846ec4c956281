import type { Production } from '../../kit/index.ts'
import { logGrammar } from '../ebnf.ts'
import { filterDefinitions } from '../filters/index.ts'
import type { PlainToken } from './plain-tokens.ts'

/** A token type or rule that the grammar accepts at a position. */
export interface Symbol {
  readonly kind: 'token' | 'rule'
  readonly name: string
  /** Text of the token type; empty for a rule. */
  readonly label: string
}

export interface Expectation {
  /** Name of the grammar rule whose definition contains this symbol. */
  readonly within: string
  readonly symbol: Symbol
}

export interface Expectations {
  readonly next: readonly Expectation[]
  /** True if the text may end at this position. */
  readonly canEnd: boolean
}

/** Grammar rules whose tokens must touch each other. */
const GLUED: ReadonlySet<string> = new Set(['compound', 'pattern', 'mathWord'])
/** Grammar rules of calls. A call begins with a word, but not with one in `NO_CALL`. */
const CALLS: ReadonlySet<string> = new Set(['statsCall', 'runningCall', 'windowCall'])
const NO_CALL: ReadonlySet<string> = new Set(['by', 'partition', 'order', 'sort', 'if'])
const WORD_TYPES: ReadonlySet<string> = new Set(['Word', 'Identifier'])
/** Filter names that are keywords only if a parenthesis follows. */
const callNames: ReadonlySet<string> = new Set([
  ...filterDefinitions.flatMap(({ names }) => names),
  'options',
  'day_range',
  'week_range',
  'switch',
  'rows',
])

function isKeyword(typeName: string): boolean {
  return typeName.startsWith('Kw_') || typeName === 'CustomPipeName'
}

function takes(typeName: string, token: PlainToken): boolean {
  if (WORD_TYPES.has(typeName)) return token.isWord
  if (typeName === 'Glue') return token.isGlue
  return typeName === token.type || (typeName === 'Quoted' && token.type === 'Parameter')
}

/**
 * Returns how a token matches a type. As in the parser, a token that matches a keyword type matches no other type at
 * that position.
 */
function fitOf(
  typeName: string,
  token: PlainToken,
  following: PlainToken | undefined,
): 'keyword' | 'other' | undefined {
  if (!takes(typeName, token)) return undefined
  if (!isKeyword(typeName)) return 'other'
  const isCall = !callNames.has(token.text.toLowerCase()) || ['(', '['].includes(following?.text ?? '')
  return isCall ? 'keyword' : undefined
}

function mayBegin(rule: string, token: PlainToken): boolean {
  return !CALLS.has(rule) || !NO_CALL.has(token.text.toLowerCase())
}

interface Step {
  readonly symbol: Symbol
  readonly to: number
}

/** A grammar rule as a finite automaton. Its start state is 0. */
interface Automaton {
  readonly name: string
  readonly id: number
  readonly steps: readonly Step[][]
  readonly isEnd: readonly boolean[]
}

/** An Earley item: the state of a rule's automaton, for a match that began at token number `origin`. */
interface Item {
  readonly rule: Automaton
  readonly state: number
  readonly origin: number
}

/** Maximum number of grammar rules and of states per rule, so that an item fits into one integer. */
const MAX_RULES = 4096
const MAX_STATES = 256

function automatonOf(production: Production, id: number): Automaton {
  const jumps: number[][] = []
  const drafts: Step[][] = []
  const newState = (): number => (drafts.push([]), jumps.push([]) - 1)
  const connect = ({ type, name = '', label = '', definition = [] }: Production, from: number, to: number): void => {
    if (type === 'Terminal') drafts[from]?.push({ symbol: { kind: 'token', name, label }, to })
    else if (type === 'NonTerminal') drafts[from]?.push({ symbol: { kind: 'rule', name, label: '' }, to })
    else if (type === 'Alternation') for (const child of definition) connect(child, from, to)
    else if (type === 'Option') {
      connectAll(definition, from, to)
      jumps[from]?.push(to)
    } else if (type === 'Repetition' || type === 'RepetitionMandatory') {
      const [start, end] = [newState(), newState()]
      connectAll(definition, start, end)
      jumps[from]?.push(start, ...(type === 'Repetition' ? [to] : []))
      jumps[end]?.push(start, to)
    } else connectAll(definition, from, to)
  }
  const connectAll = (children: readonly Production[], from: number, to: number): void => {
    let at = from
    for (const child of children) {
      const next = newState()
      connect(child, at, next)
      at = next
    }
    jumps[at]?.push(to)
  }
  const [start, end] = [newState(), newState()]
  connectAll(production.definition ?? [], start, end)
  const reached = jumps.map((_, state) => {
    const states = new Set([state])
    for (const each of states) for (const next of jumps[each] ?? []) states.add(next)
    return [...states]
  })
  const steps = reached.map((states) => states.flatMap((state) => drafts[state] ?? []))
  return { name: production.name ?? '', id, steps, isEnd: reached.map((states) => states.includes(end)) }
}

/**
 * Earley parser over the grammar rules, which considers every possible parse. Ignores gates (additional conditions of
 * rules), because gates inspect tokens whose final types are not known yet. Takes quadratic time for typical texts.
 */
class Reader {
  readonly #rules: ReadonlyMap<string, Automaton>
  readonly #nullable = new Set<string>()

  constructor(rules: readonly Production[]) {
    this.#rules = new Map(rules.map((rule, id) => [rule.name ?? '', automatonOf(rule, id)]))
    for (let size = -1; size < this.#nullable.size;) {
      size = this.#nullable.size
      for (const rule of this.#rules.values()) if (this.#canEndEmpty(rule)) this.#nullable.add(rule.name)
    }
  }

  /** Returns all token types that occur in the rules. */
  get symbols(): readonly Symbol[] {
    return [...this.#rules.values()].flatMap(({ steps }) => steps.flat().map(({ symbol }) => symbol))
  }

  /**
   * Returns the symbols that the grammar accepts after `tokens`; `undefined` if the tokens fit no parse. `endsTouching`
   * is true if the cursor touches the last token.
   */
  expectationsAfter(ruleName: string, tokens: readonly PlainToken[], endsTouching: boolean): Expectations | undefined {
    const start = this.#rules.get(ruleName)
    if (start === undefined) return undefined
    const sets: Item[][] = tokens.map(() => [])
    sets.push([])
    const seen = sets.map(() => new Set<number>())
    const add = (at: number, item: Item): void => {
      const key = (item.origin * MAX_RULES + item.rule.id) * MAX_STATES + item.state
      if (seen[at]?.has(key) === true) return
      seen[at]?.add(key)
      sets[at]?.push(item)
    }
    const mayStep = (item: Item, at: number): boolean =>
      item.origin === at || !GLUED.has(item.rule.name) || (tokens[at]?.touches ?? endsTouching)
    add(0, { rule: start, state: 0, origin: 0 })
    for (const [at, set] of sets.entries()) {
      if (set.length === 0) return undefined
      for (const item of set) {
        if (item.rule.isEnd[item.state] === true && item.origin < at) {
          for (const parent of sets[item.origin] ?? [])
            if (mayStep(parent, item.origin))
              for (const { symbol, to } of stepsOf(parent))
                if (symbol.kind === 'rule' && symbol.name === item.rule.name) add(at, { ...parent, state: to })
        }
        if (!mayStep(item, at)) continue
        for (const { symbol, to } of stepsOf(item)) {
          const rule = symbol.kind === 'rule' ? this.#rules.get(symbol.name) : undefined
          if (rule === undefined) continue
          add(at, { rule, state: 0, origin: at })
          if (this.#nullable.has(rule.name)) add(at, { ...item, state: to })
        }
      }
      const token = tokens[at]
      if (token === undefined) continue
      const taken = set.flatMap((item) =>
        mayStep(item, at) && (item.state > 0 || mayBegin(item.rule.name, token))
          ? stepsOf(item).flatMap(({ symbol, to }) => {
              const fit = symbol.kind === 'token' ? fitOf(symbol.name, token, tokens[at + 1]) : undefined
              return fit === undefined ? [] : [{ item, to, fit }]
            })
          : [],
      )
      const hasKeyword = taken.some(({ fit }) => fit === 'keyword')
      for (const { item, to, fit } of taken) if (fit === 'keyword' || !hasKeyword) add(at + 1, { ...item, state: to })
    }
    const last = sets.at(-1) ?? []
    const next = last
      .filter((item) => mayStep(item, tokens.length))
      .flatMap((item) => stepsOf(item).map(({ symbol }) => ({ within: item.rule.name, symbol })))
    return { next, canEnd: last.some(({ rule, state, origin }) => rule === start && origin === 0 && rule.isEnd[state]) }
  }

  #canEndEmpty(rule: Automaton): boolean {
    const reached = new Set([0])
    for (const state of reached)
      for (const { symbol, to } of rule.steps[state] ?? []) if (this.#nullable.has(symbol.name)) reached.add(to)
    return [...reached].some((state) => rule.isEnd[state])
  }
}

function stepsOf({ rule, state }: Item): readonly Step[] {
  return rule.steps[state] ?? []
}

let reader: Reader | undefined

/** Returns the shared Earley parser, built from the parser's rules on first use. */
function grammarReader(): Reader {
  return (reader ??= new Reader(logGrammar()))
}

/** Returns what a grammar rule accepts after `tokens`; `undefined` if the tokens fit no parse. */
export function expectationsAfter(
  ruleName: string,
  tokens: readonly PlainToken[],
  /** True if the cursor touches the last token. */
  endsTouching: boolean,
): Expectations | undefined {
  return grammarReader().expectationsAfter(ruleName, tokens, endsTouching)
}

/**
 * Returns the keywords at all positions of the rules. A keyword that occurs at several positions is returned several
 * times.
 */
export function grammarKeywords(): readonly string[] {
  return grammarReader().symbols.flatMap(({ name, label }) => (name.startsWith('Kw_') ? [label] : []))
}
