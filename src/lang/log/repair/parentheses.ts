import { insertAt, present, replaceWith, type Fix } from '../../../base/index.ts'
import type { PlainToken } from './plain-tokens.ts'
import { endBefore, isClauseWord, type Propose, type Spot } from './spot.ts'

const MAX_WRAPPED = 12
const OPERAND_ENDS: ReadonlySet<string> = new Set(['and', 'or', '(', '|'])

/**
 * Returns the opening parentheses that are never closed, innermost last, and the closing parentheses that match no
 * opening one.
 */
function unmatched(tokens: readonly PlainToken[]): {
  readonly open: readonly number[]
  readonly close: readonly number[]
} {
  const open: number[] = []
  const close: number[] = []
  for (const [i, { text }] of tokens.entries()) {
    if (text === '(') open.push(i)
    // Ranges such as `range(a, b]` may close with a bracket.
    else if (text === ')' || (text === ']' && tokens[open.at(-1) ?? -1]?.text === '(')) {
      if (open.pop() === undefined && text === ')') close.push(i)
    } else if (text === '[') open.push(i)
  }
  return { open: open.filter((i) => tokens[i]?.text === '('), close }
}

/** Proposes parentheses around a list that has neither. Prefers the longest list with which the text parses. */
function wrappedLists({ text, tokens, index, diagnostic }: Spot): readonly Fix[] {
  const token = tokens[index]
  const isList = /^(by|on)$/i.test(tokens[index - 1]?.text ?? '') || diagnostic.code === 'log/missing-parentheses'
  if (token === undefined || !isList) return []
  const fixes: Fix[] = []
  for (const last of tokens.slice(index, index + MAX_WRAPPED)) {
    if (last.type === 'Bar') break
    if (last.text === ')') {
      fixes.push(insertAt(token.span.start, '('))
      break
    }
    const close = last.span
    const edits = [
      { span: { start: token.span.start, end: token.span.start }, text: '(' },
      { span: { start: close.end, end: close.end }, text: ')' },
    ]
    fixes.unshift({ title: `Write \`(${text.slice(token.span.start, close.end)})\``, edits, isSafe: true })
  }
  return fixes
}

/**
 * Returns fixes that insert a closing parenthesis: before clause keywords first, then after every token of the stage.
 */
function closings({ text, tokens }: Spot, open: number): readonly Fix[] {
  const likely: number[] = []
  const others: number[] = []
  let depth = 0
  for (let i = open; i < Math.min(tokens.length, open + 2 * MAX_WRAPPED); i++) {
    const { text: written, type, span } = present(tokens[i])
    if (written === '(' && i > open) depth++
    if (written === ')') depth--
    if (depth > 0) continue
    const next = tokens[i + 1]
    if (written === 'Bar' || type === 'Bar') break
    const isLikely = next === undefined || next.type === 'Bar' || next.text === ')' || isClauseWord(next)
    ;(isLikely ? likely : others).push(span.end)
  }
  // If a word follows without a comma, the list probably ends before that word.
  const list = others.filter((offset) => /^\s+[\p{L}\p{Nd}_]/u.test(text.slice(offset)))
  return [...new Set([...likely, ...list, ...others])].map((offset) => insertAt(offset, ')'))
}

/**
 * Returns fixes that insert an opening parenthesis: after a name, or before the operands in front of the closing one.
 */
function openings({ tokens }: Spot, close: number): readonly Fix[] {
  const fixes: Fix[] = []
  const before = tokens[close - 1]
  if (before?.isWord && before.touches === false) fixes.push(insertAt(before.span.end, '('))
  let depth = 0
  for (let i = close - 1; i >= 0 && i > close - 2 * MAX_WRAPPED; i--) {
    const { text, span, touches, type } = present(tokens[i])
    if (text === ')') depth++
    if (text === '(') depth--
    if (depth > 0 || type === 'Bar' || depth < 0) {
      if (type === 'Bar' || depth < 0) break
      continue
    }
    const previous = tokens[i - 1]
    const isStart = previous === undefined || OPERAND_ENDS.has(previous.text.toLowerCase())
    if (isStart || (!touches && previous.text !== ':')) fixes.push(insertAt(span.start, '('))
  }
  return fixes
}

/** Proposes the missing parentheses of a list that lacks one or both. */
export const parentheses: Propose = (spot) => {
  const { text, tokens, index } = spot
  const token = tokens[index]
  const { open, close } = unmatched(tokens)
  const fixes: Fix[] = [...wrappedLists(spot)]
  // The opening parenthesis is missing if `)` directly follows a name.
  if (token?.isWord && tokens[index + 1]?.text === ')') fixes.push(insertAt(token.span.end, '('))
  for (const i of close.slice(0, 2)) {
    // A parenthesis that touches both neighbours is replaced by a blank, so that they stay separate.
    const isBetween = tokens[i]?.touches === true && tokens[i + 1]?.touches === true
    const remove = replaceWith(present(tokens[i]).span, isBetween ? ' ' : '', 'Remove it')
    const isDoubled = tokens[i - 1]?.text === ')'
    fixes.push(...(isDoubled ? [remove, ...openings(spot, i)] : [...openings(spot, i), remove]))
  }
  for (const i of open.slice(-3).toReversed()) fixes.push(...closings(spot, i))
  const end = endBefore(spot)
  fixes.push(insertAt(end, ')'))
  if (token?.text === ')') fixes.push(insertAt(token.span.end, ')'))
  const name = tokens[index - 1]
  if (name?.isWord) fixes.push(insertAt(name.span.end, '('))
  const bar = text.indexOf('|', end)
  fixes.push(insertAt(bar === -1 ? text.trimEnd().length : text.slice(0, bar).trimEnd().length, ')'))
  return fixes
}
