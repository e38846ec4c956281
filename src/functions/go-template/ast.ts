/** A node of a template, as plain data that JSON can represent. Every `offset` counts UTF-16 units of the source. */
export type Node = TextNode | OutputNode | ConditionNode | RangeNode | CallNode | JumpNode

export type Nodes = readonly Node[]

export interface TextNode {
  readonly kind: 'text'
  readonly text: string
}

/** An action: outputs the value of a pipeline, or sets a variable. */
export interface OutputNode {
  readonly kind: 'output'
  readonly pipeline: Pipeline
}

export interface Branch {
  readonly condition: Pipeline
  readonly body: Nodes
}

/** `if` or `with`, including its `else if` or `else with` branches. */
export interface ConditionNode {
  readonly kind: 'if' | 'with'
  readonly branches: readonly Branch[]
  readonly otherwise: Nodes
}

export interface RangeNode {
  readonly kind: 'range'
  readonly over: Pipeline
  readonly body: Nodes
  readonly otherwise: Nodes
}

/** Expands another template: `template` or `block`. */
export interface CallNode {
  readonly kind: 'template'
  readonly name: string
  readonly data: Pipeline | undefined
  readonly offset: number
}

export interface JumpNode {
  readonly kind: 'break' | 'continue'
}

export interface Pipeline {
  readonly variables: readonly string[]
  /** True for `=`, which sets existing variables; false for `:=`, which declares them. */
  readonly isAssignment: boolean
  /** Commands joined by `|`. The value of each command becomes the last argument of the next one. */
  readonly commands: readonly Command[]
  readonly offset: number
}

/** One operand, or a function or method with its arguments. */
export interface Command {
  readonly operands: readonly Operand[]
  readonly offset: number
}

export interface Operand {
  readonly base: Base
  /** Names of fields, keys and methods after the operand, from left to right. */
  readonly fields: readonly string[]
  readonly offset: number
  /** Offset that Go reports for the operand: the offset of its first field, else `offset`. */
  readonly goOffset: number
}

export type Base =
  | { readonly kind: 'dot' }
  | { readonly kind: 'nil' }
  /** A literal. `text` is its source text. */
  | { readonly kind: 'constant'; readonly value: string | boolean | number; readonly text: string }
  /** An integer or character literal. `digits` is its value in decimal. */
  | { readonly kind: 'integer'; readonly digits: string; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'function'; readonly name: string }
  | { readonly kind: 'pipeline'; readonly pipeline: Pipeline }

/** A parsed template: its own nodes, and the named templates that it defines. */
export interface Program {
  readonly nodes: Nodes
  readonly definitions: readonly (readonly [name: string, nodes: Nodes])[]
}
