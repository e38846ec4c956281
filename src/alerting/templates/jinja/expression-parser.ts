import type { Diagnostic, Span } from '../../../base/index.ts'
import {
  endToken,
  LanguageParser,
  type KitSession,
  type Mismatch,
  type Rule,
  type Token,
} from '../../../lang/kit/index.ts'
import { unquote } from '../../../lang/go-template/index.ts'
import { shown, templateDiagnostic } from '../../../lang/go-template/index.ts'
import type { GoValue } from '../../../functions/go-template/index.ts'
import type { Expansion, Expression } from './expansion.ts'
import { filters } from './filters.ts'
import * as t from './tokens.ts'
import { callMethod, compare, holds, isIn, memberOf } from './values.ts'

/** Parser state for one template. */
export interface JinjaSession extends KitSession {
  /** Names in scope at the current position. */
  names: readonly string[]
  /** Called for each unknown name or filter, with its offset in the template, UTF-16 units. */
  readonly warn: (message: string, offset: number) => void
}

const constants: ReadonlyMap<string, GoValue> = new Map([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
])

/** Applies one suffix to a value: a member, method or filter. */
type Step = (value: GoValue, expansion: Expansion) => GoValue

/** Grammar rules of expressions. Each rule returns a function that evaluates the parsed expression. */
export abstract class ExpressionParser extends LanguageParser<JinjaSession, Token> {
  constructor(isValidated: boolean) {
    const ignore = (): void => undefined
    super({ source: '', limits: { depth: 0 }, report: ignore, warn: ignore, names: [] }, endToken(), {
      vocabulary: t.vocabulary(),
      brackets: [[t.LeftParen, t.RightParen]],
      resumeAt: [],
      isValidated,
    })
  }

  explain({ token, expected }: Mismatch<Token>): Diagnostic {
    const labels = expected.map(({ LABEL, name }) => LABEL ?? name)
    return templateDiagnostic('unexpected', { found: token.image, expected: labels }, this.tokenSpan(token))
  }

  explainDepth(limit: number, where: Span): Diagnostic {
    return templateDiagnostic('too-deep', { limit }, where)
  }

  readonly name: Rule<[], string> = this.RULE('name', () => {
    const token = this.consume(t.Word)
    return this.ACTION(() => token.image)
  })

  readonly literal: Rule<[], GoValue> = this.RULE('literal', () => {
    const token = this.consume(t.Quoted)
    return this.ACTION(() => {
      const value = unquote(token.image, true)
      if (value !== undefined) return value
      const fault = `The string ${shown(token.image)} has an invalid escape.`
      this.fail(templateDiagnostic('bad-constant', { fault }, this.tokenSpan(token)))
    })
  })

  readonly number: Rule<[], GoValue> = this.RULE('number', () => {
    const token = this.consume(t.Numeral)
    return this.ACTION(() => (/^-?[0-9]+$/.test(token.image) ? BigInt(token.image) : Number(token.image)))
  })

