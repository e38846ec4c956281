import { fieldNames, levels, words, workloads } from '../../../src/fuzz/dataset.ts'

/** A place in a query that contains a string chosen by the caller. */
export interface Place {
  readonly kind: 'value' | 'name' | 'pattern'
  /** Original string of the place; it is replaced wherever the query contains it. */
  readonly original: string
}

/** Names that generated queries give to computed fields. */
const madeNames = ['renamed', 'new name', 'total', 'first seen', '_bucket_timestamp', 'a.b', 'n', 'y'] as const

const names: ReadonlySet<string> = new Set([...fieldNames, ...madeNames])
const values: ReadonlySet<string> = new Set(
  [...words, ...levels, ...workloads, 'shop', 'pay', 'Shop'].filter((v) => v !== ''),
)

export function kindOf(text: string): Place['kind'] | undefined {
  if (names.has(text)) return 'name'
  return values.has(text) ? 'value' : undefined
}

export interface TextToken {
  readonly text: string
  /** Content of a quoted string or a word; `undefined` for other tokens. */
  readonly says: string | undefined
  readonly isPattern: boolean
  readonly isQuoted: boolean
}

const TOKEN = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*|\s+|./gsu

function unquoted(token: string): string | undefined {
  if (token.startsWith('"')) {
    try {
      return JSON.parse(token) as string
    } catch {
      return undefined
    }
  }
  return /^['`]/.test(token) ? token.slice(1, -1) : token
}

export function tokensOf(query: string): readonly TextToken[] {
  let isAfterTilde = false
  /**
   * For each open parenthesis, whether it belongs to a pipe that takes regular expressions. Any quoted string inside
   * may be a pattern.
   */
  const isRegexpPipe = [false]
  return (query.match(TOKEN) ?? []).map((text) => {
    const isQuoted = /^["'`]/.test(text)
    const isWord = /^[\p{L}\p{N}_]/u.test(text)
    const token = {
      text,
      says: isQuoted || isWord ? unquoted(text) : undefined,
      isPattern: isAfterTilde || (isQuoted && isRegexpPipe.at(-1) === true),
      isQuoted,
    }
    if (text.trim() !== '') isAfterTilde = text === '~'
    if (text === '(') isRegexpPipe.push(isRegexpPipe.at(-1) === true)
    if (text === ')' && isRegexpPipe.length > 1) isRegexpPipe.pop()
    if (text === '|') isRegexpPipe[isRegexpPipe.length - 1] = false
    if (isWord && /(?:_|^)(?:not)?regexp?$/.test(text)) isRegexpPipe[isRegexpPipe.length - 1] = true
    return token
  })
}

/** Returns the places of a text query in which a string can be replaced. */
export function placesOf(tokens: readonly TextToken[]): readonly Place[] {
  const found = new Map<string, Place>()
  for (const { says, isPattern, isQuoted } of tokens) {
    if (says === undefined || says === '') continue
    const kind = isPattern ? 'pattern' : (kindOf(says) ?? (isQuoted && says.length > 1 ? 'value' : undefined))
    if (kind !== undefined && found.get(says)?.kind !== 'pattern') found.set(says, { kind, original: says })
  }
  return [...found.values()]
}

/** Returns the query with `text` instead of the original string of a place, as a quoted string at each occurrence. */
export function written(tokens: readonly TextToken[], place: Place, text: string): string {
  const quoted = JSON.stringify(text)
  return tokens.map((token) => (token.says === place.original ? quoted : token.text)).join('')
}
