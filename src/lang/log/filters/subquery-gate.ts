import type { Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'

/** True if the parentheses that come next contain a query with pipes, and not a list of values. */
export function hasBarBeforeClose($: Syntax): boolean {
  if (!$.isNext(t.LParen)) return false
  let open = 0
  for (let distance = 1; ; distance++) {
    const { tokenType } = $.LA(distance)
    if (tokenType === t.EOF) return false
    // All kinds of brackets are counted together, because a range may open and close with different ones.
    if (tokenType === t.LParen || tokenType === t.LBracket) open++
    else if ((tokenType === t.RParen || tokenType === t.RBracket) && --open === 0) return false
    else if (tokenType === t.Bar && open === 1) return true
  }
}
