import type { Diagnostic, Span } from '../../../base/index.ts'
import {
  EOF,
  endToken,
  LanguageParser,
  type KitSession,
  type Mismatch,
  type Rule,
  type Token,
  type TokenType,
} from '../../../lang/kit/index.ts'
import { unquote } from '../go/literals.ts'
import { templateDiagnostic, trimText } from '../tokens.ts'
import type { Branch, Expression, Node, Nodes } from './ast.ts'
import { filters } from './filters.ts'
import * as t from './tokens.ts'

/** Parse state of one template. */
export interface JinjaSession extends KitSession {
  /** Names that can be used at the current position. */
  names: string[]
  /** Receives an unknown part, which stays in the output as it is written. */
  readonly warn: (message: string, offset: number) => void
  /** Number of warnings so far. */
  warnings: number
}

const initialNames: readonly string[] = ['labels', 'value', 'values', 'externalLabels', 'externalURL']

const constants: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
])

/** Returns the state for parsing a template; `report` receives the first error. */
export function jinjaSession(
  source: string,
  depth: number,
  report: (diagnostic: Diagnostic) => void,
  warn: (message: string, offset: number) => void,
): JinjaSession {
  return { source, limits: { depth }, report, names: [...initialNames], warn, warnings: 0 }
}

export class JinjaParser extends LanguageParser<JinjaSession, Token> {
  constructor(isValidated = false) {
    const ignore = (): void => undefined
    super(jinjaSession('', 0, ignore, ignore), endToken(), {
      vocabulary: t.vocabulary(),
      brackets: [[t.LeftParen, t.RightParen]],
      resumeAt: [],
      isValidated,
    })
    this.build()
  }

  explain({ token, expected }: Mismatch<Token>): Diagnostic {
    const labels = expected.map(({ LABEL, name }) => LABEL ?? name)
    return templateDiagnostic('unexpected', { found: token.image, expected: labels }, this.tokenSpan(token))
  }

  explainDepth(limit: number, where: Span): Diagnostic {
    return templateDiagnostic('too-deep', { limit }, where)
  }

