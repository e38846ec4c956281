import type { Diagnostic, Span } from '../../../base/index.ts'
import type { LabelMatcher } from '../../../plan/index.ts'
import {
  expand,
  GoSession,
  GoSyntax,
  ignore,
  inReferenceOrder,
  readDurationNs,
  readNumber,
  RECORDING_LIMITS,
  type GoNumber,
} from '../../go-scanner/index.ts'
import { EOF, type Mismatch, type Rule, type Token, type TokenType } from '../../kit/index.ts'
import { scanString } from '../../promql/text/string-text.ts'
import type * as ast from '../ast.ts'
import { checkMatcher, checkPattern, checkRegexp } from '../check-text.ts'
import { logqlDiagnostic } from '../diagnostics.ts'
import { readBytes } from '../text/units.ts'
import { ConditionChain } from './condition-chain.ts'
import * as t from './tokens.ts'

/** Tokens that may follow a complete condition. */
const AFTER_CONDITION = [t.Identifier, t.And, t.Or, t.Comma, t.LParen]

function stringOf(token: Token): string {
  return scanString(token.image, 0).value
}

/** The lower half of the grammar: log queries. */
export abstract class LogqlSyntax extends GoSyntax<GoSession> {
  constructor(isValidated: boolean) {
    super(new GoSession('', RECORDING_LIMITS), t, isValidated)
  }

  explain({ token, expected }: Mismatch<Token>): Diagnostic {
    const fault = t.faultOf(token)
    const where = this.tokenSpan(token)
    if (fault !== undefined) {
      return logqlDiagnostic('bad-token', { kind: fault.kind, text: token.image, fault: fault.message }, where)
    }
    const types = expand(expected, t.vocabulary()).filter((type) => type !== EOF)
    const reference = {
      found: t.referenceName(token.tokenType),
      expected: inReferenceOrder(types, t.vocabulary()).map(t.referenceName),
      losesLine: t.losesLine(token),
    }
    if (token.tokenType === t.Identifier && this.isNext(t.LParen, 2) && types.includes(t.Vector)) {
      return logqlDiagnostic('unknown-function', { name: token.image, reference }, where)
    }
    return logqlDiagnostic('unexpected', { found: token.image, expected: types.map(t.nameOf), reference }, where)
  }

  explainDepth(limit: number, where: Span): Diagnostic {
    return logqlDiagnostic('too-deep', { limit }, where)
  }

  /** Returns the value of a number token; reports an error if the scanner rejects the token. */
  protected numberOf(token: Token): GoNumber {
    const result = readNumber(token.image)
    if (result.tokenFault !== undefined) {
      const data = { kind: 'number', text: token.image, fault: result.tokenFault } as const
      this.report(logqlDiagnostic('bad-token', data, this.tokenSpan(token)))
    }
    return result
  }

  protected explainOperators(limit: number, where: Span): Diagnostic {
    return logqlDiagnostic('too-many-operators', { limit }, where)
  }

  /** Parses one or more items separated by commas. A token in `end` must follow the last one. */
  protected list(item: () => void, end: readonly TokenType[]): void {
    const read = (): void =>
      this.attempt(() => {
        item()
        if (end.length > 0) this.expectNext([t.Comma, ...end])
      }, ignore)
    read()
    this.many(9, () => {
      this.consume(t.Comma)
      read()
    })
  }

  readonly string: Rule<[], string> = this.RULE('string', () => {
    const token = this.consume(t.StringToken)
    return this.ACTION(() => stringOf(token))
  })

  readonly matcher: Rule<[], LabelMatcher> = this.RULE('matcher', () => {
    const label = this.consume(t.Identifier)
    const op = this.consume(t.MatchOperator)
    const value = this.subrule(this.string)
    return this.ACTION(() => this.#matcher(label, op, value))
  })

  #matcher(label: Token, op: Token, value: string): LabelMatcher {
    const matcher: LabelMatcher = { label: label.image, op: op.image as LabelMatcher['op'], value }
    checkMatcher(matcher, this.spanFrom(label.startOffset), this.session.report)
    return matcher
  }

