import { nearestNames, type Diagnostic, type Span } from '../../base/index.ts'
import {
  endToken,
  LanguageParser,
  type KitSession,
  type Mismatch,
  type Rule,
  type Token,
  type TokenType,
} from '../kit/index.ts'
import { shown, templateDiagnostic } from './lexing.ts'
import type { Base, Command, Nodes, Operand, Pipeline } from '../../functions/go-template/index.ts'
import { readChar, readNumber, unquote } from './literals.ts'
import * as t from './tokens.ts'

/** Parse state of one template. */
export interface GoSession extends KitSession {
  readonly functions: GoTemplateOptions['functions']
  /** Variables in scope, outermost first. */
  variables: string[]
  /** Number of enclosing `range` blocks. */
  rangeDepth: number
  readonly definitions: Map<string, Nodes>
}

/** The functions that a template may call, and the limit on nesting. */
export interface GoTemplateOptions {
  /** Names of the callable functions, except `and` and `or`, which always exist. */
  readonly functions: { has(name: string): boolean; keys(): Iterable<string> }
  /** Variables that exist at the start of the template. */
  readonly variables: readonly string[]
  readonly depth: number
  /** Called with the first error. */
  readonly report: (diagnostic: Diagnostic) => void
}

/** Returns the initial state for parsing a template. */
export function goSession(source: string, { functions, variables, depth, report }: GoTemplateOptions): GoSession {
  return {
    source,
    limits: { depth },
    report,
    functions,
    variables: [...variables],
    rangeDepth: 0,
    definitions: new Map(),
  }
}

/** Functions whose arguments the interpreter evaluates itself. */
const lazyFunctions: ReadonlySet<string> = new Set(['and', 'or'])

/** The rules for pipelines. */
export abstract class PipelineParser extends LanguageParser<GoSession, Token> {
  constructor(isValidated: boolean) {
    super(
      goSession('', { functions: new Set<string>(), variables: [], depth: 0, report: () => undefined }),
      endToken(),
      {
        vocabulary: t.vocabulary(),
        brackets: [[t.LeftParen, t.RightParen]],
        resumeAt: [],
        isValidated,
      },
    )
  }

  explain({ token, expected }: Mismatch<Token>): Diagnostic {
    const { image, tokenType } = token
    const where = this.tokenSpan(token)
    if (tokenType === t.Unended) return templateDiagnostic('no-end', { name: image }, where)
    if (tokenType === t.OpenComment) return templateDiagnostic('not-closed', { what: 'comment' }, where)
    if (tokenType === t.Stray && /["'`]/.test(image)) {
      return templateDiagnostic('not-closed', { what: 'string' }, where)
    }
    const labels = expected.map(({ LABEL, name }) => LABEL ?? name)
    return templateDiagnostic('unexpected', { found: image, expected: labels }, where)
  }

  explainDepth(limit: number, where: Span): Diagnostic {
    return templateDiagnostic('too-deep', { limit }, where)
  }

  #refuse(fault: string, token: Token): never {
    this.fail(templateDiagnostic('bad-constant', { fault }, this.tokenSpan(token)))
  }

  readonly literal: Rule<[], string> = this.RULE('literal', () => {
    const token = this.consume(t.Quoted)
    return this.ACTION(
      () => unquote(token.image) ?? this.#refuse(`The string ${shown(token.image)} has an invalid escape.`, token),
    )
  })

  readonly constant: Rule<[], Base> = this.RULE('constant', () => {
    const constant = (type: TokenType, read: (token: Token) => string | boolean | bigint | number): Base => {
      const token = this.consume(type)
      return this.ACTION(() => {
        const value = read(token)
        const text = token.image
        return typeof value === 'bigint'
          ? { kind: 'integer', digits: String(value), text }
          : { kind: 'constant', value, text }
      })
    }
    const number = (token: Token): bigint | number => {
      const read = readNumber(token.image)
      return 'value' in read ? read.value : this.#refuse(read.fault, token)
    }
    const character = (token: Token): bigint =>
      readChar(token.image) ?? this.#refuse(`${shown(token.image)} is not one character.`, token)
    const string = (): Base => {
      const value = this.subrule(this.literal)
      return this.ACTION(() => ({ kind: 'constant', value, text: this.LA(0).image }))
    }
    return this.or<Base>(0, [
      { ALT: string },
      { ALT: () => constant(t.Numeral, number) },
      { ALT: () => constant(t.Char, character) },
      { ALT: () => constant(t.True, () => true) },
      { ALT: () => constant(t.False, () => false) },
      { ALT: () => (this.consume(t.Nil), { kind: 'nil' }) },
      { ALT: () => (this.consume(t.Dot), { kind: 'dot' }) },
    ])
  })

