import type { Syntax } from '../syntax.ts'
import * as t from '../tokens.ts'

/** Whether the parenthesis that comes next holds a query with pipes, rather than a list of values. */
export function hasBarBeforeClose($: Syntax): boolean {
  if (!$.isNext(t.LParen)) return false
  let open = 0
  for (let distance = 1; ; distance++) {
    const { tokenType } = $.LA(distance)
    if (tokenType === t.EOF) return false
    if (tokenType === t.LParen) open++
    else if (tokenType === t.RParen && --open === 0) return false
    else if (tokenType === t.Bar && open === 1) return true
  }
}
