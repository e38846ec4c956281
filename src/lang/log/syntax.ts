import { present, span, type Diagnostic, type Span } from '../../base/index.ts'
import type { Dialect } from '../../plan/index.ts'
import type { FieldRef } from './ast.ts'
import type { BoundParameter } from './bound-parameter.ts'
import type { CustomPipe, CustomPipeDefinition } from './custom/definition.ts'
import { logDiagnostic } from './diagnostics.ts'
import { mathFunctions, type MathForms } from './math/expression.ts'
import { defaultLogLimits, type LogLimits } from './limits.ts'
import { Mismatch, Reader } from './reader.ts'
import type { SharedRules } from './shared-rules.ts'
import { runningForms, statsForms, type StatsForms, type StatsResult } from './stats/call.ts'
import type { Token, TokenType } from './tokens.ts'
import * as t from './tokens.ts'

export type { Rule } from './reader.ts'

/** Something a rule found wrong that it cannot read past; caught at the next place to go on from. */
export class SyntaxFault extends Error {
  readonly diagnostic: Diagnostic

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message)
    this.diagnostic = diagnostic
  }
}

/** A limit is passed: the rest of the text is not read. */
export class LimitFault extends SyntaxFault {}

/** What one text needs while it is read. */
export interface Session {
  readonly source: string
  readonly dialect: Dialect
  readonly limits: LogLimits
  readonly stats: StatsForms
  readonly running: StatsForms
  readonly math: MathForms
  readonly customPipes: ReadonlyMap<string, CustomPipeDefinition>
  /** Told of each pipe that a user has defined. */
  readonly onCustomPipe: (pipe: CustomPipe) => void
  /** What a result without a name is called. */
  readonly resultName: (result: StatsResult) => string
  /** A text as it prints: in quotes where it needs them. */
  readonly printed: (text: string) => string
  readonly report: (diagnostic: Diagnostic) => void
  /** The parameter of a name, at a place. */
  readonly parameter: (name: string, where: Span) => BoundParameter | undefined
}

/** While rules run without a text. */
const idle: Session = {
  source: '',
  dialect: 'native',
  limits: defaultLogLimits,
  stats: statsForms,
  running: runningForms,
  math: mathFunctions,
  customPipes: new Map(),
  onCustomPipe: () => undefined,
  resultName: () => '',
  printed: (text) => text,
  report: () => undefined,
  parameter: () => undefined,
}

const CLOSERS: ReadonlyMap<TokenType, string> = new Map([
  [t.LParen, ')'],
  [t.LBracket, ']'],
  [t.LBrace, '}'],
])

/** The part of the parser that a pipe or filter file may use: grammar methods, the state of the text, shared rules. */
export class Syntax extends Reader {
  readonly rules = {} as SharedRules
  session: Session = idle
  /** The field of the `field:( … )` around, in the dialect where everything inside belongs to it. */
  groupField: FieldRef | undefined
  isIncomplete = false
  /** A list of values is being read: a parameter there may be a list. */
  takesLists = false
  /** The fields that are being read have literals in front. */
  takesLiterals = false
  #depth = 0
  #terms = 0
  #pipes = 0
  #fields = 0
  #tokens: readonly Token[] = []
  #count = 0
  begin(session: Session, tokens: Token[]): void {
    this.session = session
    this.input = tokens
    this.#tokens = tokens
    this.#count = tokens.length
    this.groupField = undefined
    this.isIncomplete = false
    this.takesLists = false
    this.takesLiterals = false
    this.#depth = 0
    this.#terms = 0
    this.#pipes = 0
    this.#fields = 0
  }

  protected override aside<R>(inner: () => R): R {
    const { session, groupField, isIncomplete, takesLists, takesLiterals } = this
    const depth = this.#depth
    this.session = idle
    this.groupField = undefined
    this.takesLists = false
    this.takesLiterals = false
    this.#depth = 0
    try {
      return inner()
    } finally {
      Object.assign(this, { session, groupField, isIncomplete, takesLists, takesLiterals })
      this.#depth = depth
    }
  }

  get isNative(): boolean {
    return this.session.dialect === 'native'
  }

  report(diagnostic: Diagnostic): void {
    this.session.report(diagnostic)
  }

  fail(diagnostic: Diagnostic): never {
    throw new SyntaxFault(diagnostic)
  }

  /** The next token, or the `distance`-th. */
  next(distance = 1): Token {
    return this.LA(distance)
  }

  isNext(type: TokenType, distance = 1): boolean {
    const { tokenType } = this.LA(distance)
    return tokenType === type || tokenType.categories.includes(type)
  }

  /** A parameter is a value; names are part of the query. */
  refuseAsName({
    parameter,
    span: where,
  }: {
    readonly parameter?: BoundParameter | undefined
    readonly span: Span
  }): void {
    if (parameter !== undefined) this.fail(logDiagnostic('parameter-as-name', { name: parameter.name }, where))
  }

  /** One value, where no list stands. */
  refuseList(parameter: BoundParameter | undefined, where: Span): void {
    if (parameter?.isList !== true) return
    const reason = 'one value stands there, and it is a list'
    this.fail(logDiagnostic('bad-parameter', { name: parameter.name, reason }, where))
  }

  /** Whether a number comes next, or a parameter that stands for one. */
  isNumberNext(): boolean {
    return this.isNext(t.Parameter) || /^\d/.test(this.next().image)
  }

  /** For types that are not categories. */
  isNextIn(types: ReadonlySet<TokenType>, distance = 1): boolean {
    return types.has(this.LA(distance).tokenType)
  }

