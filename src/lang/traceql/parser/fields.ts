import { span, type Diagnostic, type Span } from '../../../base/index.ts'
import { expand, GoSyntax, ignore, inReferenceOrder, RECORDING_LIMITS } from '../../go-scanner/index.ts'
import { OperatorChain, type Mismatch, type Rule, type Token, type TokenType } from '../../kit/index.ts'
import type * as ast from '../ast.ts'
import { checkBinary, checkUnary } from '../check.ts'
import { traceqlDiagnostic } from '../diagnostics.ts'
import { foldBinary, foldUnary } from '../fold.ts'
import { readAttribute, scopeText } from '../text/attribute.ts'
import { constantOf, durationOf, floatOf, intOf, stringOf } from './literals.ts'
import { fieldPrecedences } from './precedence.ts'
import { TraceqlSession } from './session.ts'
import * as t from './tokens.ts'

type FieldChain = OperatorChain<ast.FieldExpr>

/** A placeholder for an expression that the text does not contain. */
const NOTHING: ast.Literal = { kind: 'literal', literal: { type: 'nil' }, span: span(0, 0) }

/** The lower part of the grammar: expressions over the fields of one span. */
export abstract class FieldSyntax extends GoSyntax<TraceqlSession> {
  constructor(isValidated: boolean) {
    super(new TraceqlSession('', RECORDING_LIMITS), t, isValidated)
  }

  explain({ token, expected }: Mismatch<Token>): Diagnostic {
    const where = this.tokenSpan(token)
    const fault = t.faultOf(token)
    const losesLine = t.losesLine(token)
    if (fault !== undefined) {
      const data = { kind: fault.kind, text: token.image, fault: fault.message, losesLine }
      return traceqlDiagnostic('bad-token', data, where)
    }
    const listed = inReferenceOrder(expand(this.session.listed ?? expected, t.vocabulary()), t.vocabulary())
    this.session.listed = undefined
    const isAttribute = token.tokenType === t.Attribute
    const found = isAttribute ? scopeText(token.image) : t.referenceName(token.tokenType)
    const reference = { found, expected: listed.map(t.referenceName), losesLine }
    return traceqlDiagnostic(
      'unexpected',
      { found: token.image, expected: expand(expected, t.vocabulary()).map(t.nameOf), reference },
      where,
    )
  }

  explainDepth(limit: number, where: Span): Diagnostic {
    return traceqlDiagnostic('too-deep', { limit }, where)
  }

  /** Fails like `expectNext`, but the message lists only the tokens in `listed`, like Tempo's message. */
  protected expectListing(types: readonly TokenType[], listed: readonly TokenType[]): void {
    this.session.listed = listed
    this.expectNext(types)
    this.session.listed = undefined
  }

  protected explainOperators(limit: number, where: Span): Diagnostic {
    return traceqlDiagnostic('too-many-operators', { limit }, where)
  }

  /** Parses one or more items separated by commas. A closing parenthesis must follow the last one. */
  protected list(item: () => void): void {
    const read = (): void =>
      this.attempt(() => {
        item()
        this.expectNext([t.RParen, t.Comma])
      }, ignore)
    read()
    this.many(9, () => {
      const comma = this.consume(t.Comma)
      this.ACTION(() => this.countOperator(comma))
      read()
    })
  }