  readonly variable: Rule<[], Expression> = this.RULE('variable', () => {
    const token = this.consume(t.Word)
    return this.ACTION<Expression>(() => {
      const name = token.image
      const constant = constants.get(name)
      if (constant !== undefined) return () => constant
      if (!this.session.names.includes(name)) {
        this.session.warn(`There is no variable \`${name}\`.`, token.startOffset)
      }
      return ({ names }) => names.get(name) ?? null
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
    this.consume(t.LeftParen)
    this.option(0, () => {
      args.push(this.nested(() => this.subrule(this.expression)))
      this.many(0, () => {
        this.consume(t.Comma)
        args.push(this.nested(() => this.subrule(this.expression)))
      })
    })
    this.consume(t.RightParen)
    return args
  })

  readonly dotted: Rule<[], Step> = this.RULE('dotted', () => {
    const token = this.consume(t.Dot)
    const name = this.subrule(this.name)
    const isMethod = this.option(0, () => {
      this.consume(t.LeftParen)
      this.consume(t.RightParen)
      return true
    })
    return this.ACTION(() => {
      const offset = token.startOffset
      return isMethod === true ? (value) => callMethod(value, name, offset) : (value) => memberOf(value, name)
    })
  })

  readonly subscript: Rule<[], Step> = this.RULE('subscript', () => {
    this.consume(t.LeftBracket)
    const key = this.nested(() => this.subrule(this.expression))
    this.consume(t.RightBracket)
    return (value, expansion) => memberOf(value, key(expansion))
  })

  readonly filter: Rule<[], Step> = this.RULE('filter', () => {
    this.consume(t.Pipe)
    const token = this.consume(t.Word)
    const args = this.option(0, () => this.subrule(this.args)) ?? []
    return this.ACTION<Step>(() => {
      const { image: name, startOffset: offset } = token
      if (!filters.has(name)) this.session.warn(`There is no filter \`${name}\`.`, offset)
      return (value, expansion) => {
        const given = args.map((arg) => arg(expansion))
        return expansion.filter(name, value, given, offset)
      }
    })
  })

  /** A value with its suffixes: members, methods and filters. */
  readonly operand: Rule<[], Expression> = this.RULE('operand', () => {
    const constant =
      (value: GoValue): Expression =>
      () =>
        value
    const start = this.or<Expression>(0, [
      { ALT: () => constant(this.subrule(this.literal)) },
      { ALT: () => constant(this.subrule(this.number)) },
      { ALT: () => this.subrule(this.variable) },
      { ALT: () => this.subrule(this.group) },
    ])
    const steps: Step[] = []
    this.many(0, () =>
      steps.push(
        this.or<Step>(1, [
          { ALT: () => this.subrule(this.dotted) },
          { ALT: () => this.subrule(this.subscript) },
          { ALT: () => this.subrule(this.filter) },
        ]),
      ),
    )
    return (expansion) => {
      let value = start(expansion)
      for (const step of steps) value = step(value, expansion)
      return value
    }
  })

  readonly comparison: Rule<[], Expression> = this.RULE('comparison', () => {
    const left = this.subrule(this.operand)
    const test = this.option(0, () => {
      const token = this.or(0, [{ ALT: () => this.consume(t.Comparison) }, { ALT: () => this.consume(t.In) }])
      return { token, right: this.subrule(this.operand) }
    })
    return this.ACTION(() => {
      if (test === undefined) return left
      const { token, right } = test
      const { image: op, startOffset: offset } = token
      if (op === 'in') return (expansion) => isIn(left(expansion), right(expansion))
      return (expansion) => compare(op, left(expansion), right(expansion), offset)
    })
  })

  readonly negation: Rule<[], Expression> = this.RULE('negation', () =>
    this.or<Expression>(0, [
      { ALT: () => this.subrule(this.comparison) },
      {
        ALT: () => {
          this.consume(t.Not)
          const inner = this.nested(() => this.subrule(this.negation))
          return (expansion) => !holds(inner(expansion))
        },
      },
    ]),
  )

  readonly conjunction: Rule<[], Expression> = this.RULE('conjunction', () => {
    const parts = [this.subrule(this.negation)]
    this.many(0, () => {
      this.consume(t.And)
      parts.push(this.subrule(this.negation))
    })
    return this.ACTION(() => deciding(parts, false))
  })

  readonly disjunction: Rule<[], Expression> = this.RULE('disjunction', () => {
    const parts = [this.subrule(this.conjunction)]
    this.many(0, () => {
      this.consume(t.Or)
      parts.push(this.subrule(this.conjunction))
    })
    return this.ACTION(() => deciding(parts, true))
  })

  /** A value, or the choice `value if condition else other`. */
  readonly expression: Rule<[], Expression> = this.RULE('expression', () => {
    const value = this.subrule(this.disjunction)
    const choice = this.option(0, () => {
      this.consume(t.If)
      const condition = this.subrule(this.disjunction)
      const otherwise = this.option(1, () => {
        this.consume(t.Else)
        return this.nested(() => this.subrule(this.expression))
      })
      return { condition, otherwise }
    })
    return this.ACTION(() => {
      if (choice === undefined) return value
      const { condition, otherwise } = choice
      return (expansion) => (holds(condition(expansion)) ? value(expansion) : (otherwise?.(expansion) ?? null))
    })
  })
}

/**
 * Compiles `and` or `or`. The result is the first operand whose truth value is `decides` (`false` for `and`, `true` for
 * `or`), otherwise the last operand.
 */
function deciding(parts: readonly Expression[], decides: boolean): Expression {
  return (expansion) => {
    let value: GoValue = null
    for (const part of parts) {
      value = part(expansion)
      if (holds(value) === decides) break
    }
    return value
  }
}
