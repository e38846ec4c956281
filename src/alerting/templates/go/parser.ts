import { nearestNames, span, type Diagnostic, type Span } from '../../../base/index.ts'
import {
  EOF,
  endToken,
  LanguageParser,
  type KitSession,
  type Mismatch,
  type Rule,
  type Token,
} from '../../../lang/kit/index.ts'
import { templateFunctions } from '../functions/index.ts'
import { templateDiagnostic, trimText } from '../tokens.ts'
import type { Base, Branch, Command, Node, Nodes, Operand, Pipeline, Program } from './ast.ts'
import { readChar, readNumber, unquote } from './literals.ts'
import * as t from './tokens.ts'

/** Parse state of one template. */
export interface GoSession extends KitSession {
  /** Variables that are declared at the current position, outermost first. */
  variables: string[]
  /** Number of `range` blocks around the current position. */
  rangeDepth: number
  readonly definitions: Map<string, Nodes>
}

/** Variables that every template starts with: the data, and Prometheus's names for its parts. */
export const initialVariables: readonly string[] = [
  '$',
  '$labels',
  '$externalLabels',
  '$externalURL',
  '$value',
  '$values',
]

/** Returns the state for parsing a template; `report` receives the first error. */
export function goSession(source: string, depth: number, report: (diagnostic: Diagnostic) => void): GoSession {
  return { source, limits: { depth }, report, variables: [...initialVariables], rangeDepth: 0, definitions: new Map() }
}

/** Functions whose arguments the interpreter evaluates itself. */
const lazyFunctions: ReadonlySet<string> = new Set(['and', 'or'])

export class GoParser extends LanguageParser<GoSession, Token> {
  constructor(isValidated = false) {
    super(
      goSession('', 0, () => undefined),
      endToken(),
      {
        vocabulary: t.vocabulary(),
        brackets: [[t.LeftParen, t.RightParen]],
        resumeAt: [],
        isValidated,
      },
    )
    this.build()
  }

  explain({ token, expected }: Mismatch<Token>): Diagnostic {
    const labels = expected.map(({ LABEL, name }) => LABEL ?? name)
    return templateDiagnostic('unexpected', { found: token.image, expected: labels }, this.tokenSpan(token))
  }

  explainDepth(limit: number, where: Span): Diagnostic {
    return templateDiagnostic('too-deep', { limit }, where)
  }

