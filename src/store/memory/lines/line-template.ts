import { Bytes } from '../../../base/index.ts'
import { latin1 } from '../../../data/index.ts'

/** What lines of one form have in common: the members in their order, and the bytes before each value. */
export interface LineTemplate {
  readonly names: readonly string[]
  /** One more than `names`: the last is what closes the line. */
  readonly literals: readonly Bytes[]
}

const MAX_MEMBERS = 64
const MAX_LITERAL_BYTES = 256

function skipBlanks(bytes: Bytes, from: number, end: number): number {
  let at = from
  while (at < end && (bytes[at] === 32 || bytes[at] === 9)) at++
  return at
}

function textEnd(bytes: Bytes, from: number, end: number): number {
  let at = from
  while (at < end && bytes[at] !== 34) at += bytes[at] === 92 ? 2 : 1
  return at
}

/** The template of a line that is known to be a flat object without escapes in its names; `undefined` when it is unusual. */
export function templateOf(bytes: Bytes, start: number, end: number): LineTemplate | undefined {
  const names: string[] = []
  const literals: Bytes[] = []
  let from = start
  let at = skipBlanks(bytes, start, end) + 1
  while (names.length < MAX_MEMBERS) {
    const open = skipBlanks(bytes, at, end)
    const close = textEnd(bytes, open + 1, end)
    if (bytes[open] !== 34 || close >= end) return undefined
    const value = skipBlanks(bytes, skipBlanks(bytes, close + 1, end) + 1, end)
    names.push(latin1(bytes, open + 1, close))
    literals.push(Bytes.from(bytes.subarray(from, value)))
    if (bytes[value] === 34) from = textEnd(bytes, value + 1, end) + 1
    else {
      from = value
      while (from < end && bytes[from] !== 44 && bytes[from] !== 125 && bytes[from] > 32) from++
    }
    at = skipBlanks(bytes, from, end)
    if (bytes[at] === 125) {
      literals.push(Bytes.from(bytes.subarray(from, at + 1)))
      return literals.every((literal) => literal.length <= MAX_LITERAL_BYTES) ? { names, literals } : undefined
    }
    at++
  }
  return undefined
}
