import { parsePromql, prettyPromql, printPromql } from '../../../lang/promql/index.ts'
import type { PromqlLaw } from './law.ts'

/** The tree without places. */
function shapeOf(text: string): string | undefined {
  const { ast } = parsePromql(text)
  if (ast === undefined) return undefined
  return JSON.stringify(ast, (key, value: unknown) => {
    if (key === 'span') return undefined
    if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
      return `number ${1 / value} ${value}`
    return value
  })
}

/** What is printed reads as the same tree, on one line and laid out, and prints the same again. */
export const printThenParse: PromqlLaw = {
  name: 'print-then-parse',
  check: ({ text }) => {
    const { ast } = parsePromql(text)
    if (ast === undefined) return undefined
    const printed = printPromql(ast)
    const canonical = shapeOf(printed)
    if (canonical === undefined) return `\`${printed}\` is refused`
    const again = parsePromql(printed).ast
    if (again === undefined || printPromql(again) !== printed) return `\`${printed}\` prints otherwise the second time`
    const pretty = prettyPromql(ast, 20)
    if (shapeOf(pretty) !== canonical) return `laid out it is another tree: ${JSON.stringify(pretty)}`
    return undefined
  },
}
