import { childrenOf, type PromqlExpr } from './ast.ts'

export interface PromqlMeasure {
  /** Number of nodes on the longest path from the root to a leaf. */
  readonly height: number
  /** Nesting depth of parentheses, calls and aggregations. */
  readonly nesting: number
}

function opensBracket(expr: PromqlExpr): boolean {
  return expr.kind === 'paren' || expr.kind === 'call' || expr.kind === 'aggregation'
}

/** Measures height and nesting of a tree. Works level by level, since recursion could overflow the stack. */
export function measure(root: PromqlExpr): PromqlMeasure {
  let height = 0
  let nesting = 0
  let level: { readonly expr: PromqlExpr; readonly depth: number }[] = [{ expr: root, depth: 0 }]
  while (level.length > 0) {
    height++
    const next: typeof level = []
    for (const { expr, depth } of level) {
      const below = depth + (opensBracket(expr) ? 1 : 0)
      if (below > nesting) nesting = below
      for (const child of childrenOf(expr)) next.push({ expr: child, depth: below })
    }
    level = next
  }
  return { height, nesting }
}
