import { headOfTypes, type Head, type NamedRule, type Node } from './rule-tree.ts'
import { RECORDED, type Token, type TokenType } from './tokens.ts'

export interface Alternative<R> {
  readonly ALT: () => R
  readonly GATE?: () => boolean
  /** All that it may begin with, where that is known without running it. */
  readonly BEGINS?: readonly TokenType[] | undefined
}

type Body = () => unknown

/** A part that may be left out or come again. */
export interface Part {
  readonly index: number
  readonly body: Body
  /** All that it may begin with, where that is known without running it. */
  readonly begins: readonly TokenType[] | undefined
}

/** What happens at the places of a rule that runs without a text. */
export interface Recording {
  consume: (type: TokenType) => Token
  subrule: (rule: NamedRule) => void
  or: (index: number, alternatives: readonly Alternative<unknown>[]) => void
  option: (part: Part) => void
  repeat: (part: Part, min: 0 | 1) => void
}

/** Puts together what a rule is made of. */
export class TreeRecording implements Recording {
  #nodes: Node[] = []

  /** The nodes that a body reads. */
  nodesOf(body: Body): readonly Node[] {
    const outer = this.#nodes
    const inner: Node[] = []
    this.#nodes = inner
    try {
      body()
    } finally {
      this.#nodes = outer
    }
    return inner
  }

  consume(type: TokenType): Token {
    this.#nodes.push({ kind: 'token', type })
    return RECORDED
  }

  subrule(rule: NamedRule): void {
    this.#nodes.push({ kind: 'rule', rule })
  }

  or(index: number, alternatives: readonly Alternative<unknown>[]): void {
    const ways = alternatives.map(({ ALT, GATE, BEGINS }) => ({
      nodes: this.nodesOf(ALT),
      isGated: GATE !== undefined,
      begins: BEGINS && headOfTypes(BEGINS),
    }))
    this.#nodes.push({ kind: 'choice', index, ways })
  }

  option({ index, body, begins }: Part): void {
    this.#nodes.push({ kind: 'option', index, nodes: this.nodesOf(body), begins: begins && headOfTypes(begins) })
  }

  repeat({ index, body, begins }: Part, min: 0 | 1): void {
    this.#nodes.push({ kind: 'repeat', index, min, nodes: this.nodesOf(body), begins: begins && headOfTypes(begins) })
  }
}

/** Thrown behind the first token that a part cannot do without: what follows is not needed. */
class HeadEnd extends Error {}
const headEnd = new HeadEnd()

/** Finds what a rule may begin with, and runs no more of it. */
export class HeadRecording implements Recording {
  readonly #types = new Set<TokenType>()
  readonly #headOfRule: (rule: NamedRule) => Head

  constructor(headOfRule: (rule: NamedRule) => Head) {
    this.#headOfRule = headOfRule
  }

  headOf(body: Body): Head {
    const mayBeEmpty = this.#mayBeEmpty(body)
    return { types: this.#types, mayBeEmpty }
  }

  #mayBeEmpty(body: Body): boolean {
    try {
      body()
      return true
    } catch (error) {
      if (error !== headEnd) throw error
      return false
    }
  }

  consume(type: TokenType): never {
    this.#types.add(type)
    throw headEnd
  }

  subrule(rule: NamedRule): void {
    const { types, mayBeEmpty } = this.#headOfRule(rule)
    for (const type of types) this.#types.add(type)
    if (!mayBeEmpty) throw headEnd
  }

  or(_index: number, alternatives: readonly Alternative<unknown>[]): void {
    const isEmpty = alternatives.map(({ ALT, BEGINS }) => {
      for (const type of BEGINS ?? []) this.#types.add(type)
      return BEGINS === undefined && this.#mayBeEmpty(ALT)
    })
    if (!isEmpty.includes(true)) throw headEnd
  }

  option(part: Part): void {
    this.#mayPartBeEmpty(part)
  }

  repeat(part: Part, min: 0 | 1): void {
    if (!this.#mayPartBeEmpty(part) && min === 1) throw headEnd
  }

  #mayPartBeEmpty({ body, begins }: Part): boolean {
    if (begins === undefined) return this.#mayBeEmpty(body)
    for (const type of begins) this.#types.add(type)
    return false
  }
}
