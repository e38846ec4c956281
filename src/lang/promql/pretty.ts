import { hasMember, checkArgument, LINE_CHARS } from '../../base/index.ts'
import { utf8Length } from '../../data/index.ts'
import type { Aggregation, Binary, PromqlExpr } from './ast.ts'
import {
  endOffset,
  isSignedBase,
  printAggregationHead,
  printOperator,
  printPromql,
  printSubquerySuffix,
} from './print.ts'

export const PRETTY_WIDTH = LINE_CHARS

const INDENT = '  '

class Prettifier {
  readonly #width: number

  constructor(width: number) {
    this.#width = width
  }

  /** Returns the text of a node, indented by a level. Continues the current line at level 0. */
  print(expr: PromqlExpr, level: number): string {
    const indent = INDENT.repeat(level)
    if (expr.kind === 'unary') return `${indent}${expr.op}${this.print(expr.expr, level).trim()}`
    const line = printPromql(expr)
    const isSplit = utf8Length(line) > this.#width
    // As in Prometheus, a subquery that fits on the line is not indented.
    if (expr.kind === 'subquery') return isSplit ? this.print(expr.expr, level) + printSubquerySuffix(expr) : line
    if (!isSplit) return indent + line
    switch (expr.kind) {
      case 'paren':
        return `${indent}(\n${this.print(expr.expr, level + 1)}\n${indent})`
      case 'binary':
        return this.#binary(expr, level, indent)
      case 'call':
        if (expr.args.length === 0) return indent + line
        return `${indent}${expr.name}(\n${this.#list(expr.args, level + 1)}\n${indent})`
      case 'aggregation':
        return this.#aggregation(expr, level, indent)
      case 'number':
      case 'string':
      case 'vector-selector':
      case 'matrix-selector':
        return indent + line
    }
  }

  #list(exprs: readonly PromqlExpr[], level: number): string {
    return exprs.map((expr) => this.print(expr, level)).join(',\n')
  }

  #binary(expr: Binary, level: number, indent: string): string {
    const lhs = isSignedBase(expr) ? `${indent}${INDENT}Inf` : endOffset(expr, this.print(expr.lhs, level + 1))
    return `${lhs}\n${indent}${printOperator(expr)}\n${this.print(expr.rhs, level + 1)}`
  }

  #aggregation(expr: Aggregation, level: number, indent: string): string {
    const args = expr.param === undefined ? [expr.expr] : [expr.param, expr.expr]
    return `${indent}${printAggregationHead(expr)}(\n${this.#list(args, level + 1)}\n${indent})`
  }
}

/**
 * Prints an expression in canonical form. Nodes longer than `width` bytes are broken over several lines, except
 * selectors.
 */
export function prettyPromql(expr: PromqlExpr, width = PRETTY_WIDTH): string {
  checkArgument(
    hasMember(expr, 'kind'),
    expr,
    'the `ast` that `parsePromql` gives',
    'prettyPromql(parsePromql(text).ast)',
  )
  return new Prettifier(width).print(expr, 0)
}