  #refuse(fault: string, token: Token): never {
    this.fail(templateDiagnostic('bad-constant', { fault }, this.tokenSpan(token)))
  }

  /** Parses a template that another one can call: it sees no variable of its surroundings. */
  #isolated<R>(read: () => R): R {
    const { session } = this
    const outer = this.ACTION(() => ({ variables: session.variables, rangeDepth: session.rangeDepth }))
    this.ACTION(() => Object.assign(session, { variables: ['$'], rangeDepth: 0 }))
    const result = read()
    this.ACTION(() => Object.assign(session, outer))
    return result
  }

  /** Parses a block; its variables end with it. */
  #scoped<R>(read: () => R): R {
    const count = this.ACTION(() => this.session.variables.length)
    const result = this.nested(read)
    this.ACTION(() => (this.session.variables.length = count))
    return result
  }

  #define(name: string, nodes: Nodes, offset: number): void {
    const { definitions } = this.session
    const isEmpty = (list: Nodes): boolean => list.every((node) => node.kind === 'text' && node.text.trim() === '')
    const known = definitions.get(name)
    if (known === undefined || isEmpty(known)) definitions.set(name, nodes)
    else if (!isEmpty(nodes)) this.fail(templateDiagnostic('defined-twice', { name }, span(offset, offset)))
  }

  readonly literal: Rule<[], string> = this.RULE('literal', () => {
    const token = this.consume(t.Quoted)
    return this.ACTION(
      () => unquote(token.image) ?? this.#refuse(`The string ${token.image} has an invalid escape.`, token),
    )
  })

  readonly number: Rule<[], bigint | number> = this.RULE('number', () => {
    const token = this.consume(t.Numeral)
    return this.ACTION(() => {
      const read = readNumber(token.image)
      return 'value' in read ? read.value : this.#refuse(read.fault, token)
    })
  })

  readonly character: Rule<[], bigint> = this.RULE('character', () => {
    const token = this.consume(t.Char)
    return this.ACTION(() => readChar(token.image) ?? this.#refuse(`${token.image} is not one character.`, token))
  })

  readonly constant: Rule<[], Base> = this.RULE('constant', () => {
    const constant = (value: string | boolean | bigint | number): Base => ({ kind: 'constant', value })
    return this.or(0, [
      { ALT: () => constant(this.subrule(this.literal)) },
      { ALT: () => constant(this.subrule(this.number)) },
      { ALT: () => constant(this.subrule(this.character)) },
      { ALT: () => (this.consume(t.True), constant(true)) },
      { ALT: () => (this.consume(t.False), constant(false)) },
      { ALT: () => (this.consume(t.Nil), { kind: 'nil' } as const) },
      { ALT: () => (this.consume(t.Dot), { kind: 'dot' } as const) },
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
      if (!templateFunctions.has(name) && !lazyFunctions.has(name)) {
        const near = nearestNames(name, [...templateFunctions.keys(), ...lazyFunctions])
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

  /** An operand that may have fields and may stand after `|`. */
  readonly executable: Rule<[], Operand> = this.RULE('executable', () => {
    const offset = this.ACTION(() => this.startOffset())
    const fields: string[] = []
    const field = (): unknown => {
      const token = this.consume(t.Field)
      return this.ACTION(() => fields.push(token.image.slice(1)))
    }
    const base = this.or<Base>(0, [
      { ALT: () => (field(), { kind: 'dot' } as const) },
      { ALT: () => this.subrule(this.variable) },
      { ALT: () => this.subrule(this.functionName) },
      { ALT: () => this.subrule(this.parenthesized) },
    ])
    this.many(0, { GATE: () => this.touches(), DEF: field })
    return { base, fields, offset }
  })

  readonly operand: Rule<[], Operand> = this.RULE('operand', () => {
    const offset = this.ACTION(() => this.startOffset())
    return this.or<Operand>(0, [
      { ALT: () => this.subrule(this.executable) },
      { ALT: () => ({ base: this.subrule(this.constant), fields: [], offset }) },
    ])
  })

  /** Further operands of a command; white space must stand before each. */
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

  /** The variables of a pipeline with `:=` or `=`; returns true for `=`. */
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

  /** A pipeline; that of a `range` may declare two variables. */
  readonly pipeline: Rule<[isRange: boolean], Pipeline> = this.RULE('pipeline', (isRange: boolean) => {
    const offset = this.ACTION(() => this.startOffset())
    const variables: string[] = []
    const isAssignment = this.option(0, {
      GATE: () => this.isNextOneOf(isRange ? [t.Declare, t.Assign, t.Comma] : [t.Declare, t.Assign], 2),
      DEF: () => this.subrule(this.declaration, variables),
    })
    const commands = [this.subrule(this.firstCommand)]
    this.many(0, () => {
      this.consume(t.Pipe)
      commands.push(this.subrule(this.nextCommand))
    })
    return { variables, isAssignment: isAssignment === true, commands, offset }
  })

  readonly text: Rule<[], Node> = this.RULE('text', () => {
    const token = this.consume(t.Text)
    return this.ACTION(() => {
      const text = trimText(token.image, this.LA(-1), this.LA(1))
      return { kind: 'text', text }
    })
  })

  readonly comment: Rule<[], Node> = this.RULE('comment', () => {
    this.consume(t.Comment)
    return { kind: 'text', text: '' }
  })

  readonly output: Rule<[], Node> = this.RULE('output', () => {
    this.consume(t.Open)
    const pipeline = this.subrule(this.pipeline, false)
    this.consume(t.Close)
    return { kind: 'output', pipeline }
  })

  readonly end: Rule<[], void> = this.RULE('end', () => {
    this.consume(t.openings.end)
    this.consume(t.Close)
  })

  readonly otherwise: Rule<[], Nodes> = this.RULE('otherwise', () => {
    this.consume(t.openings.else)
    this.consume(t.Close)
    return this.subrule(this.nodes)
  })

  readonly branch: Rule<[], Branch> = this.RULE('branch', () => {
    const condition = this.subrule(this.pipeline, false)
    this.consume(t.Close)
    return { condition, body: this.subrule(this.nodes) }
  })

  #condition(kind: 'if' | 'with'): Rule<[], Node> {
    return this.RULE(kind, () =>
      this.#scoped(() => {
        this.consume(t.openings[kind])
        const branches = [this.subrule(this.branch)]
        this.many(0, () => {
          this.consume(t.openings[`else ${kind}`])
          branches.push(this.subrule(this.branch))
        })
        const otherwise = this.option(0, () => this.subrule(this.otherwise)) ?? []
        this.subrule(this.end)
        return { kind, branches, otherwise }
      }),
    )
  }

  readonly if: Rule<[], Node> = this.#condition('if')
  readonly with: Rule<[], Node> = this.#condition('with')

  readonly range: Rule<[], Node> = this.RULE('range', () =>
    this.#scoped(() => {
      this.consume(t.openings.range)
      const over = this.subrule(this.pipeline, true)
      this.consume(t.Close)
      this.ACTION(() => this.session.rangeDepth++)
      const body = this.subrule(this.nodes)
      this.ACTION(() => this.session.rangeDepth--)
      const otherwise = this.option(0, () => this.subrule(this.otherwise)) ?? []
      this.subrule(this.end)
      return { kind: 'range', over, body, otherwise }
    }),
  )

  #jump(kind: 'break' | 'continue'): Rule<[], Node> {
    return this.RULE(kind, () => {
      const token = this.consume(t.openings[kind])
      this.consume(t.Close)
      return this.ACTION(() => {
        if (this.session.rangeDepth > 0) return { kind }
        this.fail(templateDiagnostic('outside-range', { word: kind }, this.tokenSpan(token)))
      })
    })
  }

  readonly break: Rule<[], Node> = this.#jump('break')
  readonly continue: Rule<[], Node> = this.#jump('continue')

  readonly template: Rule<[], Node> = this.RULE('template', () => {
    const offset = this.ACTION(() => this.startOffset())
    this.consume(t.openings.template)
    const name = this.subrule(this.literal)
    const data = this.option(0, () => this.subrule(this.pipeline, false))
    this.consume(t.Close)
    return { kind: 'template', name, data, offset }
  })

  readonly block: Rule<[], Node> = this.RULE('block', () => {
    const offset = this.ACTION(() => this.startOffset())
    this.consume(t.openings.block)
    const name = this.subrule(this.literal)
    const data = this.subrule(this.pipeline, false)
    this.consume(t.Close)
    const nodes = this.#isolated(() => this.nested(() => this.subrule(this.nodes)))
    this.subrule(this.end)
    this.ACTION(() => this.#define(name, nodes, offset))
    return { kind: 'template', name, data, offset }
  })

  readonly define: Rule<[], void> = this.RULE('define', () => {
    const offset = this.ACTION(() => this.startOffset())
    this.consume(t.openings.define)
    const name = this.subrule(this.literal)
    this.consume(t.Close)
    const nodes = this.#isolated(() => this.nested(() => this.subrule(this.nodes)))
    this.subrule(this.end)
    this.ACTION(() => this.#define(name, nodes, offset))
  })

  readonly node: Rule<[], Node> = this.RULE('node', () =>
    this.or(0, [
      { ALT: () => this.subrule(this.text) },
      { ALT: () => this.subrule(this.comment) },
      { ALT: () => this.subrule(this.output) },
      { ALT: () => this.subrule(this.if) },
      { ALT: () => this.subrule(this.with) },
      { ALT: () => this.subrule(this.range) },
      { ALT: () => this.subrule(this.break) },
      { ALT: () => this.subrule(this.continue) },
      { ALT: () => this.subrule(this.template) },
      { ALT: () => this.subrule(this.block) },
    ]),
  )

  readonly nodes: Rule<[], Nodes> = this.RULE('nodes', () => {
    const nodes: Node[] = []
    this.many(0, () => nodes.push(this.subrule(this.node)))
    return nodes
  })

  readonly program: Rule<[], Program> = this.RULE('program', () =>
    this.attempt(
      () => {
        const nodes: Node[] = []
        this.many(0, () =>
          this.or(0, [{ ALT: () => this.subrule(this.define) }, { ALT: () => nodes.push(this.subrule(this.node)) }]),
        )
        this.expectNext([EOF])
        return { nodes, definitions: this.session.definitions }
      },
      () => ({ nodes: [], definitions: new Map() }),
    ),
  )
}