  #warn(message: string, token: Token): void {
    this.session.warnings++
    this.session.warn(message, token.startOffset)
  }

  /** Operators of one precedence, from left to right. */
  #chain(name: string, operand: () => Rule<[], Expression>, operators: readonly TokenType[]): Rule<[], Expression> {
    return this.RULE(name, () => {
      let left = this.subrule(operand())
      this.many(0, () => {
        const token = this.or(
          0,
          operators.map((type) => ({ ALT: () => this.consume(type) })),
        )
        const right = this.subrule(operand())
        left = this.ACTION(() => ({ kind: 'binary', op: token.image, left, right, offset: token.startOffset }))
      })
      return left
    })
  }

  readonly name: Rule<[], string> = this.RULE('name', () => {
    const token = this.consume(t.Word)
    return this.ACTION(() => token.image)
  })

  readonly literal: Rule<[], Expression> = this.RULE('literal', () => {
    const token = this.consume(t.Quoted)
    return this.ACTION(() => {
      const value = unquote(
        token.image.replaceAll(token.image[0] === '"' ? String.raw`\'` : String.raw`\"`, (pair) => pair[1]!),
      )
      if (value !== undefined) return { kind: 'constant', value }
      const fault = `The string ${token.image} has an invalid escape.`
      this.fail(templateDiagnostic('bad-constant', { fault }, this.tokenSpan(token)))
    })
  })

  readonly number: Rule<[], Expression> = this.RULE('number', () => {
    const token = this.consume(t.Numeral)
    return this.ACTION(() => {
      const isWhole = /^[0-9]+$/.test(token.image)
      return { kind: 'constant', value: isWhole ? BigInt(token.image) : Number(token.image) }
    })
  })

  readonly variable: Rule<[], Expression> = this.RULE('variable', () => {
    const token = this.consume(t.Word)
    return this.ACTION(() => {
      const name = token.image
      const constant = constants.get(name)
      if (constant !== undefined) return { kind: 'constant', value: constant }
      if (!this.session.names.includes(name)) this.#warn(`There is no variable \`${name}\`.`, token)
      return { kind: 'name', name }
    })
  })

  readonly group: Rule<[], Expression> = this.RULE('group', () => {
    this.consume(t.LeftParen)
    const inner = this.nested(() => this.subrule(this.expression))
    this.consume(t.RightParen)
    return inner
  })

  readonly args: Rule<[], readonly Expression[]> = this.RULE('args', () => {
    const args: Expression[] = []
    const arg = (): unknown => args.push(this.nested(() => this.subrule(this.expression)))
    this.consume(t.LeftParen)
    this.option(0, () => {
      arg()
      this.many(0, () => {
        this.consume(t.Comma)
        arg()
      })
    })
    this.consume(t.RightParen)
    return args
  })

  /** A value with members, methods and filters after it. */
  readonly filtered: Rule<[], Expression> = this.RULE('filtered', () => {
    let of = this.or<Expression>(0, [
      { ALT: () => this.subrule(this.literal) },
      { ALT: () => this.subrule(this.number) },
      { ALT: () => this.subrule(this.variable) },
      { ALT: () => this.subrule(this.group) },
    ])
    this.many(0, () => {
      of = this.or<Expression>(1, [
        { ALT: () => this.subrule(this.dotted, of) },
        { ALT: () => this.subrule(this.subscript, of) },
        { ALT: () => this.subrule(this.filter, of) },
      ])
    })
    return of
  })

  readonly dotted: Rule<[Expression], Expression> = this.RULE('dotted', (of: Expression) => {
    const token = this.consume(t.Dot)
    const name = this.subrule(this.name)
    const isMethod = this.option(0, () => {
      this.consume(t.LeftParen)
      this.consume(t.RightParen)
      return true
    })
    return this.ACTION(() =>
      isMethod === true
        ? { kind: 'method', of, name, offset: token.startOffset }
        : { kind: 'member', of, key: { kind: 'constant', value: name } },
    )
  })

  readonly subscript: Rule<[Expression], Expression> = this.RULE('subscript', (of: Expression) => {
    this.consume(t.LeftBracket)
    const key = this.nested(() => this.subrule(this.expression))
    this.consume(t.RightBracket)
    return { kind: 'member', of, key }
  })

  readonly filter: Rule<[Expression], Expression> = this.RULE('filter', (of: Expression) => {
    this.consume(t.Pipe)
    const token = this.consume(t.Word)
    const args = this.option(0, () => this.subrule(this.args)) ?? []
    return this.ACTION(() => {
      const name = token.image
      if (!filters.has(name)) this.#warn(`There is no filter \`${name}\`.`, token)
      return { kind: 'filter', of, name, args, offset: token.startOffset }
    })
  })

  readonly negative: Rule<[], Expression> = this.RULE('negative', () =>
    this.or<Expression>(0, [
      { ALT: () => this.subrule(this.filtered) },
      {
        ALT: () => {
          const token = this.consume(t.Minus)
          const of = this.nested(() => this.subrule(this.negative))
          return { kind: 'unary', op: '-', of, offset: token.startOffset }
        },
      },
    ]),
  )

  readonly product: Rule<[], Expression> = this.#chain('product', () => this.negative, t.products)
  readonly sum: Rule<[], Expression> = this.#chain('sum', () => this.product, [t.Plus, t.Minus])
  readonly comparison: Rule<[], Expression> = this.#chain('comparison', () => this.sum, [...t.comparisons, t.In])

  readonly negation: Rule<[], Expression> = this.RULE('negation', () =>
    this.or<Expression>(0, [
      { ALT: () => this.subrule(this.comparison) },
      {
        ALT: () => {
          const token = this.consume(t.Not)
          const of = this.nested(() => this.subrule(this.negation))
          return { kind: 'unary', op: 'not', of, offset: token.startOffset }
        },
      },
    ]),
  )

  readonly conjunction: Rule<[], Expression> = this.#chain('conjunction', () => this.negation, [t.And])
  readonly disjunction: Rule<[], Expression> = this.#chain('disjunction', () => this.conjunction, [t.Or])

  readonly expression: Rule<[], Expression> = this.RULE('expression', () => {
    const value = this.subrule(this.disjunction)
    const choice = this.option(0, () => {
      this.consume(t.If)
      const condition = this.subrule(this.disjunction)
      const otherwise = this.option(1, () => {
        this.consume(t.Else)
        return this.nested(() => this.subrule(this.expression))
      })
      return { condition, otherwise: otherwise ?? ({ kind: 'constant', value: '' } as const) }
    })
    return this.ACTION(() => (choice === undefined ? value : { kind: 'choice', value, ...choice }))
  })

  readonly text: Rule<[], Node> = this.RULE('text', () => {
    const token = this.consume(t.Text)
    return this.ACTION(() => ({ kind: 'text', text: trimText(token.image, this.LA(-1), this.LA(1)) }))
  })

  readonly comment: Rule<[], Node> = this.RULE('comment', () => {
    this.consume(t.Comment)
    return { kind: 'text', text: '' }
  })

  readonly otherStatement: Rule<[], Node> = this.RULE('otherStatement', () => {
    const token = this.consume(t.OtherStatement)
    return this.ACTION(() => {
      this.#warn(`The statement \`${token.image}\` is not supported.`, token)
      return { kind: 'text', text: token.image }
    })
  })

  readonly output: Rule<[], Node> = this.RULE('output', () => {
    const start = this.ACTION(() => this.startOffset())
    const warnings = this.ACTION(() => this.session.warnings)
    this.consume(t.Open)
    const expression = this.subrule(this.expression)
    this.consume(t.Close)
    return this.ACTION(() => {
      const { session } = this
      if (session.warnings === warnings) return { kind: 'output', expression }
      return { kind: 'text', text: session.source.slice(start, this.endOffset()) }
    })
  })

  readonly otherwise: Rule<[], Nodes> = this.RULE('otherwise', () => {
    this.consume(t.openings.else)
    this.consume(t.CloseStatement)
    return this.subrule(this.nodes)
  })

  readonly branch: Rule<[], Branch> = this.RULE('branch', () => {
    const condition = this.subrule(this.expression)
    this.consume(t.CloseStatement)
    return { condition, body: this.subrule(this.nodes) }
  })

  readonly if: Rule<[], Node> = this.RULE('if', () =>
    this.nested(() => {
      this.consume(t.openings.if)
      const branches = [this.subrule(this.branch)]
      this.many(0, () => {
        this.consume(t.openings.elif)
        branches.push(this.subrule(this.branch))
      })
      const otherwise = this.option(0, () => this.subrule(this.otherwise)) ?? []
      this.consume(t.openings.endif)
      this.consume(t.CloseStatement)
      return { kind: 'if', branches, otherwise }
    }),
  )

  readonly for: Rule<[], Node> = this.RULE('for', () =>
    this.nested(() => {
      this.consume(t.openings.for)
      const names = [this.subrule(this.name)]
      this.option(0, () => {
        this.consume(t.Comma)
        names.push(this.subrule(this.name))
      })
      this.consume(t.In)
      const over = this.subrule(this.expression)
      this.consume(t.CloseStatement)
      const outer = this.ACTION(() => this.session.names)
      this.ACTION(() => (this.session.names = [...outer, ...names]))
      const body = this.subrule(this.nodes)
      this.ACTION(() => (this.session.names = outer))
      const otherwise = this.option(1, () => this.subrule(this.otherwise)) ?? []
      this.consume(t.openings.endfor)
      this.consume(t.CloseStatement)
      return { kind: 'for', names, over, body, otherwise }
    }),
  )

  readonly nodes: Rule<[], Nodes> = this.RULE('nodes', () => {
    const nodes: Node[] = []
    this.many(0, () =>
      nodes.push(
        this.or<Node>(0, [
          { ALT: () => this.subrule(this.text) },
          { ALT: () => this.subrule(this.comment) },
          { ALT: () => this.subrule(this.otherStatement) },
          { ALT: () => this.subrule(this.output) },
          { ALT: () => this.subrule(this.if) },
          { ALT: () => this.subrule(this.for) },
        ]),
      ),
    )
    return nodes
  })

  readonly program: Rule<[], Nodes> = this.RULE('program', () =>
    this.attempt(
      () => {
        const nodes = this.subrule(this.nodes)
        this.expectNext([EOF])
        return nodes
      },
      () => [],
    ),
  )
}