  readonly variable: Rule<[], Base> = this.RULE('variable', () => {
    const token = this.consume(t.Variable)
    return this.ACTION(() => {
      const name = token.image
      if (!this.session.variables.includes(name)) {
        this.fail(templateDiagnostic('unknown-variable', { name }, this.tokenSpan(token)))
      }
      return { kind: 'variable', name }
    })
  })

  readonly functionName: Rule<[], Base> = this.RULE('functionName', () => {
    const token = this.consume(t.Word)
    return this.ACTION(() => {
      const name = token.image
      const { functions } = this.session
      if (!functions.has(name) && !lazyFunctions.has(name)) {
        const near = nearestNames(name, [...functions.keys(), ...lazyFunctions])
        this.fail(templateDiagnostic('unknown-function', { name, near }, this.tokenSpan(token)))
      }
      return { kind: 'function', name }
    })
  })

  readonly parenthesized: Rule<[], Base> = this.RULE('parenthesized', () => {
    this.consume(t.LeftParen)
    const pipeline = this.nested(() => this.subrule(this.pipeline, false))
    this.consume(t.RightParen)
    return { kind: 'pipeline', pipeline }
  })

  /** Rule for an operand that may have fields and may follow `|`. */
  readonly executable: Rule<[], Operand> = this.RULE('executable', () => {
    const offset = this.ACTION(() => this.startOffset())
    const fields: string[] = []
    const field = (): unknown => {
      const token = this.consume(t.Field)
      return this.ACTION(() => fields.push(token.image.slice(1)))
    }
    const base = this.or<Base>(0, [
      { ALT: () => (field(), { kind: 'dot' }) },
      { ALT: () => this.subrule(this.variable) },
      { ALT: () => this.subrule(this.functionName) },
      { ALT: () => this.subrule(this.parenthesized) },
    ])
    const goOffset = this.ACTION(() => (this.isNext(t.Field) && this.touches() ? this.startOffset() : offset))
    this.many(0, { GATE: () => this.touches(), DEF: field })
    return { base, fields, offset, goOffset }
  })

  readonly operand: Rule<[], Operand> = this.RULE('operand', () => {
    const offset = this.ACTION(() => this.startOffset())
    return this.or<Operand>(0, [
      { ALT: () => this.subrule(this.executable) },
      { ALT: () => ({ base: this.subrule(this.constant), fields: [], offset, goOffset: offset }) },
    ])
  })

  /** Parses the further operands of a command, each of which must follow white space. */
  #operandsAfter(first: Operand): Command {
    const operands = [first]
    this.many(0, { GATE: () => !this.touches(), DEF: () => operands.push(this.subrule(this.operand)) })
    return { operands, offset: this.ACTION(() => first.offset) }
  }

  readonly firstCommand: Rule<[], Command> = this.RULE('firstCommand', () =>
    this.#operandsAfter(this.subrule(this.operand)),
  )

  readonly nextCommand: Rule<[], Command> = this.RULE('nextCommand', () =>
    this.#operandsAfter(this.subrule(this.executable)),
  )

  /** Rule for the `:=` or `=` after a pipeline's variables. Declares the names for `:=`; returns true for `=`. */
  readonly declaration: Rule<[string[]], boolean> = this.RULE('declaration', (names: string[]) => {
    const declare = (): unknown => {
      const token = this.consume(t.Variable)
      return this.ACTION(() => names.push(token.image))
    }
    declare()
    this.option(0, () => {
      this.consume(t.Comma)
      declare()
    })
    const token = this.or(0, [{ ALT: () => this.consume(t.Declare) }, { ALT: () => this.consume(t.Assign) }])
    return this.ACTION(() => {
      this.session.variables.push(...names)
      return token.tokenType === t.Assign
    })
  })

  /** Rule for a pipeline. In a `range`, the pipeline may declare two variables. */
  readonly pipeline: Rule<[isRange: boolean], Pipeline> = this.RULE('pipeline', (isRange: boolean) => {
    const offset = this.ACTION(() => this.startOffset())
    const variables: string[] = []
    const isAssignment = this.option(0, {
      GATE: () => this.isNextOneOf(isRange ? [t.Declare, t.Assign, t.Comma] : [t.Declare, t.Assign], 2),
      DEF: () => this.subrule(this.declaration, variables),
    })
    const commands = [this.subrule(this.firstCommand)]
    this.many(0, {
      GATE: () => !this.isNextOneOf([t.Close, t.RightParen], 2),
      DEF: () => {
        this.consume(t.Pipe)
        commands.push(this.subrule(this.nextCommand))
      },
    })
    // Go accepts a trailing pipe.
    this.option(1, () => this.consume(t.Pipe))
    return { variables, isAssignment: isAssignment === true, commands, offset }
  })
}
