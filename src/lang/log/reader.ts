import { invariant, present } from '../../base/index.ts'
import { HeadRecording, TreeRecording, type Alternative, type Recording } from './recording.ts'
import {
  headOf,
  headOfTypes,
  headOfWay,
  nodeAt,
  type Head,
  type NamedRule,
  type RuleTree,
  type Way,
} from './rule-tree.ts'
import { END, type Token, type TokenType } from './tokens.ts'

/** A rule of the grammar, called through `subrule`. */
export type Rule<A extends unknown[], R> = (...args: A) => R

/** A token that does not fit. */
export class Mismatch extends Error {
  readonly token: Token
  /** Labels of what would fit. */
  readonly expected: readonly string[]

  constructor(token: Token, expected: readonly string[]) {
    super('a token does not fit')
    this.token = token
    this.expected = expected
  }
}

interface Optional<R> {
  readonly DEF: () => R
  readonly GATE?: () => boolean
  /** All that it may begin with: then its rule need not be run to find that. */
  readonly BEGINS?: readonly TokenType[]
}

interface Choice {
  readonly ways: readonly Way[]
  /** What each way may begin with; made when a text first gets there. */
  readonly heads: (Head | undefined)[]
  readonly isGated: boolean
  /** Which way a token means where no gate is asked; -1 for none. */
  readonly byType: Map<TokenType, number>
}

interface Definition extends NamedRule {
  readonly read: () => unknown
  tree: RuleTree | undefined
  head: Head | undefined
  isHeadInWork: boolean
  /** By the numbers of the places. */
  readonly choices: (Choice | undefined)[]
  readonly options: (Head | undefined)[]
  readonly repeats: (Head | undefined)[]
}

function takes(head: Head, type: TokenType): boolean {
  return head.mayBeEmpty || head.types.has(type) || type.categories.some((category) => head.types.has(category))
}

function labelsOf(heads: readonly Head[]): readonly string[] {
  return heads.flatMap(({ types }) => [...types].map(({ label }) => label))
}

/** A way of which no more is known than what it says of itself. */
function toldWay(types: readonly TokenType[], isGated: boolean): Way {
  return { nodes: [], isGated, begins: headOfTypes(types) }
}

/** What parts give while a rule runs without a text. */
const nothing: unknown = Object.freeze({})

/**
 * Reads tokens by rules that are functions: one token decides at each choice, gates ask for more. What may come at a place is
 * found by running its rule without a text, when a text first gets there. A text needs few of the rules; those that none
 * needs are never run, nor compiled by the runtime.
 */
export abstract class Reader {
  readonly #rules = new Map<unknown, Definition>()
  /** All rules in the order of the grammar: those that are made later have a place of their own among the others. */
  readonly #places: Definition[][] = []
  #place: Definition[] = this.#newPlace()
  /** Makes those rules that nobody has needed yet. */
  readonly #later = new Set<() => unknown>()
  #tokens: readonly Token[] = []
  /** Index of the next token. */
  #at = 0
  /** The rule that is being read. */
  #rule: Definition | undefined
  #recording: Recording | undefined

  RULE<A extends unknown[], R>(name: string, read: (...args: A) => R): Rule<A, R> {
    const definition: Definition = {
      name,
      read,
      tree: undefined,
      head: undefined,
      isHeadInWork: false,
      choices: [],
      options: [],
      repeats: [],
    }
    const rule = (...args: A): R => {
      const outer = this.#rule
      this.#rule = definition
      try {
        return read(...args)
      } finally {
        this.#rule = outer
      }
    }
    this.#rules.set(rule, definition)
    this.#place.push(definition)
    return rule
  }

