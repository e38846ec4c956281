import { parsePromql, prettyPromql, printPromql } from '../../../lang/promql/index.ts'
import type { PromqlLaw } from './law.ts'

/** Returns the syntax tree of a text without positions. */
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

/** The printed text parses to the same tree, on one line and with line breaks, and prints the same again. */
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
