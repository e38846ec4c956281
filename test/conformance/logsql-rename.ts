/**
 * Runs vectors under other names. For each vector a substitution of letters is drawn from a seed. It maps the
 * lower-case letters that occur to equally many other letters in the same order, and upper-case letters accordingly. It
 * is applied to all words of the query, its rows and its answer. So fields, values and aliases get other names, while
 * their lengths, equality, common prefixes and parts, letter case and order stay the same.
 *
 * These words keep their names everywhere in the vector:
 * - words of the language: keywords, names of pipes, filters, functions and options, of special fields and of the
 *   columns that pipes create, `true false null inf nan now`, days, months, value types;
 * - words that begin with a digit: numbers, durations, times, networks;
 * - characters after a backslash, and flags of regular expressions.
 *
 * A substitution is rejected if it turns a word into one that keeps its name. Each kept word in the rows must also have
 * the same relation to new words as to old ones: sorted before or after, contained in them or not. If no drawn
 * substitution fits, the vector runs unchanged. It also runs unchanged where letters have another meaning: hashes,
 * encodings (hex, base64, URL), `collapse_nums` and patterns, syslog, IPv6, column types, stream ids, named character
 * classes, and escapes of code points or backslashes.
 */
import { present, seededRandom, type Random } from '../../src/base/index.ts'
import {
  filterDefinitions,
  grammarKeywords,
  mathFunctions,
  pipeDefinitions,
  runningForms,
  statsForms,
  windowFunctions,
} from '../../src/lang/log/index.ts'

const special = `
  _msg _time _stream _stream_id true false null inf infinity nan now
  sun mon tue wed thu fri sat sunday monday tuesday wednesday thursday friday saturday
  jan feb mar apr may jun jul aug sep oct nov dec
  const dict string uint8 uint16 uint32 uint64 int64 float64 ipv4 iso8601
  name hits rank field_name field_value value vmrange error stats_remote messagefield
  q uc lc time duration duration_seconds plain concurrency parallel_readers ignore_global_time_filter
  allow_partial_response time_offset global_filter
  nanosecond microsecond millisecond second minute hour day week month year utc local
`

let kept: ReadonlySet<string> | undefined

/** Returns the words of the language in lower case. */
function keptWords(): ReadonlySet<string> {
  kept ??= new Set([
    ...special.split(/\s+/).filter((word) => word !== ''),
    ...grammarKeywords(),
    ...[...pipeDefinitions, ...filterDefinitions].flatMap(({ names }) => names),
    ...statsForms.keys(),
    ...runningForms.keys(),
    ...mathFunctions.keys(),
    ...windowFunctions.keys(),
  ])
  return kept
}

/** Matches a word, or text to skip: an escape, or flags of a regular expression. */
const PIECE = /\\.|\(\?[A-Za-z-]+(?=[):<])|[\p{L}\p{Nd}_]+/gsu

const ELSEWHERE =
  /hash\b|hex|base64|urlencode|urldecode|collapse_nums|pattern_match|patterns?\b|unpack_syslog|ipv6|value_type|_stream_id|decolorize|\[:|\\[pPxuU0-7]|block|query_stats|&[a-z]+;|\\\\|\[[^\]]*\d-?[a-zA-Z]/

/** Functions with text arguments in which letters are only names, so that renaming applies to them. */
const TEXT_FUNCTIONS: ReadonlySet<string> = new Set(
  `naturalLess sortStrings tokenizeDistinct replace split unpackJSONArray flattenJSON flattenJSONStream streamName
   streamNormalise streamNameToJSON logfmtRoundTrip fieldsToJSON fieldsToLogfmt uppercase lowercase rowsLiteral
   regexInnerText replaceRegexp`.split(/\s+/),
)

/** Members of a vector that describe it and are not renamed. */
const FIXED_MEMBERS: ReadonlySet<string> = new Set([
  'id',
  'kind',
  'src',
  'type',
  'valueType',
  'fn',
  'ds',
  'b64',
  'qb64',
])

export interface Renaming {
  /** True if the substitution changes any letter. */
  readonly isChanged: boolean
  readonly text: (text: string) => string
  /** Renames all strings and member names inside a vector, except in the members that describe it. */
  readonly vector: <V extends object>(vector: V) => V
}

export const noRenaming: Renaming = { isChanged: false, text: (text) => text, vector: (vector) => vector }

function isKept(word: string): boolean {
  return /^\p{Nd}/u.test(word) || keptWords().has(word.toLowerCase())
}

/** Collects every string and member name inside a vector, except in the members that describe it. */
function textsIn(value: unknown, texts: string[] = []): string[] {
  if (typeof value === 'string') texts.push(value)
  else if (Array.isArray(value)) for (const item of value) textsIn(item, texts)
  else if (value !== null && typeof value === 'object') {
    for (const [name, member] of Object.entries(value)) {
      if (FIXED_MEMBERS.has(name)) continue
      texts.push(name)
      textsIn(member, texts)
    }
  }
  return texts
}

function wordsIn(texts: readonly string[]): ReadonlySet<string> {
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(PIECE)].map(([piece]) => piece).filter((piece) => /^[\p{L}\p{Nd}_]/u.test(piece)),
    ),
  )
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'

