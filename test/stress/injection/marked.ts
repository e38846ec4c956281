import type { ForeignName } from '../../../src/backends/sql/index.ts'

/** For each quote character of a database: whether a quote inside quotes is doubled or escaped with a backslash. */
type Quotes = Readonly<Record<string, 'doubled' | 'escaped'>>

const standard: Quotes = { '"': 'doubled', "'": 'doubled' }

/** Quoting rules from the databases' manuals, so that they do not depend on the code under test. */
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
  /** Content of a quoted token, or the name that an unquoted one spells; `undefined` for all other tokens. */
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
  // A word before a parenthesis is a function whose name equals the string under test by chance.
  return { text: word, says: sql[start + word.length] === '(' ? undefined : word }
}

/** A character that no statement contains by itself. */
const MARK = '\u{f0000}'

const SIGNS_OF_PARAMETERS: ReadonlySet<string> = new Set(['$', ':', '{'])
const BLANKS = /[ \n]+/y

/**
 * Returns a normalized statement. Each name or literal whose content is exactly `text` becomes a mark. Each parameter's
 * name becomes its position. White space between two words becomes one blank.
 *
 * The string inside other tokens, or one that breaks out of its quotes, stays unchanged. So two statements become equal
 * only if they differ in nothing but a quoted name, parameters named after it, and the line breaks that its length
 * causes.
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
