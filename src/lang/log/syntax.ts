import type { Diagnostic, Span } from '../../base/index.ts'
import { LanguageParser, LimitFault, type KitSession, type Mismatch, type Rule } from '../kit/index.ts'
import type { Dialect } from '../../plan/index.ts'
import type { FieldRef } from './ast.ts'
import type { BoundParameter } from './bound-parameter.ts'
import type { CustomPipe, CustomPipeDefinition } from './custom/definition.ts'
import { logDiagnostic } from './diagnostics.ts'
import { mathFunctions, type MathForms } from './math/expression.ts'
import { defaultLogLimits, type LogLimits } from './limits.ts'
import { wordBetween } from './print/quote.ts'
import type { SharedRules } from './shared-rules.ts'
import { runningForms, statsForms, type StatsForms, type StatsResult } from './stats/call.ts'
import type { Token } from './tokens.ts'
import * as t from './tokens.ts'

export { LimitFault, SyntaxFault, type Rule } from '../kit/index.ts'

/** State of the parser for one text. */
export interface LogSession extends KitSession {
  readonly dialect: Dialect
  readonly limits: LogLimits
  readonly stats: StatsForms
  readonly running: StatsForms
  readonly math: MathForms
  readonly customPipes: ReadonlyMap<string, CustomPipeDefinition>
  /** Called for each user-defined pipe in the text, so that it can be expanded. */
  readonly onCustomPipe: (pipe: CustomPipe) => void
  /** Returns the default name of a result that the text does not name. */
  readonly resultName: (result: StatsResult) => string
  /** Returns a string as query text, quoted if necessary. */
  readonly printed: (text: string) => string
  /** Returns the parameter with a name at a position; `undefined` if it has no valid value. */
  readonly parameter: (name: string, where: Span) => BoundParameter | undefined
}

/** Session without a text, used while the grammar rules are registered. */
const idle: LogSession = {
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

const BRACKETS = [
  [t.LParen, t.RParen],
  [t.LBracket, t.RBracket],
  [t.LBrace, t.RBrace],
] as const
const closers: ReadonlyMap<t.TokenType, t.TokenType> = new Map(BRACKETS)

/**
 * Base class of the parser, to be used by the files of pipes and filters: grammar methods, state of the current text,
 * and shared rules.
 */
export abstract class Syntax extends LanguageParser<LogSession, Token> {
  readonly rules = {} as SharedRules
  /** Field of the enclosing `field:( … )` in the `logsql` dialect, where all filters inside apply to that field. */
  groupField: FieldRef | undefined
  isIncomplete = false
  /** True while a list of values is being parsed. A parameter inside it may have a list as its value. */
  takesLists = false
  /** True if a table name precedes the query that is parsed next. Such a query needs no filter. */
  followsTable = false
  /** True while parsing the arguments of a function whose literal arguments precede its fields. */
  takesLiterals = false
  #terms = 0
  #pipes = 0
  #fields = 0
  #tokens: readonly Token[] = []

  constructor(isValidated: boolean) {
    super(idle, t.END, { vocabulary: t.vocabulary(), brackets: BRACKETS, resumeAt: [t.Bar], isValidated })
  }

  override read<R>(rule: Rule<[], R>, tokens: readonly Token[], session: LogSession): R {
    this.groupField = undefined
    this.isIncomplete = false
    this.takesLists = false
    this.followsTable = false
    this.takesLiterals = false
    this.#terms = 0
    this.#pipes = 0
    this.#fields = 0
    this.#tokens = tokens
    return super.read(rule, tokens, session)
  }

  override attempt<R>(read: () => R, fallback: (where: Span) => R): R {
    const { groupField } = this
    return super.attempt(read, (where) => {
      this.groupField = groupField
      this.takesLists = false
      this.followsTable = false
      this.takesLiterals = false
      this.isIncomplete = true
      return fallback(where)
    })
  }

  get isNative(): boolean {
    return this.session.dialect === 'native'
  }

  /** Returns the next token, or the one `distance` tokens ahead. */
  next(distance = 1): Token {
    return this.LA(distance)
  }

  /**
   * Reports a parameter in place of a name. A parameter can supply only a value, because names are part of the query's
   * structure.
   */
  refuseAsName({
    parameter,
    span: where,
  }: {
    readonly parameter?: BoundParameter | undefined
    readonly span: Span
  }): void {
    if (parameter !== undefined) this.fail(logDiagnostic('parameter-as-name', { name: parameter.name }, where))
  }

  /** Reports a parameter whose value is a list where one value is needed. */
  refuseList(parameter: BoundParameter | undefined, where: Span): void {
    if (parameter?.isList !== true) return
    const reason = 'one value stands there, and it is a list'
    this.fail(logDiagnostic('bad-parameter', { name: parameter.name, reason }, where))
  }

  /** True if the next token is a number, or a parameter whose value is a number. */
  isNumberNext(): boolean {
    return this.isNext(t.Parameter) || /^\d/.test(this.next().image)
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

  explain({ token, expected: types }: Mismatch<Token>): Diagnostic {
    const labels = new Set(types.map(({ LABEL = '' }) => LABEL))
    const isText = labels.has('word')
    // If a word is accepted, the message omits the characters that join words, such as `-`.
    const expected = [...labels].filter((label) => label !== 'glue' && !(isText && label === ':'))
    return this.unexpected(token, expected)
  }

  explainDepth(limit: number, where: Span): Diagnostic {
    return logDiagnostic('too-deep', { limit }, where)
  }

  /** Returns the diagnostic of an unexpected token, with a hint that fits the position. */
  unexpected(token: Token, expected: readonly string[]): Diagnostic {
    const where = this.tokenSpan(token)
    if (token.tokenType === t.EOF) {
      const open = this.#unclosed()
      const close = closers.get(open?.tokenType ?? t.EOF)?.LABEL ?? ''
      if (open !== undefined && expected.includes(close)) {
        return logDiagnostic('unclosed', { open: open.image, close, end: where.end }, this.tokenSpan(open))
      }
      return logDiagnostic('unexpected-end', { expected }, where)
    }
    if (token.tokenType === t.Unclosed) return logDiagnostic('unclosed-quote', { quote: token.image.charAt(0) }, where)
    if (token.tokenType === t.Ampersand) {
      const end = this.session.source[where.end] === '&' ? where.end + 1 : where.end
      const marks = { start: where.start, end }
      const written = wordBetween(this.session.source, marks, 'and')
      return logDiagnostic('foreign-operator', { found: '&&', operator: 'and', written }, marks)
    }
    return logDiagnostic('unexpected', { found: token.image.slice(0, 40), expected }, where)
  }

  /** Returns the innermost bracket that is still open at the end of the text. */
  #unclosed(): Token | undefined {
    let open = 0
    return this.#tokens.findLast(({ tokenType }) => {
      if (closers.has(tokenType)) open++
      else if (BRACKETS.some(([, closer]) => closer === tokenType)) open--
      return open > 0
    })
  }
}
