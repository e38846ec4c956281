import type { Diagnostic } from '../../base/index.ts'
import { isUnspaced, wordsOf, type ValueTest } from '../../data/index.ts'
import { expressions, printFieldPattern, printName, visit, visitExpr, type Expr } from '../../plan/index.ts'
import { lintDiagnostic } from '../lint-diagnostics.ts'
import type { Lint, LintContext } from '../lint.ts'

/** Returns the parts of a pattern that begins with a star; `undefined` for other tests. */
function starred(
  test: ValueTest,
): { readonly text: string; readonly middle: string; readonly isOpenEnd: boolean } | undefined {
  if (test.kind === 'contains' && test.text !== '')
    return { text: `*${test.text}*`, middle: test.text, isOpenEnd: true }
  if (test.kind !== 'glob' || test.parts[0] !== '') return undefined
  const middle = test.parts.find((part) => part !== '')
  if (middle === undefined) return undefined
  return { text: test.parts.join('*'), middle, isOpenEnd: test.parts.at(-1) === '' }
}

function quoted(text: string): string {
  return /^[\p{L}\p{Nd}_]+$/u.test(text) ? text : JSON.stringify(text)
}

interface Advice {
  readonly instead: string | undefined
  readonly title: string
}

/** Suggests a word search if the pattern consists of words in the text field; else a prefix search. */
function adviceFor(field: string, isTextField: boolean, middle: string, isOpenEnd: boolean): Advice {
  if (isTextField) {
    if (isUnspaced(middle)) return { instead: undefined, title: '' }
    const words = wordsOf(middle)
    const instead = words.length === 0 ? undefined : words.length === 1 ? words[0] : JSON.stringify(middle.trim())
    return { instead, title: words.length === 1 ? 'Search for the whole word' : 'Search for the whole phrase' }
  }
  if (!isOpenEnd) return { instead: undefined, title: '' }
  return { instead: `${printName(field)}:${quoted(middle)}*`, title: 'Match the beginning only' }
}

function* checkExpr(expr: Expr, textField: string | undefined): Iterable<Diagnostic> {
  if (expr.kind === 'any-field') {
    const pattern = starred(expr.test)
    if (pattern === undefined) return
    const data = { field: printFieldPattern(expr.fields), pattern: pattern.text, instead: undefined, title: '' }
    yield lintDiagnostic('leading-wildcard', data, expr.origin)
  } else if (expr.kind === 'test' && expr.arg.kind === 'column') {
    const pattern = starred(expr.test)
    if (pattern === undefined) return
    const field = expr.arg.name
    // A fix replaces query text by another filter, so the test must be written as a filter in the query.
    const advice =
      expr.origin.kind === 'derived'
        ? { instead: undefined, title: '' }
        : adviceFor(field, field === textField, pattern.middle, pattern.isOpenEnd)
    yield lintDiagnostic('leading-wildcard', { field, pattern: pattern.text, ...advice }, expr.origin)
  }
}

function textFieldOf(table: string | undefined, context: LintContext): string | undefined {
  return table === undefined ? undefined : context.textFieldOf(table)
}

export const leadingWildcard: Lint = {
  name: 'leading-wildcard',
  summary: 'A pattern that begins with a star reads every value of its field.',
  check({ plan }, context) {
    const found: Diagnostic[] = []
    let table: string | undefined
    visit(plan, (node) => {
      if (node.kind === 'scan') table ??= node.table
    })
    visit(plan, (node) => {
      for (const root of expressions(node)) {
        visitExpr(root, (expr) => found.push(...checkExpr(expr, textFieldOf(table, context))))
      }
    })
    return found
  },
}