/** Draws as many distinct letters as are used and maps the used ones to them in order, in both letter cases. */
function drawn(used: readonly string[], random: Random): ReadonlyMap<string, string> {
  const free = Array.from(ALPHABET)
  while (free.length > used.length) free.splice(random.below(free.length), 1)
  return new Map(
    used.flatMap((letter, i) => [
      [letter, present(free[i])] as const,
      [letter.toUpperCase(), present(free[i]).toUpperCase()] as const,
    ]),
  )
}

function substituted(word: string, letters: ReadonlyMap<string, string>): string {
  return Array.from(word, (char) => letters.get(char) ?? char).join('')
}

/**
 * True if a word that keeps its name has the same relation to the new word as to the old one: order, containment and
 * prefix.
 */
function isAlike(fixed: string, before: string, after: string): boolean {
  const relation = (word: string): string => {
    const [a, b] = [fixed.toLowerCase(), word.toLowerCase()]
    return `${fixed < word} ${a.includes(b)} ${b.includes(a)} ${a.startsWith(b)} ${b.startsWith(a)}`
  }
  return relation(before) === relation(after)
}

const DRAWINGS = 60

/**
 * Draws a substitution of letters for one vector. `data` holds its rows, `others` its further strings. Returns
 * `noRenaming` if no substitution is possible.
 */
export function renamingOf(id: string, seed: number, query: string, data: unknown, others?: unknown): Renaming {
  if (ELSEWHERE.test(query)) return noRenaming
  const dataTexts = textsIn(data)
  if (dataTexts.some((text) => /\\[^"nrt]/.test(text))) return noRenaming
  const dataWords = wordsIn(dataTexts)
  const words = [...new Set([...wordsIn([query, ...textsIn(others)]), ...dataWords])]
  const renamed = words.filter((word) => !isKept(word))
  const fixedInData = [...dataWords].filter(isKept)
  const fixedInQuery = words.filter((word) => isKept(word) && word.length > 2)
  const used = Array.from(ALPHABET).filter((letter) => renamed.some((word) => word.toLowerCase().includes(letter)))
  const random = seededRandom(seed * 1_000_003 + Number.parseInt(id.slice(0, 8), 16))
  for (let i = 0; i < DRAWINGS; i++) {
    const letters = drawn(used, random)
    const isFit = renamed.every((word) => {
      const after = substituted(word, letters)
      if (after !== word && isKept(after)) return false
      return (
        fixedInData.every((fixed) => isAlike(fixed, word, after)) &&
        fixedInQuery.every((fixed) => word.includes(fixed) === after.includes(fixed))
      )
    })
    if (!isFit) continue
    const isChanged = renamed.some((word) => substituted(word, letters) !== word)
    return isChanged ? withLetters(letters) : noRenaming
  }
  return noRenaming
}

function withLetters(letters: ReadonlyMap<string, string>): Renaming {
  const text = (given: string): string =>
    given.replaceAll(PIECE, (piece) => (/^[\\(]/.test(piece) || isKept(piece) ? piece : substituted(piece, letters)))
  const inside = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.map(inside)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [text(name), inside(member)]))
  }
  const vector = (given: object): unknown =>
    Object.fromEntries(
      Object.entries(given).map(([name, member]) => [name, FIXED_MEMBERS.has(name) ? member : inside(member)]),
    )
  return { isChanged: true, text, vector: (given) => vector(given) as typeof given }
}

/** True if the letters in a function's text arguments are only names, so that renaming applies to them. */
export function isTextFunction(name: string): boolean {
  return TEXT_FUNCTIONS.has(name)
}