  /** Rule for an expression over fields. The given bracket must follow it. */
  readonly fieldExpression: Rule<[TokenType], ast.FieldExpr> = this.RULE('fieldExpression', (end) => {
    const chain = this.ACTION(() => this.#startChain())
    this.subrule(this.fieldOperand, chain)
    this.many(0, () => {
      const op = this.consume(t.FieldOperator)
      this.ACTION(() => {
        this.countOperator(op)
        chain.binary({ text: op.image, span: this.tokenSpan(op) }, undefined)
      })
      this.subrule(this.fieldOperand, chain)
    })
    return this.ACTION(() => {
      this.expectNext([t.FieldOperator, end])
      return chain.finish() ?? NOTHING
    })
  })

  readonly fieldOperand: Rule<[FieldChain], void> = this.RULE('fieldOperand', (chain) => {
    this.many(0, () => {
      const op = this.or(0, [{ ALT: () => this.consume(t.Not) }, { ALT: () => this.consume(t.Sub) }])
      this.ACTION(() => {
        this.countOperator(op)
        chain.prefix({ text: op.image, span: this.tokenSpan(op) })
      })
    })
    const operand = this.or<ast.FieldExpr>(1, [
      { ALT: () => this.subrule(this.fieldGroup) },
      { ALT: () => this.subrule(this.field, false) },
      { ALT: () => this.subrule(this.nil) },
      { ALT: () => this.subrule(this.literal) },
      { ALT: () => this.subrule(this.unknownName) },
    ])
    this.ACTION(() => chain.operand(operand))
  })

  readonly fieldGroup: Rule<[], ast.FieldExpr> = this.RULE('fieldGroup', () => {
    this.consume(t.LParen)
    const inner = this.nested(() => this.subrule(this.fieldExpression, t.RParen))
    this.consume(t.RParen)
    return inner
  })

  /**
   * Rule for a field. With `takesParent`, a field of the parent span is accepted too, and returned like the same field
   * of the span.
   */
  readonly field: Rule<[boolean], ast.FieldRef> = this.RULE('field', (takesParent) => {
    const start = this.startOffset()
    return this.or<ast.FieldRef>(0, [
      {
        ALT: () => {
          const token = this.consume(t.Attribute)
          return this.ACTION(() => this.#attribute(token, takesParent))
        },
      },
      {
        ALT: () => {
          const token = this.consume(t.PlainIntrinsic)
          return this.ACTION(() => this.#intrinsic(token.image, start))
        },
      },
      {
        ALT: () => {
          const name = this.subrule(this.scopedIntrinsic)
          return this.ACTION(() => this.#intrinsic(name, start))
        },
      },
      {
        ALT: () => {
          const token = this.consume(t.Parent)
          return this.ACTION(() => {
            this.session.reportMeaning(traceqlDiagnostic('parent', { isIntrinsic: true }, this.tokenSpan(token)))
            return { kind: 'attribute', scope: 'none', name: 'parent', span: this.tokenSpan(token) }
          })
        },
      },
    ])
  })

  #attribute(token: Token, takesParent: boolean): ast.Attribute {
    const where = this.tokenSpan(token)
    const { isOfParent, scope, name } = readAttribute(token.image)
    if (isOfParent && !takesParent) {
      this.session.reportMeaning(traceqlDiagnostic('parent', { isIntrinsic: false }, where))
    }
    return { kind: 'attribute', scope, name, span: where }
  }

  #intrinsic(name: string, start: number): ast.Intrinsic {
    return { kind: 'intrinsic', name: name as ast.IntrinsicName, span: this.spanFrom(start) }
  }

  readonly scopedIntrinsic: Rule<[], string> = this.RULE('scopedIntrinsic', () =>
    this.or<string>(0, [
      {
        ALT: () => {
          this.consume(t.TraceScope)
          const word = this.or(1, this.#words([t.DurationWord, t.RootName, t.RootService, t.Id]))
          return this.ACTION(() => TRACE_INTRINSICS[word.image] ?? '')
        },
      },
      {
        ALT: () => {
          this.consume(t.SpanScope)
          const words = [t.DurationWord, t.ChildCount, t.Name, t.Status, t.StatusMessage, t.Kind, t.Id, t.ParentId]
          const word = this.or(2, this.#words(words))
          const isPlain = this.ACTION(() => word.tokenType.CATEGORIES?.includes(t.PlainIntrinsic) === true)
          return this.ACTION(() => (isPlain ? word.image : `span:${word.image}`))
        },
      },
      {
        ALT: () => {
          const scope = this.consume(t.EventScope)
          const word = this.or(3, this.#words([t.Name, t.TimeSinceStart]))
          return this.ACTION(() => scope.image + word.image)
        },
      },
      {
        ALT: () => {
          const scope = this.consume(t.LinkScope)
          const word = this.or(4, this.#words([t.TraceId, t.SpanId]))
          return this.ACTION(() => scope.image + word.image)
        },
      },
      {
        ALT: () => {
          const scope = this.consume(t.InstrumentationScope)
          const word = this.or(5, this.#words([t.Name, t.Version]))
          return this.ACTION(() => scope.image + word.image)
        },
      },
    ]),
  )

  #words(types: readonly TokenType[]): { ALT: () => Token }[] {
    return types.map((type) => ({ ALT: () => this.consume(type) }))
  }

  /** Rule for `nil`, which is allowed only as the right operand of `=` and `!=`. */
  readonly nil: Rule<[], ast.Literal> = this.RULE('nil', () => {
    const token = this.consume(t.Nil)
    return this.ACTION(() => {
      const isRight = [t.Equal, t.NotEqual].includes(this.LA(-1).tokenType)
      if (!isRight) this.expectNext([t.Equal, t.NotEqual])
      return { kind: 'literal', literal: { type: 'nil' }, span: this.tokenSpan(token) }
    })
  })

  readonly literal: Rule<[], ast.Literal> = this.RULE('literal', () => {
    const start = this.startOffset()
    const literal = this.or<ast.LiteralValue>(0, [
      { ALT: () => this.constant(this.consume(t.StringToken), stringOf) },
      { ALT: () => this.constant(this.consume(t.Integer), intOf) },
      { ALT: () => this.constant(this.consume(t.Float), floatOf) },
      { ALT: () => this.constant(this.consume(t.Duration), durationOf) },
      { ALT: () => this.constant(this.consume(t.Constant), constantOf) },
    ])
    return this.ACTION(() => ({ kind: 'literal', literal, span: this.spanFrom(start) }))
  })

  protected constant(token: Token, read: (image: string) => ast.LiteralValue): ast.LiteralValue {
    return this.ACTION(() => read(token.image))
  }

  /** Rule for a name that is not a field. Like Tempo, it treats the name as a constant that does not exist. */
  readonly unknownName: Rule<[], never> = this.RULE('unknownName', () => {
    const token = this.consume(t.Identifier)
    return this.ACTION(() => this.fail(traceqlDiagnostic('unknown-name', { name: token.image }, this.tokenSpan(token))))
  })

  #startChain(): FieldChain {
    return new OperatorChain<ast.FieldExpr>(fieldPrecedences, {
      unary: ({ text, span: { start } }, arg) => this.#unary(text as '!' | '-', arg, span(start, arg.span.end)),
      binary: ({ text }, _, lhs, rhs) => this.#binary(text as ast.BinaryOp, lhs, rhs),
    })
  }

  #unary(op: '!' | '-', arg: ast.FieldExpr, where: Span): ast.FieldExpr {
    const literal = arg.kind === 'literal' ? foldUnary(op, arg.literal) : undefined
    if (literal !== undefined) return { kind: 'literal', literal, span: where }
    const node: ast.Unary = { kind: 'unary', op, arg, span: where }
    checkUnary(node, this.session)
    return node
  }

  #binary(op: ast.BinaryOp, left: ast.FieldExpr, right: ast.FieldExpr): ast.FieldExpr {
    const where = span(left.span.start, right.span.end)
    const isNilFirst = left.kind === 'literal' && left.literal.type === 'nil'
    const [lhs, rhs] = isNilFirst ? [right, left] : [left, right]
    const literal =
      lhs.kind === 'literal' && rhs.kind === 'literal' ? foldBinary(op, lhs.literal, rhs.literal) : undefined
    if (literal !== undefined) return { kind: 'literal', literal, span: where }
    const node: ast.Binary = { kind: 'binary', op, lhs, rhs, span: where }
    checkBinary(node, this.session)
    return node
  }
}

const TRACE_INTRINSICS: Readonly<Record<string, ast.IntrinsicName>> = {
  duration: 'traceDuration',
  rootName: 'rootName',
  rootService: 'rootServiceName',
  id: 'trace:id',
}
