import { quoteText } from '../print/quote.ts'
import { durationText, fieldName, patternText, valueText } from './names.ts'
import { isWord, type HabitToken } from './tokens.ts'

interface Selected {
  readonly filters: readonly string[]
  /** Number of tokens. */
  readonly length: number
}

/** Translates a selector `{a="b", c=~"d"}` to filters; `undefined` if impossible. */
export function selectorMeant(tokens: readonly HabitToken[]): Selected | undefined {
  if (tokens[0]?.text !== '{') return undefined
  const filters: string[] = []
  for (let at = 1; at < tokens.length; at += 4) {
    const [label, operator, value, next] = tokens.slice(at, at + 4)
    const field = label?.kind === 'mark' || label === undefined ? undefined : fieldName(label.value)
    if (field === undefined || value === undefined || value.kind === 'mark') return undefined
    const negation = operator?.text.startsWith('!') === true ? '!' : ''
    if (operator?.text === '=~' || operator?.text === '!~')
      filters.push(`${negation}${field}:~${quoteText(`^(${value.value})$`)}`)
    else if (operator?.text === '=' || operator?.text === '!=')
      filters.push(`${negation}${field}:${valueText(value.value)}`)
    else return undefined
    if (next?.text === '}') return { filters, length: at + 4 }
    if (next?.text !== ',') return undefined
  }
  return undefined
}

/** Translates a line filter `|= "x"`, `!= "x"`, `|~ "x"` or `!~ "x"` to a filter on the main text field. */
export function lineFilterMeant([mark, text]: readonly HabitToken[]): string | undefined {
  if (mark?.kind !== 'mark' || text?.kind !== 'text') return undefined
  switch (mark.text) {
    case '|=':
      return patternText(`*${text.value}*`)
    case '!=':
      return `!${patternText(`*${text.value}*`)}`
    case '|~':
      return `~${quoteText(text.value)}`
    case '!~':
      return `!~${quoteText(text.value)}`
    default:
      return undefined
  }
}

/** Translates a selector and the line filters after it. */
export function linesMeant(tokens: readonly HabitToken[]): Selected | undefined {
  const selected = selectorMeant(tokens)
  if (selected === undefined) return undefined
  const filters = [...selected.filters]
  let { length } = selected
  for (;;) {
    const filter = lineFilterMeant(tokens.slice(length))
    if (filter === undefined) return { filters, length }
    filters.push(filter)
    length += 2
  }
}

const RANGES: Readonly<Record<string, string>> = {
  rate: 'rate()',
  count_over_time: 'count()',
  bytes_over_time: 'sum_len(_msg)',
}

interface Measured {
  readonly filters: readonly string[]
  readonly call: string
  readonly width: string
}

/** Translates a range function such as `rate({…} |= "x" [5m])`. */
function rangeMeant(tokens: readonly HabitToken[]): Measured | undefined {
  const [name, open] = tokens
  const call = RANGES[name?.text.toLowerCase() ?? '']
  if (call === undefined || open?.text !== '(') return undefined
  const lines = linesMeant(tokens.slice(2))
  if (lines === undefined) return undefined
  const [bracket, time, closing, close, ...more] = tokens.slice(2 + lines.length)
  const width = durationText(time?.text ?? '')
  const isWhole = bracket?.text === '[' && closing?.text === ']' && close?.text === ')' && more.length === 0
  return isWhole && width !== undefined ? { filters: lines.filters, call, width } : undefined
}

/** Parses the labels of `by (a, b)` at an index. */
function labelsAt(
  tokens: readonly HabitToken[],
): { readonly labels: readonly string[]; readonly length: number } | undefined {
  if (!isWord(tokens[0], 'by') || tokens[1]?.text !== '(') return undefined
  const end = tokens.findIndex(({ text }) => text === ')')
  const labels = tokens.slice(2, end).filter(({ text }) => text !== ',')
  return end === -1 ? undefined : { labels: labels.map(({ value }) => fieldName(value) ?? value), length: end + 1 }
}

/**
 * Translates metric queries such as `sum by (a) (count_over_time({…}[5m]))` and `topk(5, …)` to a filter and stages.
 */
export function metricMeant(tokens: readonly HabitToken[]): readonly string[] | undefined {
  if (isWord(tokens[0], 'topk') && tokens[1]?.text === '(' && tokens[3]?.text === ',' && tokens.at(-1)?.text === ')') {
    const inner = summed(tokens.slice(4, -1))
    if (inner === undefined || inner.labels.length === 0) return undefined
    return [inner.filters.join(' ') || '*', `top ${tokens[2]?.text ?? '10'} by (${inner.labels.join(', ')})`]
  }
  const { filters, call, width, labels } = summed(tokens) ?? {}
  if (filters === undefined || call === undefined || width === undefined) return undefined
  const keys = [`_time:${width}`, ...(labels ?? [])]
  return [filters.join(' ') || '*', `stats by (${keys.join(', ')}) ${call}`]
}

function summed(tokens: readonly HabitToken[]): (Measured & { readonly labels: readonly string[] }) | undefined {
  if (!isWord(tokens[0], 'sum', 'count', 'avg')) {
    const range = rangeMeant(tokens)
    return range && { ...range, labels: [] }
  }
  const before = labelsAt(tokens.slice(1))
  const from = 1 + (before?.length ?? 0)
  if (tokens[from]?.text !== '(') return undefined
  const end = tokens.findLastIndex(({ text }) => text === ')')
  // `by (…)` may stand before or after the parentheses.
  const last = before === undefined ? tokens.findLastIndex((token) => isWord(token, 'by')) : -1
  const behind = last === -1 ? undefined : labelsAt(tokens.slice(last))
  const range = rangeMeant(tokens.slice(from + 1, last === -1 ? end : last - 1))
  return range && { ...range, labels: before?.labels ?? behind?.labels ?? [] }
}
