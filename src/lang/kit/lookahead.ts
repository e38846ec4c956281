import {
  Alternation,
  LLkLookaheadStrategy,
  NonTerminal,
  Option,
  Repetition,
  RepetitionMandatory,
  Terminal,
  type BaseParser,
  type ILookaheadStrategy,
  type IProduction,
  type IToken,
  type Rule,
  type TokenType,
} from 'chevrotain'

/** Members of the parser that lookahead decisions use. */
interface Deciding {
  LA_FAST: (distance: number) => IToken
  /** Set of collected token types while content assist is running; otherwise `undefined`. */
  readonly wanted: Set<TokenType> | undefined
  noteAtEnd: (types: Iterable<TokenType>) => void
  failExpecting: (types: readonly TokenType[]) => never
}

/** The FIRST set of a part of the grammar: the token types that it may start with. */
interface First {
  /** Token types, in the order of the grammar. */
  readonly types: ReadonlySet<TokenType>
  /** True if the part may match without any token. */
  readonly isNullable: boolean
}

const kinds = { Alternation, Option, Repetition, RepetitionMandatory }

function definitionOf(production: IProduction | undefined): readonly IProduction[] {
  return (production as { readonly definition?: IProduction[] } | undefined)?.definition ?? []
}

/** Returns the production with the given kind and occurrence number; Chevrotain has recorded exactly one. */
function productionAt(
  productions: readonly IProduction[],
  kind: keyof typeof kinds,
  occurrence: number,
): IProduction | undefined {
  for (const production of productions) {
    if (production instanceof kinds[kind] && production.idx === occurrence) return production
    const inner =
      production instanceof NonTerminal ? undefined : productionAt(definitionOf(production), kind, occurrence)
    if (inner !== undefined) return inner
  }
  return undefined
}

/** True if a part may start with the token type that has this number, or may be empty. */
function accepts({ types, isNullable }: First, number: number): boolean {
  if (isNullable) return true
  return [...types].some((type) => type.tokenTypeIdx === number || type.categoryMatchesMap?.[number] === true)
}

type AlternationOptions = Parameters<ILookaheadStrategy['buildLookaheadForAlternation']>[0]
type OptionalOptions = Parameters<ILookaheadStrategy['buildLookaheadForOptional']>[0]
type Choose = ReturnType<ILookaheadStrategy['buildLookaheadForAlternation']>

/**
 * Lookahead that decides by the next token only; a rule that needs more has a gate (an additional condition). The FIRST
 * set of a decision is computed when the decision is first reached, because most queries reach few decisions.
 */
export class LazyLookahead extends LLkLookaheadStrategy {
  readonly #byRule = new Map<Rule, First>()

  constructor() {
    super({ maxLookahead: 1 })
  }

  override buildLookaheadForAlternation({ rule, prodOccurrence }: AlternationOptions): Choose {
    let firsts: readonly First[] | undefined
    const prepare = (): readonly First[] => {
      const ways = definitionOf(productionAt(rule.definition, 'Alternation', prodOccurrence))
      return ways.map((way) => this.#firstOf(definitionOf(way)))
    }
    /** Alternatives that may start with a token type, by token type number; filled on demand. */
    const candidates: (readonly number[] | undefined)[] = []
    return function (this: BaseParser, alternatives = []) {
      const parser = this as unknown as Deciding
      const number = parser.LA_FAST(1).tokenTypeIdx
      const known = (firsts ??= prepare())
      candidates[number] ??= known.flatMap((first, i) => (accepts(first, number) ? i : []))
      if (parser.wanted !== undefined)
        for (const [i, first] of known.entries()) if (alternatives[i]?.GATE?.() !== false) parser.noteAtEnd(first.types)
      for (const i of candidates[number]) if (alternatives[i]?.GATE?.() !== false) return i
      return parser.failExpecting(known.flatMap(({ types }) => [...types]))
    }
  }

  override buildLookaheadForOptional({ rule, prodOccurrence, prodType }: OptionalOptions): () => boolean {
    let first: First | undefined
    const prepare = (): First =>
      this.#firstOf(definitionOf(productionAt(rule.definition, prodType as 'Option', prodOccurrence)))
    /** Whether the part may start with a token type, by token type number; filled on demand. */
    const enters: (boolean | undefined)[] = []
    return function (this: BaseParser) {
      const parser = this as unknown as Deciding
      const number = parser.LA_FAST(1).tokenTypeIdx
      if (parser.wanted !== undefined) parser.noteAtEnd((first ??= prepare()).types)
      return (enters[number] ??= accepts((first ??= prepare()), number))
    }
  }

  #firstOf(productions: readonly IProduction[]): First {
    const types = new Set<TokenType>()
    const isNullable = productions.every((production) => {
      const first = this.#firstOfProduction(production)
      for (const type of first.types) types.add(type)
      return first.isNullable
    })
    return { types, isNullable }
  }

  #firstOfProduction(production: IProduction): First {
    if (production instanceof Terminal) return { types: new Set([production.terminalType]), isNullable: false }
    if (production instanceof NonTerminal) {
      const first = this.#byRule.get(production.referencedRule) ?? this.#firstOf(production.definition)
      this.#byRule.set(production.referencedRule, first)
      return first
    }
    if (!(production instanceof Alternation)) {
      const { types, isNullable } = this.#firstOf(definitionOf(production))
      return { types, isNullable: isNullable || !(production instanceof RepetitionMandatory) }
    }
    const ways = definitionOf(production).map((way) => this.#firstOf(definitionOf(way)))
    return { types: new Set(ways.flatMap((way) => [...way.types])), isNullable: ways.some((way) => way.isNullable) }
  }
}
