import type { ForeignName } from '../../../src/backends/sql/index.ts'

/** How a database reads what stands between quotes: by the quote, what stands for it and for other characters inside. */
type Quotes = Readonly<Record<string, 'doubled' | 'escaped'>>

const standard: Quotes = { '"': 'doubled', "'": 'doubled' }

/** From the manuals of the databases, not from what writes the statements. */
const quotes: Readonly<Record<ForeignName, Quotes>> = {
  duckdb: standard,
  postgres: standard,
  sqlite: { ...standard, '`': 'doubled' },
  clickhouse: { '"': 'escaped', "'": 'escaped', '`': 'escaped' },
}

const ESCAPED: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '0': '\0',
  a: '\x07',
  v: '\v',
}

interface Token {
  readonly text: string
  /** What it says, for what stands between quotes. */
  readonly says: string | undefined
}

function quotedToken(sql: string, start: number, how: 'doubled' | 'escaped'): Token {
  const quote = sql[start]
  let says = ''
  for (let at = start + 1; at < sql.length; at++) {
    const char = sql[at] ?? ''
    if (how === 'escaped' && char === '\\') {
      const next = sql[++at] ?? ''
      says += ESCAPED[next] ?? next
    } else if (char !== quote) says += char
    else if (sql[at + 1] === quote) says += sql[at++]
    else return { text: sql.slice(start, at + 1), says }
  }
  return { text: sql.slice(start), says: undefined }
}

const WORD = /[\p{L}_][\p{L}\p{M}\p{N}_$]*/uy

function tokenAt(sql: string, start: number, known: Quotes): Token {
  const char = sql[start] ?? ''
  const how = known[char]
  if (how !== undefined) return quotedToken(sql, start, how)
  WORD.lastIndex = start
  const word = WORD.exec(sql)?.[0]
  if (word === undefined) return { text: char, says: undefined }
  // What takes arguments is a function, called as the text by chance.
  return { text: word, says: sql[start + word.length] === '(' ? undefined : word }
}

/** A mark that no statement has of itself. */
const MARK = '\u{f0000}'

const SIGNS_OF_PARAMETERS: ReadonlySet<string> = new Set(['$', ':', '{'])
const BLANKS = /[ \n]+/y

/**
 * The statement with a mark for every name or literal that says exactly the given text, as the database reads it, with the
 * place of each parameter for its name, and with one blank for all between two words. What stands inside of others, or leaves
 * its quotes, stays as it is: two statements that differ in nothing but a name in its quotes, in what parameters are called
 * after it and in the lines that its length breaks become one, and others do not.
 */
export function marked(
  sql: string,
  text: string,
  name: ForeignName,
  parameters: ReadonlyMap<string, string> = new Map(),
): string {
  const known = quotes[name]
  let made = ''
  let before = ''
  for (let at = 0; at < sql.length;) {
    BLANKS.lastIndex = at
    const blanks = BLANKS.exec(sql)?.[0]
    const token: Token = blanks === undefined ? tokenAt(sql, at, known) : { text: blanks, says: undefined }
    const isParameter = SIGNS_OF_PARAMETERS.has(before) && sql[at - 2] !== before
    const place = isParameter ? parameters.get(token.text) : undefined
    if (place !== undefined) made += place
    else if (blanks !== undefined) made += ' '
    else made += token.says === text ? MARK : token.text
    before = token.text
    at += token.text.length
  }
  return made
}
