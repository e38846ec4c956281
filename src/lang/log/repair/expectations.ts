import { present } from '../../../base/index.ts'
import { filterDefinitions } from '../filters/index.ts'
import { grammarStates, type RuleStates, type Symbol } from './grammar-states.ts'
import type { PlainToken } from './plain-tokens.ts'

/** Something that may come next: `within` is the rule that asks for it. */
export interface Expectation {
  readonly within: string
  readonly symbol: Symbol
}

export interface Expectations {
  readonly next: readonly Expectation[]
  /** Whether the text may end here. */
  readonly canEnd: boolean
}

interface Item {
  readonly rule: RuleStates
  readonly state: number
  readonly origin: number
}

/** The tokens of these rules touch each other. */
const GLUED: ReadonlySet<string> = new Set(['compound', 'pattern', 'mathWord'])
/** A call begins with a word that is never one of these. */
const CALLS: ReadonlySet<string> = new Set(['statsCall', 'runningCall', 'windowCall'])
const NO_CALL: ReadonlySet<string> = new Set(['by', 'partition', 'order', 'sort', 'if'])
const WORD_TYPES: ReadonlySet<string> = new Set(['Word', 'Identifier'])
/** Names of filters are keywords only where a parenthesis follows. */
const callNames: ReadonlySet<string> = new Set([
  ...filterDefinitions.flatMap(({ names }) => names),
  'options',
  'day_range',
  'week_range',
  'switch',
  'rows',
])

function takes(name: string, token: PlainToken): boolean {
  if (WORD_TYPES.has(name)) return token.isWord
  if (name === 'Glue') return token.isGlue
  return name === token.type || (name === 'Quoted' && token.type === 'Parameter')
}

class Chart {
  readonly #sets: Item[][] = [[]]
  readonly #seen: Set<number>[] = [new Set()]
  readonly #tokens: readonly PlainToken[]
  readonly #endsTouching: boolean

  constructor(tokens: readonly PlainToken[], endsTouching: boolean) {
    this.#tokens = tokens
    this.#endsTouching = endsTouching
  }

  add(at: number, item: Item): void {
    const key = (item.origin * 4096 + item.rule.id) * 256 + item.state
    this.#sets[at] ??= []
    this.#seen[at] ??= new Set()
    if (this.#seen[at].has(key)) return
    this.#seen[at].add(key)
    this.#sets[at].push(item)
  }

  itemsAt(at: number): readonly Item[] {
    return this.#sets[at] ?? []
  }

  /** Whether the next step of an item may be taken at a place: parts of one word have no blanks between them. */
  mayStep(item: Item, at: number): boolean {
    if (item.origin === at || !GLUED.has(item.rule.name)) return true
    return this.#tokens[at]?.touches ?? this.#endsTouching
  }

  grow(at: number): void {
    const set = this.itemsAt(at)
    for (const item of set) {
      if (item.rule.isEnd[item.state]) this.#complete(item, at)
      if (!this.mayStep(item, at)) continue
      for (const { symbol, to } of item.rule.steps[item.state] ?? []) {
        if (symbol.kind === 'token') continue
        this.add(at, { rule: symbol.rule, state: 0, origin: at })
        if (symbol.rule.canBeEmpty) this.add(at, { ...item, state: to })
      }
    }
    if (at < this.#tokens.length) this.#scan(at)
  }

  #complete(done: Item, at: number): void {
    if (done.origin === at) return
    for (const item of this.itemsAt(done.origin)) {
      if (!this.mayStep(item, done.origin)) continue
      for (const { symbol, to } of item.rule.steps[item.state] ?? [])
        if (symbol.kind === 'rule' && symbol.rule === done.rule) this.add(at, { ...item, state: to })
    }
  }

  /** A keyword that is asked for is not a word, as in the parser. */
  #scan(at: number): void {
    const token = present(this.#tokens[at])
    const text = token.text.toLowerCase()
    const isCall = !callNames.has(text) || ['(', '['].includes(this.#tokens[at + 1]?.text ?? '')
    const taken: { readonly item: Item; readonly to: number; readonly isKeyword: boolean }[] = []
    for (const item of this.itemsAt(at)) {
      if (!this.mayStep(item, at)) continue
      if (CALLS.has(item.rule.name) && item.state === 0 && NO_CALL.has(text)) continue
      for (const { symbol, to } of item.rule.steps[item.state] ?? []) {
        if (symbol.kind !== 'token' || !takes(symbol.name, token)) continue
        const isKeyword = symbol.name.startsWith('Kw_') || symbol.name === 'CustomPipeName'
        if (!isKeyword || isCall) taken.push({ item, to, isKeyword })
      }
    }
    const hasKeyword = taken.some(({ isKeyword }) => isKeyword)
    for (const { item, to, isKeyword } of taken)
      if (isKeyword || !hasKeyword || !token.isWord) this.add(at + 1, { ...item, state: to })
  }
}

/**
 * What the grammar allows behind `tokens`, read by one rule of it; `undefined` when they fit no reading. Every reading
 * counts: what more than one token would decide is left open. At most quadratic for texts that people write.
 */
export function expectationsAfter(
  ruleName: string,
  tokens: readonly PlainToken[],
  /** Whether the cursor touches the last token. */
  endsTouching: boolean,
): Expectations | undefined {
  const start = grammarStates().get(ruleName)
  if (start === undefined) return undefined
  const chart = new Chart(tokens, endsTouching)
  chart.add(0, { rule: start, state: 0, origin: 0 })
  for (let at = 0; at <= tokens.length; at++) {
    if (chart.itemsAt(at).length === 0) return undefined
    chart.grow(at)
  }
  const last = chart.itemsAt(tokens.length)
  return {
    next: last
      .filter((item) => chart.mayStep(item, tokens.length))
      .flatMap(({ rule, state }) => (rule.steps[state] ?? []).map(({ symbol }) => ({ within: rule.name, symbol }))),
    canEnd: last.some(({ rule, state, origin }) => rule === start && origin === 0 && rule.isEnd[state]),
  }
}