  readonly selector: Rule<[], readonly LabelMatcher[]> = this.RULE('selector', () => {
    const matchers: LabelMatcher[] = []
    this.consume(t.LBrace)
    this.or(0, [
      { ALT: () => this.consume(t.RBrace) },
      {
        ALT: () => {
          this.list(() => matchers.push(this.subrule(this.matcher)), [t.RBrace])
          return this.consume(t.RBrace)
        },
      },
    ])
    return matchers
  })

  readonly logs: Rule<[], ast.LogQuery> = this.RULE('logs', () => {
    const start = this.startOffset()
    const matchers = this.subrule(this.selector)
    const stages = this.subrule(this.stages, false)
    this.expectNext([t.Pipe, t.LineOperator, t.BinaryOperator, t.RParen, t.Comma, EOF])
    return this.ACTION(() => ({ kind: 'log-query', matchers, stages, span: this.spanFrom(start) }))
  })

  /** Rule for the stages of a log query. In a range aggregation, `| unwrap` may follow them. */
  readonly stages: Rule<[boolean], readonly ast.Stage[]> = this.RULE('stages', (isInRange) => {
    const stages: ast.Stage[] = []
    this.many(0, {
      GATE: () => !isInRange || !this.isNext(t.UnwrapWord, 2),
      DEF: () =>
        this.attempt(() => {
          stages.push(this.subrule(this.stage))
        }, ignore),
    })
    return stages
  })

  readonly stage: Rule<[], ast.Stage> = this.RULE('stage', (): ast.Stage =>
    this.or<ast.Stage>(0, [
      { ALT: () => this.subrule(this.lineFilter) },
      {
        ALT: () => {
          this.consume(t.Pipe)
          return this.subrule(this.pipeStage)
        },
      },
    ]),
  )

  readonly lineFilter: Rule<[], ast.LineFilter> = this.RULE('lineFilter', () => {
    const op = this.consume(t.LineOperator)
    const alternatives = [this.subrule(this.lineAlternative)]
    this.many(0, () => {
      this.consume(t.Or)
      alternatives.push(this.subrule(this.lineAlternative))
    })
    return this.ACTION(() => ({
      kind: 'line-filter',
      op: op.image as ast.LineFilterOp,
      alternatives,
      span: this.spanFrom(op.startOffset),
    }))
  })

  readonly lineAlternative: Rule<[], ast.LineFilter['alternatives'][number]> = this.RULE('lineAlternative', () =>
    this.or<ast.LineFilter['alternatives'][number]>(0, [
      { ALT: () => ({ kind: 'text', value: this.subrule(this.string) }) },
      { ALT: () => ({ kind: 'ip', value: this.subrule(this.address) }) },
    ]),
  )

  readonly address: Rule<[], string> = this.RULE('address', () => {
    this.consume(t.Ip)
    this.consume(t.LParen)
    const value = this.subrule(this.string)
    this.consume(t.RParen)
    return value
  })

  readonly pipeStage: Rule<[], ast.Stage> = this.RULE('pipeStage', (): ast.Stage => {
    const start = this.startOffset()
    return this.or<ast.Stage>(0, [
      { ALT: () => this.subrule(this.jsonStage) },
      { ALT: () => this.subrule(this.logfmtStage) },
      {
        ALT: () => {
          this.consume(t.Pattern)
          const pattern = this.subrule(this.string)
          return this.ACTION(() => {
            checkPattern(pattern, this.spanFrom(start), this.session.report)
            return { kind: 'pattern', pattern, span: this.spanFrom(start) }
          })
        },
      },
      {
        ALT: () => {
          this.consume(t.Regexp)
          const regexp = this.subrule(this.string)
          return this.ACTION(() => {
            checkRegexp(regexp, this.spanFrom(start), this.session.report)
            return { kind: 'regexp', regexp, span: this.spanFrom(start) }
          })
        },
      },
      {
        ALT: () => {
          this.consume(t.Unpack)
          return this.ACTION(() => ({ kind: 'unpack', span: this.spanFrom(start) }))
        },
      },
      {
        ALT: () => {
          this.consume(t.LineFormatWord)
          const template = this.subrule(this.string)
          return this.ACTION(() => ({ kind: 'line-format', template, span: this.spanFrom(start) }))
        },
      },
      { ALT: () => this.subrule(this.labelFormat) },
      {
        ALT: () => {
          this.consume(t.DecolorizeWord)
          return this.ACTION(() => ({ kind: 'decolorize', span: this.spanFrom(start) }))
        },
      },
      {
        ALT: () => {
          this.consume(t.Drop)
          const labels = this.subrule(this.labelChoices)
          return this.ACTION(() => ({ kind: 'drop', labels, span: this.spanFrom(start) }))
        },
      },
      {
        ALT: () => {
          this.consume(t.Keep)
          const labels = this.subrule(this.labelChoices)
          return this.ACTION(() => ({ kind: 'keep', labels, span: this.spanFrom(start) }))
        },
      },
      { ALT: () => this.subrule(this.labelFilter) },
    ])
  })

