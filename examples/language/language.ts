import {
  EOF,
  LanguageParser,
  LimitFault,
  SKIPPED,
  TokenBuilder,
  and,
  column,
  countRows,
  defineDiagnostics,
  endToken,
  lazyLexer,
  retype,
  span,
  test,
  wholeScan,
  type Diagnostic,
  type Expr,
  type KitSession,
  type LogicalPlan,
  type Mismatch,
  type Rule,
  type Span,
  type Token,
  type TokenType,
} from 'sluice/kit'

const tokens = new TokenBuilder()
const Word = tokens.type('Word', 'word')
const Plain = tokens.type('Plain', 'word', [Word], { PATTERN: /[a-z_][\w.-]*/i })
const Count = tokens.type('Count', 'number', [], { PATTERN: /\d+/ })
const Stray = tokens.type('Stray', 'character', [], { PATTERN: /[^]/ })
const [Find, With, By] = ['find', 'with', 'by'].map((word) => tokens.keyword(word, [Word])) as [
  TokenType,
  TokenType,
  TokenType,
]
const Blank: TokenType = { name: 'Blank', PATTERN: /\s+/, GROUP: SKIPPED }
const lex = lazyLexer(() => [Blank, Plain, Count, Stray])

function scan(source: string): Token[] {
  const found = lex(source).tokens
  for (const token of found)
    if (token.tokenType === Plain) retype(token, tokens.keywordOf(token.image.toLowerCase()) ?? Plain)
  return found
}

const diagnostic = defineDiagnostics('find', {
  unexpected: ({ found, expected }: { found: string; expected: readonly string[] }) => ({
    message: `${found === '' ? 'The query ends too early.' : `\`${found}\` does not belong here.`} Expected ${expected.join(' or ')}.`,
  }),
  deep: ({ limit }: { limit: number }) => ({ message: `The query nests deeper than ${limit}.` }),
})

interface FindQuery {
  readonly limit: number | undefined
  readonly table: string
  readonly where: Expr | undefined
  readonly by: string | undefined
}

class FindParser extends LanguageParser<KitSession, Token> {
  constructor() {
    super({ source: '', limits: { depth: 0 }, report: () => undefined }, endToken(), {
      vocabulary: tokens.vocabulary,
      brackets: [],
      resumeAt: [With, By],
      isValidated: false,
    })
    this.build()
  }

  explain({ token, expected }: Mismatch<Token>): Diagnostic {
    const labels = expected.map(({ LABEL, name }) => `\`${LABEL ?? name}\``)
    return diagnostic('unexpected', { found: token.image, expected: labels }, this.tokenSpan(token))
  }

  explainDepth(limit: number, where: Span): Diagnostic {
    return diagnostic('deep', { limit }, where)
  }

  readonly condition: Rule<[], Expr> = this.RULE('condition', () => {
    const start = this.ACTION(() => this.startOffset())
    const field = this.consume(Word)
    const value = this.or(0, [{ ALT: () => this.consume(Word) }, { ALT: () => this.consume(Count) }])
    return this.ACTION(() => {
      const origin = { kind: 'text', span: this.spanFrom(start) } as const
      const equals = { kind: 'equals', value: value.image, isFolded: true, isTyped: false } as const
      return test(column(field.image, origin), equals, origin)
    })
  })

  readonly conditions: Rule<[], Expr> = this.RULE('conditions', () => {
    this.consume(With)
    const all = [this.subrule(this.condition)]
    this.many(0, () => {
      this.consume(With)
      all.push(this.subrule(this.condition))
    })
    return this.ACTION(() => and(all))
  })

  readonly query: Rule<[], FindQuery> = this.RULE('query', () => {
    const head = this.attempt(
      () => {
        this.consume(Find)
        const limit = this.option(0, () => this.consume(Count).image)
        const table = this.consume(Word).image
        this.expectNext([With, By, EOF])
        return { limit, table }
      },
      () => ({ limit: undefined, table: '' }),
    )
    const where = this.option(1, () =>
      this.attempt(
        () => this.subrule(this.conditions),
        () => undefined,
      ),
    )
    const by = this.attempt(
      () => {
        const key = this.option(2, () => {
          this.consume(By)
          return this.consume(Word).image
        })
        this.expectNext([EOF])
        return key
      },
      () => undefined,
    )
    return this.ACTION(() => ({
      limit: head.limit === undefined ? undefined : Number(head.limit),
      table: head.table,
      where,
      by,
    }))
  })
}

let parser: FindParser | undefined

/** Reads a query. Never throws for its content: what is wrong is in `diagnostics`. */
export function parseFind(source: string): {
  readonly query: FindQuery | undefined
  readonly diagnostics: readonly Diagnostic[]
} {
  parser ??= new FindParser()
  const diagnostics: Diagnostic[] = []
  const session: KitSession = { source, limits: { depth: 64 }, report: (found) => diagnostics.push(found) }
  try {
    return { query: parser.read(parser.query, scan(source), session), diagnostics }
  } catch (error) {
    if (error instanceof LimitFault) return { query: undefined, diagnostics: [...diagnostics, error.diagnostic] }
    throw error
  }
}

/** Returns the plan of a query, which `queryPlan` of an engine binds to its tables. */
export function planFind({ limit, table, where, by }: FindQuery): LogicalPlan {
  const origin = { kind: 'text', span: span(0, 0) } as const
  let plan: LogicalPlan = wholeScan({ name: table }, origin)
  if (where !== undefined) plan = { kind: 'filter', input: plan, predicate: where, origin }
  if (by !== undefined) {
    plan = {
      kind: 'aggregate',
      input: plan,
      keys: [{ name: by, expr: column(by, origin), type: 'any' }],
      aggregates: [{ name: 'count', call: countRows(origin), type: 'number' }],
      origin,
    }
  }
  return limit === undefined ? plan : { kind: 'limit', input: plan, offset: 0, limit, origin }
}