  /** A rule that is made, with those it is made of, when it is first wanted: the runtime compiles what makes it only then. */
  later<R extends object>(make: () => R): () => R {
    const place = this.#newPlace()
    this.#place = this.#newPlace()
    let made: R | undefined
    const rule = (): R => {
      if (made !== undefined) return made
      const outer = this.#place
      this.#place = place
      made = make()
      this.#place = outer
      this.#later.delete(rule)
      return made
    }
    this.#later.add(rule)
    return rule
  }

  #newPlace(): Definition[] {
    const place: Definition[] = []
    this.#places.push(place)
    return place
  }

  /** In the order of the grammar, whatever was wanted first. */
  #all(): readonly Definition[] {
    for (const make of this.#later) make()
    return this.#places.flat()
  }

  /** All rules, in the order of their definition. */
  grammar(): readonly RuleTree[] {
    return this.#all().map((rule) => this.#treeOf(rule))
  }

  /** What each rule may begin with, by its name. */
  heads(): ReadonlyMap<string, Head> {
    return new Map(this.#all().map((rule) => [rule.name, this.#headOf(rule)]))
  }

  /** Whether a rule runs without a text. */
  get isRecording(): boolean {
    return this.#recording !== undefined
  }

  protected set input(tokens: readonly Token[]) {
    this.#tokens = tokens
    this.#at = 0
    this.#rule = undefined
  }

  /** Index of the next token. */
  protected get position(): number {
    return this.#at
  }

  /** Runs `inner` with what belongs to the text put aside. */
  protected abstract aside<R>(inner: () => R): R

  /** What a rule does beyond reading, with a text alone. */
  ACTION<R>(action: () => R): R {
    return this.#recording === undefined ? action() : (undefined as R)
  }

  /** The next token, or the `distance`-th; 0 is the one before it. `END` outside the text. */
  LA(distance: number): Token {
    return this.#recording === undefined ? (this.#tokens[this.#at + distance - 1] ?? END) : END
  }

  SKIP_TOKEN(): void {
    if (this.#at < this.#tokens.length) this.#at++
  }

  /** Numbers tell the places of a rule apart where they are of one kind; tokens and rules may share theirs. */
  consume(_index: number, type: TokenType): Token {
    if (this.#recording !== undefined) return this.#recording.consume(type)
    const token = this.LA(1)
    const { tokenType } = token
    if (tokenType !== type && !tokenType.categories.includes(type)) throw new Mismatch(token, [type.label])
    this.SKIP_TOKEN()
    return token
  }

  subrule<A extends unknown[], R>(_index: number, rule: Rule<A, R>, options?: { readonly ARGS: A }): R {
    if (this.#recording !== undefined) {
      const definition = this.#rules.get(rule)
      invariant(definition !== undefined, 'what is called is a rule')
      this.#recording.subrule(definition)
      return nothing as R
    }
    return options === undefined ? (rule as unknown as Rule<[], R>)() : rule(...options.ARGS)
  }

  option<R>(index: number, what: (() => R) | Optional<R>): R | undefined {
    const body = typeof what === 'function' ? what : what.DEF
    const begins = typeof what === 'function' ? undefined : what.BEGINS
    if (this.#recording !== undefined) {
      this.#recording.option({ index, body, begins })
      return nothing as R
    }
    if (typeof what !== 'function' && what.GATE?.() === false) return undefined
    const rule = this.#current()
    const head = (rule.options[index] ??= this.#headAt(rule, 'option', index, begins))
    return takes(head, this.LA(1).tokenType) ? body() : undefined
  }

  many(index: number, what: (() => unknown) | Optional<unknown>): void {
    this.#repeat(index, what, 0)
  }

  atLeastOne(index: number, what: (() => unknown) | Optional<unknown>): void {
    this.#repeat(index, what, 1)
  }

  or<R>(index: number, alternatives: readonly Alternative<R>[]): R {
    if (this.#recording !== undefined) {
      this.#recording.or(index, alternatives)
      return nothing as R
    }
    const rule = this.#current()
    const choice = (rule.choices[index] ??= this.#choiceAt(rule, index, alternatives))
    const chosen = alternatives[this.#chosenOf(choice, this.LA(1).tokenType, alternatives)]
    if (chosen !== undefined) return chosen.ALT()
    throw new Mismatch(this.LA(1), labelsOf(choice.ways.map((_, i) => this.#headOfWay(choice, i))))
  }

  #repeat(index: number, what: (() => unknown) | Optional<unknown>, min: 0 | 1): void {
    const body = typeof what === 'function' ? what : what.DEF
    const begins = typeof what === 'function' ? undefined : what.BEGINS
    if (this.#recording !== undefined) {
      this.#recording.repeat({ index, body, begins }, min)
      return
    }
    const gate = typeof what === 'function' ? undefined : what.GATE
    const rule = this.#current()
    const head = (rule.repeats[index] ??= this.#headAt(rule, 'repeat', index, begins))
    for (let count = 0; ; count++) {
      if (gate?.() === false || !takes(head, this.LA(1).tokenType)) {
        if (count < min) throw new Mismatch(this.LA(1), labelsOf([head]))
        return
      }
      const before = this.#at
      body()
      // What reads nothing would be repeated forever.
      if (this.#at === before) return
    }
  }

  #current(): Definition {
    invariant(this.#rule !== undefined, 'places belong to rules')
    return this.#rule
  }

  #headAt(rule: Definition, kind: 'option' | 'repeat', index: number, begins: readonly TokenType[] | undefined): Head {
    if (begins !== undefined) return headOfTypes(begins)
    return headOf(nodeAt(this.#treeOf(rule), kind, index).nodes, (called) => this.#headOf(called))
  }

  #choiceAt(rule: Definition, index: number, alternatives: readonly Alternative<unknown>[]): Choice {
    // Where all say what they begin with, none is run, nor are the rules made that they call.
    const told = alternatives.map(({ GATE, BEGINS }) => BEGINS && toldWay(BEGINS, GATE !== undefined))
    const ways = told.includes(undefined)
      ? nodeAt(this.#treeOf(rule), 'choice', index).ways
      : told.filter((way) => way !== undefined)
    return { ways, heads: [], isGated: ways.some(({ isGated }) => isGated), byType: new Map() }
  }

  #headOfWay({ ways, heads }: Choice, i: number): Head {
    return (heads[i] ??= headOfWay(present(ways[i]), (called) => this.#headOf(called)))
  }

  #chosenOf<R>(choice: Choice, type: TokenType, alternatives: readonly Alternative<R>[]): number {
    const isTaken = (_: Way, i: number): boolean => takes(this.#headOfWay(choice, i), type)
    if (choice.isGated) return choice.ways.findIndex((way, i) => alternatives[i]?.GATE?.() !== false && isTaken(way, i))
    let chosen = choice.byType.get(type)
    if (chosen === undefined) {
      chosen = choice.ways.findIndex(isTaken)
      choice.byType.set(type, chosen)
    }
    return chosen
  }

  #treeOf(rule: Definition): RuleTree {
    if (rule.tree !== undefined) return rule.tree
    const recording = new TreeRecording()
    const nodes = this.#record(recording, () => recording.nodesOf(rule.read))
    return (rule.tree = { name: rule.name, nodes })
  }

  #headOf(named: NamedRule): Head {
    const rule = named as Definition
    if (rule.head !== undefined) return rule.head
    invariant(!rule.isHeadInWork, `the rule ${rule.name} begins with itself`)
    rule.isHeadInWork = true
    const recording = new HeadRecording((called) => this.#headOf(called))
    rule.head = this.#record(recording, () => recording.headOf(rule.read))
    return rule.head
  }

  #record<R>(recording: Recording, run: () => R): R {
    return this.aside(() => {
      const outer = this.#recording
      this.#recording = recording
      try {
        return run()
      } finally {
        this.#recording = outer
      }
    })
  }
}