  readonly jsonStage: Rule<[], ast.JsonStage> = this.RULE('jsonStage', () => {
    const word = this.consume(t.Json)
    const extractions = this.option(0, () => this.subrule(this.extractions)) ?? []
    return this.ACTION(() => ({ kind: 'json', extractions, span: this.spanFrom(word.startOffset) }))
  })

  readonly logfmtStage: Rule<[], ast.LogfmtStage> = this.RULE('logfmtStage', () => {
    const word = this.consume(t.Logfmt)
    const flags: string[] = []
    this.many(0, () => {
      const flag = this.consume(t.Flag)
      this.ACTION(() => flags.push(flag.image))
    })
    const extractions = this.option(0, () => this.subrule(this.extractions)) ?? []
    return this.ACTION(() => ({
      kind: 'logfmt',
      isStrict: flags.includes('--strict'),
      keepsEmpty: flags.includes('--keep-empty'),
      extractions,
      span: this.spanFrom(word.startOffset),
    }))
  })

  readonly extractions: Rule<[], readonly ast.Extraction[]> = this.RULE('extractions', () => {
    const extractions: ast.Extraction[] = []
    this.list(() => extractions.push(this.subrule(this.extraction)), [])
    return extractions
  })

  readonly extraction: Rule<[], ast.Extraction> = this.RULE('extraction', () => {
    const label = this.consume(t.Identifier)
    const path = this.option(0, () => {
      this.consume(t.Equal)
      return this.subrule(this.string)
    })
    return this.ACTION(() => ({
      label: label.image,
      path: path ?? label.image,
      span: this.spanFrom(label.startOffset),
    }))
  })

  readonly labelFormat: Rule<[], ast.LabelFormat> = this.RULE('labelFormat', () => {
    const word = this.consume(t.LabelFormatWord)
    const parts: ast.LabelFormat['parts'][number][] = []
    this.list(() => parts.push(this.subrule(this.labelFormatPart)), [])
    return this.ACTION(() => ({ kind: 'label-format', parts, span: this.spanFrom(word.startOffset) }))
  })

  readonly labelFormatPart: Rule<[], ast.LabelFormat['parts'][number]> = this.RULE('labelFormatPart', () => {
    const label = this.consume(t.Identifier)
    this.consume(t.Equal)
    const from = this.or<ast.LabelFormat['parts'][number]['from']>(0, [
      {
        ALT: () => {
          const source = this.consume(t.Identifier)
          return { kind: 'label', value: source.image }
        },
      },
      { ALT: () => ({ kind: 'template', value: this.subrule(this.string) }) },
    ])
    return this.ACTION(() => ({ label: label.image, from, span: this.spanFrom(label.startOffset) }))
  })

  readonly labelChoices: Rule<[], readonly ast.LabelChoice[]> = this.RULE('labelChoices', () => {
    const choices: ast.LabelChoice[] = []
    this.list(() => choices.push(this.subrule(this.labelChoice)), [])
    return choices
  })

