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

/** Members of the parser that a lookahead decision uses. */
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

function definitionOf(part: IProduction | undefined): readonly IProduction[] {
  return (part as { readonly definition?: IProduction[] } | undefined)?.definition ?? []
}

/** Returns the part of a kind with an occurrence number; Chevrotain has recorded exactly one. */
function partAt(parts: readonly IProduction[], kind: keyof typeof kinds, occurrence: number): IProduction | undefined {
  for (const part of parts) {
    if (part instanceof kinds[kind] && part.idx === occurrence) return part
    const inner = part instanceof NonTerminal ? undefined : partAt(definitionOf(part), kind, occurrence)
    if (inner !== undefined) return inner
  }
  return undefined
}

/** True if a part may start with the token type of this number. */
function accepts({ types, isNullable }: First, number: number): boolean {
  if (isNullable) return true
  return [...types].some((type) => type.tokenTypeIdx === number || type.categoryMatchesMap?.[number] === true)
}

type AlternationOptions = Parameters<ILookaheadStrategy['buildLookaheadForAlternation']>[0]
type OptionalOptions = Parameters<ILookaheadStrategy['buildLookaheadForOptional']>[0]
type Choose = ReturnType<ILookaheadStrategy['buildLookaheadForAlternation']>

/**
 * Lookahead that decides by the next token. If one token does not suffice, the rule has a gate (an additional
 * condition). FIRST sets are computed when a decision is first reached, because most queries reach few.
 */
export class LazyLookahead extends LLkLookaheadStrategy {
  readonly #byRule = new Map<Rule, First>()

  constructor() {
    super({ maxLookahead: 1 })
  }

  override buildLookaheadForAlternation({ rule, prodOccurrence }: AlternationOptions): Choose {
    let firsts: readonly First[] | undefined
    const prepare = (): readonly First[] => {
      const ways = definitionOf(partAt(rule.definition, 'Alternation', prodOccurrence))
      return ways.map((way) => this.#firstOf(definitionOf(way)))
    }
    /** For each token type number, the alternatives that may start with this type; computed on demand. */
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
      this.#firstOf(definitionOf(partAt(rule.definition, prodType as 'Option', prodOccurrence)))
    /** For each token type number, whether the part may start with this type; computed on demand. */
    const enters: (boolean | undefined)[] = []
    return function (this: BaseParser) {
      const parser = this as unknown as Deciding
      const number = parser.LA_FAST(1).tokenTypeIdx
      if (parser.wanted !== undefined) parser.noteAtEnd((first ??= prepare()).types)
      return (enters[number] ??= accepts((first ??= prepare()), number))
    }
  }

  #firstOf(parts: readonly IProduction[]): First {
    const types = new Set<TokenType>()
    const isNullable = parts.every((part) => {
      const first = this.#firstOfPart(part)
      for (const type of first.types) types.add(type)
      return first.isNullable
    })
    return { types, isNullable }
  }

  #firstOfPart(part: IProduction): First {
    if (part instanceof Terminal) return { types: new Set([part.terminalType]), isNullable: false }
    if (part instanceof NonTerminal) {
      const first = this.#byRule.get(part.referencedRule) ?? this.#firstOf(part.definition)
      this.#byRule.set(part.referencedRule, first)
      return first
    }
    if (!(part instanceof Alternation)) {
      const { types, isNullable } = this.#firstOf(definitionOf(part))
      return { types, isNullable: isNullable || !(part instanceof RepetitionMandatory) }
    }
    const ways = definitionOf(part).map((way) => this.#firstOf(definitionOf(way)))
    return { types: new Set(ways.flatMap((way) => [...way.types])), isNullable: ways.some((way) => way.isNullable) }
  }
}
