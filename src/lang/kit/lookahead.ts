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

/** The members of the parser that a decision uses. */
interface Deciding {
  LA_FAST: (distance: number) => IToken
  failExpecting: (types: readonly TokenType[]) => never
}

/** What a part of the grammar may begin with. */
interface First {
  /** In the order of the grammar. */
  readonly types: ReadonlySet<TokenType>
  /** Whether the part may consist of no token. */
  readonly isNullable: boolean
}

/** For each token type number whether a part accepts such a token first; `true` stands for any token. */
type Accepted = readonly boolean[] | true

const kinds = { Alternation, Option, Repetition, RepetitionMandatory }

function definitionOf(part: IProduction | undefined): readonly IProduction[] {
  return (part as { readonly definition?: IProduction[] } | undefined)?.definition ?? []
}

/** The part of a kind with an occurrence number; Chevrotain has recorded exactly one. */
function partAt(parts: readonly IProduction[], kind: keyof typeof kinds, occurrence: number): IProduction | undefined {
  for (const part of parts) {
    if (part instanceof kinds[kind] && part.idx === occurrence) return part
    const inner = part instanceof NonTerminal ? undefined : partAt(definitionOf(part), kind, occurrence)
    if (inner !== undefined) return inner
  }
  return undefined
}

function acceptedBy({ types, isNullable }: First): Accepted {
  if (isNullable) return true
  const accepted: boolean[] = []
  for (const { tokenTypeIdx = 0, categoryMatches = [] } of types)
    for (const number of [tokenTypeIdx, ...categoryMatches]) accepted[number] = true
  return accepted
}

/**
 * Decides by one token, from FIRST sets that are computed when an input first reaches a decision: most queries reach few.
 * A gate decides where one token does not. See README, "Lookahead".
 */
export class LazyLookahead extends LLkLookaheadStrategy {
  readonly #byRule = new Map<Rule, First>()

  constructor() {
    super({ maxLookahead: 1 })
  }

  override buildLookaheadForAlternation({
    rule,
    prodOccurrence,
  }: Parameters<ILookaheadStrategy['buildLookaheadForAlternation']>[0]): ReturnType<
    ILookaheadStrategy['buildLookaheadForAlternation']
  > {
    let firsts: readonly First[] = []
    let accepted: readonly Accepted[] | undefined
    const prepare = (): readonly Accepted[] => {
      const ways = definitionOf(partAt(rule.definition, 'Alternation', prodOccurrence))
      firsts = ways.map((way) => this.#firstOf(definitionOf(way)))
      return firsts.map(acceptedBy)
    }
    return function (this: BaseParser, alternatives = []) {
      const parser = this as unknown as Deciding
      accepted ??= prepare()
      const number = parser.LA_FAST(1).tokenTypeIdx
      for (let i = 0; i < accepted.length; i++) {
        const way = accepted[i]
        if ((way === true || way?.[number] === true) && alternatives[i]?.GATE?.() !== false) return i
      }
      return parser.failExpecting(firsts.flatMap(({ types }) => [...types]))
    }
  }

  override buildLookaheadForOptional({
    rule,
    prodOccurrence,
    prodType,
  }: Parameters<ILookaheadStrategy['buildLookaheadForOptional']>[0]): () => boolean {
    let accepted: Accepted | undefined
    const prepare = (): Accepted =>
      acceptedBy(this.#firstOf(definitionOf(partAt(rule.definition, prodType as 'Option', prodOccurrence))))
    return function (this: BaseParser) {
      accepted ??= prepare()
      return accepted === true || accepted[(this as unknown as Deciding).LA_FAST(1).tokenTypeIdx] === true
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
