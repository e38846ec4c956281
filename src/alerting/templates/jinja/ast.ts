/** The nodes of a Jinja template. Every `offset` is in UTF-16 units of the source. */
export type Node = TextNode | OutputNode | IfNode | ForNode

export type Nodes = readonly Node[]

export interface TextNode {
  readonly kind: 'text'
  readonly text: string
}

export interface OutputNode {
  readonly kind: 'output'
  readonly expression: Expression
}

export interface Branch {
  readonly condition: Expression
  readonly body: Nodes
}

export interface IfNode {
  readonly kind: 'if'
  readonly branches: readonly Branch[]
  readonly otherwise: Nodes
}

export interface ForNode {
  readonly kind: 'for'
  /** One or two variables. */
  readonly names: readonly string[]
  readonly over: Expression
  readonly body: Nodes
  readonly otherwise: Nodes
}

export type Expression =
  | { readonly kind: 'constant'; readonly value: string | boolean | bigint | number | null }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'member'; readonly of: Expression; readonly key: Expression }
  | { readonly kind: 'method'; readonly of: Expression; readonly name: string; readonly offset: number }
  | {
      readonly kind: 'filter'
      readonly of: Expression
      readonly name: string
      readonly args: readonly Expression[]
      readonly offset: number
    }
  | { readonly kind: 'unary'; readonly op: 'not' | '-'; readonly of: Expression; readonly offset: number }
  | {
      readonly kind: 'binary'
      readonly op: string
      readonly left: Expression
      readonly right: Expression
      readonly offset: number
    }
  | {
      readonly kind: 'choice'
      readonly condition: Expression
      readonly value: Expression
      readonly otherwise: Expression
    }
