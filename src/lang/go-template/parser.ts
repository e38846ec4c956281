import { span } from '../../base/index.ts'
import { EOF, type Rule } from '../kit/index.ts'
import { templateDiagnostic, trimText } from './lexing.ts'
import type { Branch, Node, Nodes, Program } from '../../functions/go-template/index.ts'
import { PipelineParser } from './pipeline-parser.ts'
import * as t from './tokens.ts'

/** The grammar rules for texts, actions and blocks. */
export class GoParser extends PipelineParser {
  constructor(isValidated = false) {
    super(isValidated)
    this.build()
  }

  /** Runs `read` on the body of a named template. Only the variable `$` is visible there, and no `range` is open. */
  #isolated<R>(read: () => R): R {
    const { session } = this
    const outer = this.ACTION(() => ({ variables: session.variables, rangeDepth: session.rangeDepth }))
    this.ACTION(() => Object.assign(session, { variables: ['$'], rangeDepth: 0 }))
    const result = read()
    this.ACTION(() => Object.assign(session, outer))
    return result
  }

  /** Runs `read` on a block, one nesting level deeper. Variables declared in the block end with it. */
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
        return { nodes, definitions: this.ACTION(() => [...this.session.definitions]) }
      },
      () => ({ nodes: [], definitions: [] }),
    ),
  )
}
