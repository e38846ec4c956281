import { quoteChar, quoteText, scanNumber, scanString } from '../../../../lang/promql/index.ts'

/** Histogram keys in series notation, in the order of their token numbers in Prometheus. */
export const HISTOGRAM_KEYS = [
  'sum',
  'count',
  'schema',
  'offset',
  'n_offset',
  'buckets',
  'n_buckets',
  'z_bucket',
  'z_bucket_w',
  'custom_values',
  'counter_reset_hint',
] as const

export type HistogramKey = (typeof HISTOGRAM_KEYS)[number]

const HINTS: ReadonlySet<string> = new Set(['unknown', 'reset', 'not_reset', 'gauge'])

export type ItemKind =
  | 'name'
  | 'string'
  | 'number'
  | 'duration'
  | 'key'
  | 'hint'
  | 'space'
  | 'punctuation'
  | 'end'
  | 'fault'

/** A token of series notation. Unlike in a query, white space between values is a token. */
export interface NotationItem {
  readonly kind: ItemKind
  /** The token as written; the message for an error token. */
  readonly text: string
  readonly start: number
}

function isSpace(char: string | undefined): boolean {
  return char === ' ' || char === '\t' || char === '\n' || char === '\r'
}

function isDigit(char: string | undefined): boolean {
  return char !== undefined && char >= '0' && char <= '9'
}

const NAME = /[A-Za-z_:][A-Za-z0-9_:]*/y
const LABEL = /[A-Za-z_][A-Za-z0-9_]*/y
const WORD = /[A-Za-z_]+/y

/** Splits a line of series notation into tokens. The last token is the end or an error. */
class ItemReader {
  readonly #text: string
  /** Marker that may occur between labels and values. */
  readonly #mark: string
  readonly #items: NotationItem[] = []
  #at = 0
  #hasFault = false

  constructor(text: string, mark: string) {
    this.#text = text
    this.#mark = mark
  }

  run(): readonly NotationItem[] {
    this.#skipSpace()
    this.#readName()
    if (this.#peek() === '{') this.#readLabels()
    if (this.#mark !== '' && this.#text.startsWith(this.#mark, this.#at)) this.#at += this.#mark.length
    while (!this.#hasFault && this.#at < this.#text.length) this.#readValue()
    if (!this.#hasFault) this.#add('end', this.#at)
    return this.#items
  }

  #peek(ahead = 0): string | undefined {
    const code = this.#text.codePointAt(this.#at + ahead)
    return code === undefined ? undefined : String.fromCodePoint(code)
  }

  /** Adds a token from the current position to `end`. */
  #add(kind: ItemKind, end: number): void {
    this.#items.push({ kind, text: this.#text.slice(this.#at, end), start: this.#at })
    this.#at = end
  }

  #fault(message: string): void {
    this.#hasFault = true
    this.#items.push({ kind: 'fault', text: message, start: this.#at })
  }

  #match(pattern: RegExp): number | undefined {
    pattern.lastIndex = this.#at
    return pattern.test(this.#text) ? pattern.lastIndex : undefined
  }

  #skipSpace(): void {
    while (isSpace(this.#peek())) this.#at++
  }

  #readName(): void {
    const end = this.#match(NAME)
    if (end !== undefined) this.#add('name', end)
  }

  #readString(): void {
    const { end, error } = scanString(this.#text, this.#at)
    if (error === undefined) this.#add('string', end)
    else this.#fault(error)
  }

  #readLabels(): void {
    this.#add('punctuation', this.#at + 1)
    while (!this.#hasFault) {
      this.#skipSpace()
      const char = this.#peek()
      const label = this.#match(LABEL)
      if (char === undefined) this.#fault('unexpected end of input inside braces')
      else if (label !== undefined) this.#add('name', label)
      else if (char === '"' || char === "'" || char === '`') this.#readString()
      else if (char === ',' || char === '=') this.#add('punctuation', this.#at + 1)
      else if (char === '{') this.#fault(`unexpected left brace ${quoteChar(char)}`)
      else if (char === '}') {
        this.#add('punctuation', this.#at + 1)
        return
      } else this.#fault(`unexpected character inside braces: ${quoteChar(char)}`)
    }
  }

  #readSpace(): void {
    let end = this.#at + 1
    while (isSpace(this.#text[end])) end++
    // Messages mention only the first white-space character.
    this.#items.push({ kind: 'space', text: this.#text.charAt(this.#at), start: this.#at })
    this.#at = end
  }

  /** Reads a number. `x` after a number or duration means repetition, so numbers are never hexadecimal. */
  #readNumber(): void {
    const repeat = this.#text.indexOf('x', this.#at)
    const head = repeat === -1 ? this.#text : this.#text.slice(0, repeat)
    const scanned = scanNumber(head, this.#at)
    if (scanned.kind !== 'bad') {
      this.#add(scanned.kind, scanned.end)
      return
    }
    const { end } = scanNumber(this.#text, this.#at)
    this.#fault(`bad number or duration syntax: ${quoteText(this.#text.slice(this.#at, end))}`)
  }

  #readValue(): void {
    const char = this.#peek()!
    if (isSpace(char)) this.#readSpace()
    else if (char === '{' && this.#peek(1) === '{') this.#readHistogram()
    else if (char === '+' || char === '-' || char === 'x' || char === '_') this.#add('punctuation', this.#at + 1)
    else if (isDigit(char) || (char === '.' && isDigit(this.#peek(1)))) this.#readNumber()
    else {
      const end = this.#match(NAME)
      if (end === undefined) this.#fault(`unexpected character in series sequence: ${quoteChar(char)}`)
      else this.#add(this.#isSpecialNumber(end) ? 'number' : 'name', end)
    }
  }

  #isSpecialNumber(end: number): boolean {
    const word = this.#text.slice(this.#at, end).toLowerCase()
    return word === 'inf' || word === 'nan'
  }

  #readHistogram(): void {
    this.#add('punctuation', this.#at + 2)
    while (!this.#hasFault) {
      const char = this.#peek()
      const word = this.#match(WORD)
      if (isSpace(char)) this.#readSpace()
      else if (word !== undefined) this.#readHistogramWord(word)
      else if (char === '}' && this.#peek(1) === '}') {
        this.#add('punctuation', this.#at + 2)
        return
      } else if (char === ':' || char === '-' || char === '[' || char === ']') {
        this.#add('punctuation', this.#at + 1)
      } else if (isDigit(char)) this.#readNumber()
      else this.#fault(`histogram description incomplete unexpected: ${quoteChar(char)}`)
    }
  }

  #readHistogramWord(end: number): void {
    const written = this.#text.slice(this.#at, end)
    const word = written.toLowerCase()
    if ((HISTOGRAM_KEYS as readonly string[]).includes(word)) {
      if (this.#text[end] === ':') this.#add('key', end)
      else this.#fault('missing `:` for histogram descriptor')
    } else if (this.#isSpecialNumber(end)) this.#add('number', end)
    else if (HINTS.has(word)) this.#add('hint', end)
    else this.#fault(`bad histogram descriptor found: ${quoteText(written)}`)
  }
}

/** Splits a line of series notation into tokens. Never throws. `mark` is skipped after the labels. */
export function readItems(text: string, mark = ''): readonly NotationItem[] {
  return new ItemReader(text, mark).run()
}