  readonly labelChoice: Rule<[], ast.LabelChoice> = this.RULE('labelChoice', () => {
    const label = this.consume(t.Identifier)
    const matcher = this.option(0, () => {
      const op = this.consume(t.MatchOperator)
      const value = this.subrule(this.string)
      return this.ACTION(() => this.#matcher(label, op, value))
    })
    return this.ACTION(() => ({ label: label.image, matcher }))
  })

  readonly labelFilter: Rule<[], ast.LabelFilter> = this.RULE('labelFilter', () => {
    const condition = this.subrule(this.condition)
    return this.ACTION(() => ({ kind: 'label-filter', condition, span: condition.span }))
  })

  readonly condition: Rule<[], ast.LabelCondition> = this.RULE('condition', (): ast.LabelCondition => {
    const chain = new ConditionChain()
    const first = this.subrule(this.conditionOperand)
    this.ACTION(() => chain.add(first))
    this.many(0, () => {
      const before = this.LA(1)
      const word = this.option(0, () =>
        this.or(0, [
          { ALT: () => this.consume(t.And) },
          { ALT: () => this.consume(t.Or) },
          { ALT: () => this.consume(t.Comma) },
        ]),
      )
      this.ACTION(() => {
        this.countOperator(before)
        chain.join(word?.tokenType === t.And ? 'and' : word?.tokenType === t.Or ? 'or' : 'comma')
      })
      const next = this.subrule(this.conditionOperand)
      this.ACTION(() => chain.add(next))
    })
    return this.ACTION(() => chain.finish())
  })

  readonly conditionOperand: Rule<[], ast.LabelCondition> = this.RULE('conditionOperand', (): ast.LabelCondition =>
    this.or<ast.LabelCondition>(0, [
      {
        ALT: () => {
          this.consume(t.LParen)
          const inner = this.nested(() => this.subrule(this.condition))
          this.expectNext([t.RParen, ...AFTER_CONDITION])
          this.consume(t.RParen)
          return inner
        },
      },
      { ALT: () => this.subrule(this.comparison) },
    ]),
  )

  readonly comparison: Rule<[], ast.LabelCondition> = this.RULE('comparison', (): ast.LabelCondition => {
    const label = this.consume(t.Identifier)
    return this.or<ast.LabelCondition>(0, [
      {
        ALT: () => {
          const op = this.consume(t.RegexpOperator)
          const value = this.subrule(this.string)
          return this.ACTION(() => this.#textCondition(label, op, value))
        },
      },
      {
        ALT: () => {
          const op = this.consume(t.EqualityOperator)
          return this.or<ast.LabelCondition>(1, [
            {
              ALT: () => {
                const value = this.subrule(this.string)
                return this.ACTION(() => this.#textCondition(label, op, value))
              },
            },
            {
              ALT: () => {
                const value = this.subrule(this.address)
                return this.ACTION(() => ({
                  kind: 'ip',
                  label: label.image,
                  op: op.image as '=' | '!=',
                  value,
                  span: this.spanFrom(label.startOffset),
                }))
              },
            },
            { ALT: () => this.subrule(this.quantity, label, op) },
          ])
        },
      },
      {
        ALT: () => {
          const op = this.consume(t.OrderOperator)
          return this.subrule(this.quantity, label, op)
        },
      },
    ])
  })

  #textCondition(label: Token, op: Token, value: string): ast.LabelCondition {
    return { kind: 'text', ...this.#matcher(label, op, value), span: this.spanFrom(label.startOffset) }
  }

  readonly quantity: Rule<[Token, Token], ast.LabelCondition> = this.RULE('quantity', (label: Token, op: Token) => {
    const quantity = this.or<readonly ['number' | 'duration' | 'bytes', number]>(0, [
      {
        ALT: () => {
          const token = this.consume(t.Duration)
          return this.ACTION(() => ['duration', readDurationNs(token.image) ?? 0] as const)
        },
      },
      {
        ALT: () => {
          const token = this.consume(t.Bytes)
          return this.ACTION(() => ['bytes', readBytes(token.image) ?? 0] as const)
        },
      },
      {
        ALT: () => {
          const sign = this.option(0, () => this.consume(t.Sign))
          const token = this.consume(t.NumberToken)
          return this.ACTION(() => {
            const where = this.tokenSpan(token)
            const { value, valueFault } = readNumber(token.image)
            if (valueFault === undefined) this.numberOf(token)
            else
              this.report(logqlDiagnostic('bad-number', { text: token.image, as: 'literal', fault: valueFault }, where))
            return ['number', sign?.image === '-' ? -value : value] as const
          })
        },
      },
    ])
    return this.ACTION(() => {
      const [kind, value] = quantity
      const compare = (op.image === '=' ? '==' : op.image) as ast.CompareOp
      return { kind, label: label.image, op: compare, value, span: this.spanFrom(label.startOffset) }
    })
  })

  /** Fails unless the next token is in `end` or is a binary operator. */
  protected expectAfter(end: readonly TokenType[]): void {
    this.expectNext([...end, t.BinaryOperator])
  }
}
