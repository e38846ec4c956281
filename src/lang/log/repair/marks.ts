import { insertAt, present, replaceWith, type Fix } from '../../../base/index.ts'
import { quotePattern, wordBetween } from '../print/quote.ts'
import type { Propose } from './spot.ts'

/** Proposes a fix for a regular expression escape such as `\d` inside double quotes: a doubled backslash. */
export const doubledBackslash: Propose = ({ diagnostic, text, start }) =>
  diagnostic.code === 'log/bad-escape' && text[start] === '\\'
    ? [insertAt(start, '\\', 'Double the backslash', true)]
    : []

/** Proposes a fix for operators such as `==` and `:==`. */
export const equalsRun: Propose = ({ text, start }) => {
  const before = /[:=]*$/.exec(text.slice(0, start))?.[0].length ?? 0
  const behind = /^[:=]*/.exec(text.slice(start))?.[0].length ?? 0
  const run = { start: start - before, end: start + behind }
  const written = text.slice(run.start, run.end)
  return /^:?={2,}$/.test(written) ? [replaceWith(run, ':='), replaceWith(run, ':')] : []
}

/** Proposes a fix for `||`, which means "or" in other languages but is parsed as two bars. */
export const doubledBar: Propose = ({ text, start }) => {
  const at = text[start] === '|' && text[start - 1] === '|' ? start - 1 : start
  const marks = { start: at, end: at + 2 }
  return text.startsWith('||', at) ? [replaceWith(marks, wordBetween(text, marks, 'or'), 'Write `or`')] : []
}

/** Proposes a fix for SQL's `~*`, a regular expression match that ignores case. */
export const foldedMatch: Propose = ({ text, start }) => {
  const tilde = text[start] === '~' ? start : start - 1
  const run = /^~\*\s*(?=["'`])/.exec(text.slice(Math.max(0, tilde)))
  if (run === null) return []
  const quote = tilde + run[0].length
  const edits = [
    { span: { start: tilde, end: quote }, text: '~ ' },
    { span: { start: quote + 1, end: quote + 1 }, text: '(?i)' },
  ]
  return [{ title: 'Write `~` and `(?i)`', edits, isSafe: false }]
}

/** Proposes to remove a `|` before the filter of a query. */
export const leadingBar: Propose = ({ text, diagnostic, start }) => {
  const bar = /^\s*\|\s*/.exec(text)?.[0].length
  return diagnostic.code === 'log/bare-filter-stage' && bar === start
    ? [replaceWith({ start: 0, end: bar }, '', 'Remove the `|`')]
    : []
}

/** Proposes quotes around a word that contains a special character, as in `@timestamp` or `50%`. */
export const strayMark: Propose = ({ text, tokens, index }) => {
  const token = tokens[index]
  if (token === undefined || token.isWord || !/^[^\s()[\]{}|"'`,;:]$/u.test(token.text)) return []
  const before = /[^\s()[\]{}|"'`,;:=~<>!]*$/.exec(text.slice(0, token.span.start))?.[0].length ?? 0
  return [/^[^\s()[\]{}|"'`,;:=~<>]+/, /^[^\s()[\]{}|"'`,;]+/].flatMap((pattern) => {
    const rest = pattern.exec(text.slice(token.span.start))?.[0].length ?? 0
    const run = { start: token.span.start - before, end: token.span.start + rest }
    return rest === 0 ? [] : [replaceWith(run, quotePattern(text.slice(run.start, run.end)))]
  })
}

/** Proposes to remove one of two adjacent operators, as in `and or`. */
export const doubledOperator: Propose = ({ tokens, index }) => {
  const isOperator = (i: number): boolean => /^(and|or)$/i.test(tokens[i]?.text ?? '')
  for (let i = Math.max(1, index - 1); i <= index + 1; i++) {
    if (isOperator(i) && isOperator(i - 1)) {
      return [present(tokens[i]), present(tokens[i - 1])].map(({ span, text }): Fix =>
        replaceWith(span, '', `Remove \`${text}\``),
      )
    }
  }
  return []
}

/** Proposes the filter `field:*` for a field without a value. */
export const missingValue: Propose = ({ tokens, index }) => {
  const before = tokens[index - 1]
  return before?.text === ':' ? [insertAt(before.span.end, '*', 'Ask for any value')] : []
}
