import type { PlainToken } from '../lang/log/index.ts'

const NEGATIONS: ReadonlySet<string> = new Set(['!', '-', 'not'])
const COMPARISONS: ReadonlySet<string> = new Set(['=', '!=', '~', '!~', '=~', '<', '<=', '>', '>='])
const OPEN: ReadonlySet<string> = new Set(['(', '[', '{'])
const CLOSE: ReadonlySet<string> = new Set([')', ']', '}'])

/** Returns the compound word or quoted string that ends at a token. */
function compoundEndingAt(tokens: readonly PlainToken[], end: number): string | undefined {
  const last = tokens[end]
  if (last === undefined) return undefined
  if (last.type === 'Quoted') return last.value
  if (!last.isWord) return undefined
  let text = last.text
  for (let i = end; tokens[i]?.touches; i--) {
    const before = tokens[i - 1]
    if (before === undefined || !(before.isWord || before.isGlue)) break
    text = before.text + text
  }
  return text.replace(/^[-+./$]+/, '')
}

export interface ValueContext {
  readonly field: string
  /** Index of the open bracket around the value; `undefined` if the value follows the field directly. */
  readonly open: number | undefined
}

/** Returns the index of the innermost bracket that is still open before `end`, or -1. */
export function openBracket(tokens: readonly PlainToken[], end: number = tokens.length): number {
  let depth = 0
  for (let i = end - 1; i >= 0; i--) {
    const text = tokens[i]?.text ?? ''
    if (CLOSE.has(text)) depth++
    else if (OPEN.has(text) && depth-- === 0) return i
  }
  return -1
}

/**
 * Returns the field to which the value at the end of `tokens` belongs: after `field:`, after a comparison, or inside
 * brackets that belong to a field.
 */
export function valueContext(tokens: readonly PlainToken[]): ValueContext | undefined {
  let i = tokens.length - 1
  if (COMPARISONS.has(tokens[i]?.text ?? '')) {
    i--
    if (tokens[i]?.text !== ':') {
      const field = compoundEndingAt(tokens, i)
      return field === undefined ? undefined : { field, open: undefined }
    }
  }
  while (NEGATIONS.has(tokens[i]?.text.toLowerCase() ?? '')) i--
  if (tokens[i]?.text === ':') {
    const field = compoundEndingAt(tokens, i - 1)
    if (field !== undefined) return { field, open: undefined }
  }
  for (let open = openBracket(tokens); open !== -1; open = openBracket(tokens, open)) {
    const name = tokens[open - 1]
    const hasName = name?.isWord === true && name.text.toLowerCase() !== 'or'
    const colon = hasName ? open - 2 : open - 1
    const isLabel = hasName && /^(not_)?in$/i.test(name.text) && tokens[colon]?.isWord
    const field = isLabel
      ? compoundEndingAt(tokens, colon)
      : tokens[colon]?.text === ':'
        ? compoundEndingAt(tokens, colon - 1)
        : undefined
    if (field !== undefined) return { field, open }
    if (hasName) return undefined
  }
  return undefined
}

/** Returns the strings that are already listed in the innermost open bracket. */
export function listed(tokens: readonly PlainToken[]): ReadonlySet<string> {
  const open = openBracket(tokens)
  const texts = new Set<string>()
  let depth = 0
  for (const [i, token] of tokens.entries()) {
    if (i <= open) continue
    const next = tokens[i + 1]
    if (OPEN.has(token.text)) depth++
    else if (CLOSE.has(token.text)) depth--
    else if (depth === 0 && (token.isWord || token.type === 'Quoted')) {
      const isLast = !(next?.touches && next.isGlue)
      const text = isLast ? compoundEndingAt(tokens, i) : undefined
      if (text !== undefined) texts.add(text)
    }
  }
  return texts
}
