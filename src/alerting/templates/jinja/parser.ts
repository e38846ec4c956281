import { EOF, type Rule } from '../../../lang/kit/index.ts'
import { trimText } from '../../../lang/go-template/index.ts'
import { isList, type GoValue } from '../../../functions/go-template/index.ts'
import type { Expression, JinjaStatement } from './expansion.ts'
import { ExpressionParser } from './expression-parser.ts'
import * as t from './tokens.ts'
import { holds, membersOf, textOf } from './values.ts'

interface Branch {
  readonly condition: Expression
  readonly body: JinjaStatement
}

function write(text: string): JinjaStatement {
  return (expansion) => expansion.write(text)
}

/** Binds the variables of a `for` to a value, or to its members if there are several variables. */
function bindingsOf(names: readonly string[], value: GoValue): readonly (readonly [string, GoValue])[] {
  const members = names.length === 1 ? [value] : isList(value) ? value : []
  return names.map((name, i) => [name, members[i] ?? null])
}

/** Grammar rules of texts and statements. Each returns a function that writes the output of what it has parsed. */
export class JinjaParser extends ExpressionParser {
  constructor(isValidated = false) {
    super(isValidated)
    this.build()
  }

  readonly text: Rule<[], JinjaStatement> = this.RULE('text', () => {
    const token = this.consume(t.Text)
    return this.ACTION(() => write(trimText(token.image, this.LA(-1), this.LA(1))))
  })

  readonly comment: Rule<[], JinjaStatement> = this.RULE('comment', () => {
    this.consume(t.Comment)
    return write('')
  })

  readonly otherStatement: Rule<[], JinjaStatement> = this.RULE('otherStatement', () => {
    const token = this.consume(t.OtherStatement)
    return this.ACTION(() => {
      this.session.warn(`The statement \`${token.image}\` is not supported.`, token.startOffset)
      return write(token.image)
    })
  })

  /** Parses an output expression. If it has an unknown name or filter, it is copied to the output unchanged. */
  readonly output: Rule<[], JinjaStatement> = this.RULE('output', () => {
    const start = this.ACTION(() => this.startOffset())
    const { session } = this
    let isKnown = true
    this.ACTION(() => {
      const warn = (message: string, offset: number): void => {
        isKnown = false
        session.warn(message, offset)
      }
      this.session = { ...session, warn }
    })
    this.consume(t.Open)
    const value = this.subrule(this.expression)
    this.consume(t.Close)
    return this.ACTION(() => {
      this.session = session
      if (!isKnown) return write(session.source.slice(start, this.endOffset()))
      return (expansion) => expansion.write(textOf(value(expansion)))
    })
  })

  readonly otherwise: Rule<[], JinjaStatement> = this.RULE('otherwise', () => {
    this.consume(t.openings.else)
    this.consume(t.CloseStatement)
    return this.subrule(this.statements)
  })

  readonly branch: Rule<[], Branch> = this.RULE('branch', () => {
    const condition = this.subrule(this.expression)
    this.consume(t.CloseStatement)
    return { condition, body: this.subrule(this.statements) }
  })

  readonly if: Rule<[], JinjaStatement> = this.RULE('if', () =>
    this.nested(() => {
      this.consume(t.openings.if)
      const branches = [this.subrule(this.branch)]
      this.many(0, () => {
        this.consume(t.openings.elif)
        branches.push(this.subrule(this.branch))
      })
      const otherwise = this.option(0, () => this.subrule(this.otherwise))
      this.consume(t.openings.endif)
      this.consume(t.CloseStatement)
      return (expansion) => {
        const chosen = branches.find(({ condition }) => holds(condition(expansion)))
        ;(chosen?.body ?? otherwise)?.(expansion)
      }
    }),
  )

  readonly for: Rule<[], JinjaStatement> = this.RULE('for', () =>
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
      const body = this.subrule(this.statements)
      this.ACTION(() => (this.session.names = outer))
      const otherwise = this.option(1, () => this.subrule(this.otherwise))
      this.consume(t.openings.endfor)
      this.consume(t.CloseStatement)
      return (expansion) => {
        const members = membersOf(over(expansion))
        for (const member of members) expansion.runWith(bindingsOf(names, member), body)
        if (members.length === 0) otherwise?.(expansion)
      }
    }),
  )

  readonly statements: Rule<[], JinjaStatement> = this.RULE('statements', () => {
    const list: JinjaStatement[] = []
    this.many(0, () =>
      list.push(
        this.or<JinjaStatement>(0, [
          { ALT: () => this.subrule(this.text) },
          { ALT: () => this.subrule(this.comment) },
          { ALT: () => this.subrule(this.otherStatement) },
          { ALT: () => this.subrule(this.output) },
          { ALT: () => this.subrule(this.if) },
          { ALT: () => this.subrule(this.for) },
        ]),
      ),
    )
    return (expansion) => {
      for (const statement of list) {
        expansion.budget.step()
        statement(expansion)
      }
    }
  })

  readonly program: Rule<[], JinjaStatement> = this.RULE('program', () =>
    this.attempt(
      () => {
        const statements = this.subrule(this.statements)
        this.expectNext([EOF])
        return statements
      },
      () => write(''),
    ),
  )
}
