/** A part of a text in any language: a word with everything that touches it, a quoted string, or a mark. */
export interface Piece {
  readonly kind: 'word' | 'text' | 'mark'
  /** Text as written. */
  readonly text: string
  /** String of a quoted piece; else as written. */
  readonly value: string
  readonly start: number
  readonly end: number
  /** True if it touches the previous piece. */
  readonly touches: boolean
}

const MARKS = ['&&', '||', '|=', '|~', '==', '=~', '!~', '!=', '<>', '<=', '>=', ...'=<>()[]{},;|!'.split('')]
const ENDS = /[\s()[\]{},;=<>!|&"'`]/
const BLANK = /\s/

function endOfQuotes(text: string, start: number): number {
  const quote = text[start]
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\' && quote !== '`') i++
    else if (text[i] === quote) return i + 1
  }
  return -1
}

/** Splits a text into pieces; `undefined` if a quote never closes. Linear. */
export function piecesOf(text: string): readonly Piece[] | undefined {
  const pieces: Piece[] = []
  let before = -1
  const add = (kind: Piece['kind'], start: number, end: number, value = text.slice(start, end)): void => {
    pieces.push({ kind, text: text.slice(start, end), value, start, end, touches: before === start })
    before = end
  }
  for (let i = 0; i < text.length;) {
    const char = text.charAt(i)
    if (BLANK.test(char)) {
      i++
      continue
    }
    if (char === '"' || char === "'" || char === '`') {
      const end = endOfQuotes(text, i)
      if (end === -1) return undefined
      // A backslash that escapes neither a quote nor itself is literal: foreign patterns have single ones.
      const inside = text.slice(i + 1, end - 1)
      add('text', i, end, char === '`' ? inside : inside.replaceAll(/\\(["'\\])/g, '$1'))
      i = end
      continue
    }
    const mark = MARKS.find((each) => text.startsWith(each, i))
    if (mark !== undefined) {
      add('mark', i, i + mark.length)
      i += mark.length
      continue
    }
    let end = i + 1
    while (end < text.length && !ENDS.test(text.charAt(end))) end++
    add('word', i, end)
    i = end
  }
  return pieces
}

export interface Part {
  readonly pieces: readonly Piece[]
  /** Text as written, trimmed. */
  readonly text: string
  /** The mark before it; empty for the first part. */
  readonly mark: string
}

const OPENING = new Set(['(', '[', '{'])
const CLOSING = new Set([')', ']', '}'])

/** Parts between marks outside parentheses. */
export function partsOf(source: string, pieces: readonly Piece[], marks: readonly string[]): readonly Part[] {
  const parts: Part[] = []
  let depth = 0
  let from = 0
  let mark = ''
  const end = (to: number): void => {
    const inside = pieces.slice(from, to)
    const [first] = inside
    const last = inside.at(-1)
    const text = first === undefined || last === undefined ? '' : source.slice(first.start, last.end)
    parts.push({ pieces: inside, text, mark })
  }
  for (const [i, piece] of pieces.entries()) {
    if (piece.kind !== 'mark') continue
    if (OPENING.has(piece.text)) depth++
    else if (CLOSING.has(piece.text)) depth--
    else if (depth === 0 && marks.includes(piece.text)) {
      end(i)
      from = i + 1
      mark = piece.text
    }
  }
  end(pieces.length)
  return parts
}

export function isWord(piece: Piece | undefined, ...words: readonly string[]): boolean {
  return piece?.kind === 'word' && words.includes(piece.text.toLowerCase())
}