  isNextOneOf(types: readonly TokenType[], distance = 1): boolean {
    return types.some((type) => this.isNext(type, distance))
  }

  /** Whether nothing stands between the token at `distance` and the one before it. */
  touches(distance = 1): boolean {
    const before = this.LA(distance - 1)
    const after = this.LA(distance)
    return after.tokenType !== t.EOF && after.startOffset === before.endOffset + 1
  }

  /** Where the next token begins; the end of the text when there is none. */
  startOffset(): number {
    const next = this.LA(1)
    return next.tokenType === t.EOF ? this.session.source.length : next.startOffset
  }

  /** Where the token before the next one ends. */
  endOffset(): number {
    return this.LA(0).endOffset + 1
  }

  spanFrom(start: number): Span {
    return span(start, Math.max(start, this.endOffset()))
  }

  tokenSpan(token: Token): Span {
    return token.tokenType === t.EOF
      ? span(this.session.source.length, this.session.source.length)
      : span(token.startOffset, token.endOffset + 1)
  }

  /** Counts one level of nesting around `inner`. */
  nested<R>(inner: () => R): R {
    const limit = this.session.limits.depth
    if (++this.#depth > limit) throw new LimitFault(logDiagnostic('too-deep', { limit }, this.tokenSpan(this.LA(0))))
    try {
      return inner()
    } finally {
      this.#depth--
    }
  }

  countTerm(where: Span): void {
    const limit = this.session.limits.terms
    if (++this.#terms > limit) throw new LimitFault(logDiagnostic('too-many-terms', { limit }, where))
  }

  countPipe(where: Span): void {
    const limit = this.session.limits.pipes
    if (++this.#pipes > limit) throw new LimitFault(logDiagnostic('too-many-pipes', { limit }, where))
  }

  countField(where: Span): void {
    const limit = this.session.limits.fields
    if (++this.#fields > limit) throw new LimitFault(logDiagnostic('too-many-fields', { limit }, where))
  }

  checkPattern(text: string, where: Span): void {
    const limit = this.session.limits.patternLength
    if (text.length > limit)
      throw new LimitFault(logDiagnostic('pattern-too-long', { limit, length: text.length }, where))
  }

  /**
   * Reads a part; when that fails, tells why, skips to the next `|` or closing parenthesis of the same level and gives
   * `fallback`, so that what follows is read too.
   */
  attempt<R>(read: () => R, fallback: (where: Span) => R): R {
    if (this.isRecording) return read()
    const startIndex = this.position
    const start = this.startOffset()
    const depth = this.#depth
    const groupField = this.groupField
    try {
      return read()
    } catch (error) {
      if (error instanceof LimitFault || !(error instanceof SyntaxFault || error instanceof Mismatch)) throw error
      this.#depth = depth
      this.groupField = groupField
      this.takesLists = false
      this.takesLiterals = false
      this.isIncomplete = true
      this.report(error instanceof SyntaxFault ? error.diagnostic : this.#explain(error))
      this.#skip(startIndex)
      return fallback(this.spanFrom(start))
    }
  }

  #explain({ token, expected: all }: Mismatch): Diagnostic {
    const labels = new Set(all)
    const isText = labels.has('word')
    // What glues words is not new where a word may stand.
    const expected = [...labels].filter((label) => label !== 'glue' && !(isText && label === ':'))
    return this.unexpected(token, expected)
  }

  /** What a token that fits nowhere means, with the hint that its surroundings suggest. */
  unexpected(token: Token, expected: readonly string[]): Diagnostic {
    const where = this.tokenSpan(token)
    if (token.tokenType === t.EOF) {
      const open = this.#unclosed()
      const close = open === undefined ? undefined : CLOSERS.get(open.tokenType)
      if (open !== undefined && close !== undefined && expected.includes(close)) {
        return logDiagnostic('unclosed', { open: open.image, close, end: where.end }, this.tokenSpan(open))
      }
      return logDiagnostic('unexpected-end', { expected }, where)
    }
    if (token.tokenType === t.Unclosed) return logDiagnostic('unclosed-quote', { quote: token.image.charAt(0) }, where)
    if (token.tokenType === t.Ampersand) {
      const end = this.session.source[where.end] === '&' ? where.end + 1 : where.end
      return logDiagnostic('foreign-operator', { found: '&&', operator: 'and' }, { start: where.start, end })
    }
    return logDiagnostic('unexpected', { found: token.image.slice(0, 40), expected }, where)
  }

  /** The last parenthesis that is still open at the end of the text. */
  #unclosed(): Token | undefined {
    let open = 0
    for (let i = this.#count - 1; i >= 0; i--) {
      open += opening(present(this.#tokens[i]).tokenType)
      if (open > 0) return this.#tokens[i]
    }
    return undefined
  }

  #skip(startIndex: number): void {
    // A pipe is where to go on, also inside a parenthesis that was never closed.
    if (this.isNext(t.Bar)) return
    let open = 0
    for (let i = startIndex, end = this.position; i < end; i++) open += opening(present(this.#tokens[i]).tokenType)
    open = Math.max(0, open)
    for (;;) {
      const { tokenType } = this.LA(1)
      if (tokenType === t.EOF || (open === 0 && tokenType === t.Bar)) return
      const change = opening(tokenType)
      if (change === -1 && open === 0) return
      open += change
      this.SKIP_TOKEN()
    }
  }
}

function opening(type: TokenType): number {
  if (type === t.LParen || type === t.LBracket || type === t.LBrace) return 1
  return type === t.RParen || type === t.RBracket || type === t.RBrace ? -1 : 0
}
