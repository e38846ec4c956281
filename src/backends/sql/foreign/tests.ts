import {
  compileTest,
  fold,
  isWordAt,
  isWordBefore,
  toText,
  wordNeeds,
  type ValueTest,
  type ValueTestOf,
} from '../../../data/index.ts'
import { bound, compare, sqlAnd, sqlCall, sqlFalse, sqlNot, sqlNull, sqlOr, sqlTrue, type SqlExpr } from '../ast.ts'
import { CannotCompile, type Place } from '../block.ts'
import { cell, emptyIsMissing, type Cell } from '../cell.ts'
import { plainTest } from '../cell-test.ts'
import type { Dialect, ForeignWords } from '../dialect.ts'
import { numbersEqualTo, polar } from '../tests-on-numbers.ts'
import { testOfText, textAfter, totalTest } from '../tests-on-text.ts'
import { isEmptyCell, isNotEmptyCell } from '../tests-on-values.ts'

/** What an engine says exactly: a condition, or why there is none. */
type Said = SqlExpr | string

const ASCII = /^[\0-\x7f]*$/

/** As it stands in a pattern. */
function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

const MAX_BEGINNINGS = 2

/** The first letters of a lowered text in either case, as far as they are few; two letters beyond ASCII lower to `i` and `k`. */
export function beginningsOf(text: string, most = MAX_BEGINNINGS): readonly string[] {
  let beginnings: readonly string[] = []
  for (const letter of text) {
    if (!/[ -hjl-~]/.test(letter)) break
    const cases = [...new Set([letter, letter.toUpperCase()])]
    if (Math.max(1, beginnings.length) * cases.length > most) break
    beginnings = (beginnings.length === 0 ? [''] : beginnings).flatMap((begun) => cases.map((each) => begun + each))
  }
  return beginnings
}

/** Letters beyond ASCII that lower to these. */
const SPELLED: Readonly<Record<string, string>> = { i: 'İ', k: '\u212a' }

/** A list has texts with at most so many of them in every spelling. */
const MAX_SPELLED = 3

/** A list has all spellings of its texts in either case while they are at most so many. */
const MAX_CASES = 256

/** Texts of one list in all their spellings. */
const MAX_LISTED = 1024

/** A statement has at most so many phrases of one test: each brings a pattern of about 2 KB. */
const MAX_PHRASES = 64

/** How many texts fold to this one of ASCII. */
function casesOf(text: string): number {
  let count = 1
  for (const letter of text) if (/[a-z]/.test(letter)) count *= letter in SPELLED ? 3 : 2
  return count
}

/** All texts that fold to this one of ASCII. */
function inEveryCase(text: string): readonly string[] {
  let made: readonly string[] = ['']
  for (const letter of text) {
    const cases = /[a-z]/.test(letter) ? [letter, letter.toUpperCase(), SPELLED[letter] ?? ''] : [letter]
    made = cases.filter((each) => each !== '').flatMap((each) => made.map((begun) => begun + each))
  }
  return made
}

/** Texts that look like numbers of something, which indexes are made for. */
const ID = /[0-9]/

const PREFIX_LETTERS = 3

/** The beginning of a folded text with few letters, none of which a character beyond ASCII lowers to. */
function beginningOf(text: string): string {
  const end = text.search(/[ik]/)
  const plain = end === -1 ? text : text.slice(0, end)
  const letters = [...plain.matchAll(/[a-z]/g)]
  return plain.slice(0, letters[PREFIX_LETTERS]?.index)
}

/** As it stands in a pattern of `LIKE`; `isLoose`: any character where one beyond ASCII may lower to what is looked for. */
function likeLiteral(text: string, isLoose: boolean): string {
  const written = text.replaceAll(/[\\%_]/g, String.raw`\$&`)
  return isLoose ? written.replaceAll(/[ik]/g, '_') : written
}

function spellings(text: string): readonly string[] {
  const at = text.search(/[ik]/)
  if (at === -1) return [text]
  const letter = text.charAt(at)
  const rests = spellings(text.slice(at + 1))
  return [letter, SPELLED[letter] ?? ''].flatMap((each) => rests.map((rest) => text.slice(0, at) + each + rest))
}

/** Texts as they are compared: lowered, when case does not count. Or why the engine cannot lower them as we do. */
class Reading {
  #sql: SqlExpr
  readonly #given: SqlExpr
  readonly #words: ForeignWords
  readonly #isFolded: boolean
  #isSpelled = false
  #isAscii = false
  readonly #hasTrigrams: boolean | undefined

  constructor(c: Cell, words: ForeignWords, isFolded: boolean) {
    this.#isFolded = isFolded && c.facts.hasUnfolded
    this.#words = words
    this.#given = c.sql
    this.#hasTrigrams = c.facts.hasTrigrams
    this.#sql = this.#isFolded ? sqlCall('fold', c.sql) : c.sql
  }

  /**
   * Texts in ASCII only meet letters that lower to ASCII, which is far quicker. Two beyond it lower to `i` and `k`: with
   * `isSpelled` these are looked for as well, in lists and patterns; otherwise they are lowered too.
   */
  over(texts: readonly (string | undefined)[], isSpelled: boolean): void {
    if (!this.#isFolded || this.#words.hasAsciiFold !== true) return
    if (!texts.every((text) => text !== undefined && ASCII.test(text))) return
    this.#isSpelled = isSpelled
    this.#isAscii = true
    const isOdd = texts.some((text) => /[ik]/.test(text ?? ''))
    this.#sql = sqlCall(isOdd && !isSpelled ? 'fold-to-ascii' : 'lower-ascii', this.#given)
  }

  /** As it stands in a pattern. */
  literal(text: string): string {
    const written = literal(text)
    return this.#isSpelled ? written.replaceAll(/[ik]/g, (letter) => `[${letter}${SPELLED[letter] ?? ''}]`) : written
  }

  /** Whether patterns of `LIKE` say it: of folded texts those in ASCII. */
  get #hasLike(): boolean {
    return this.#words.hasLike === true && (!this.#isFolded || this.#isAscii)
  }

  /** The column as it is compared when its order makes no difference, which its indexes are for. */
  get #plain(): SqlExpr {
    const given = this.#given
    const [arg] = given.kind === 'call' && (given.name === 'in-bytes' || given.name === 'in-order') ? given.args : []
    return arg ?? given
  }

  #like(pattern: string): SqlExpr {
    return this.#isFolded
      ? sqlCall('like-folded', this.#given, bound(pattern))
      : sqlCall('like', this.#plain, bound(pattern))
  }

  /** What is at least so of texts with this part; the database has statistics of such a condition, and may have an index. */
  mayContain(part: string): SqlExpr {
    if (!this.#hasLike) return this.contains(part)
    const like = this.#like(`%${likeLiteral(part, this.#isFolded)}%`)
    if (!this.#isFolded || this.#hasTrigrams !== true) return like
    // In the column's own order, whose letters may lower in another way: what is certain are those between them.
    const loosely = likeLiteral(part, false).replaceAll(/[ijk]/g, '%')
    return sqlAnd([sqlCall('like-folded', this.#plain, bound(`%${loosely}%`)), like])
  }

  /** A pattern, and whether it is meant regardless of case. */
  matchesGiven(pattern: string): SqlExpr {
    return sqlCall(this.#isFolded ? 'matches-folded' : 'matches', this.#given, bound(pattern))
  }

  isAscii(): SqlExpr {
    return sqlCall('is-ascii', this.#given)
  }

  /** A text that is looked for, as it is compared; `undefined` when the engine might lower it otherwise. */
  wanted(text: string, isFolded: boolean): string | undefined {
    const wanted = isFolded ? fold(text) : text
    if (!wanted.isWellFormed() || wanted.includes('\0')) return undefined
    if (!this.#isFolded) return wanted
    const { foldExcept } = this.#words
    return foldExcept === undefined || foldExcept.test(wanted) ? undefined : wanted
  }

  contains(part: string): SqlExpr {
    const exactly = sqlCall('contains-text', this.#sql, bound(part))
    if (!this.#hasLike) return exactly
    const like = this.#like(`%${likeLiteral(part, false)}%`)
    if (!this.#isFolded || !/[ik]/.test(part)) return like
    const odd = Object.entries(SPELLED)
      .filter(([letter]) => part.includes(letter))
      .map(([, other]) => sqlCall('like', this.#plain, bound(`%${other}%`)))
    return sqlOr([like, sqlAnd([sqlOr(odd), exactly])])
  }

  startsWith(part: string): SqlExpr {
    const exactly = sqlCall('starts-with', this.#sql, bound(part))
    if (!this.#hasLike) return exactly
    const like = this.#like(`${likeLiteral(part, this.#isFolded)}%`)
    return this.#isFolded && /[ik]/.test(part) ? sqlAnd([like, exactly]) : like
  }

  /** In every spelling, which indexes and statistics serve, or by what is known of a longer text before it is lowered. */
  #equalsInAnyCase(given: readonly string[]): SqlExpr {
    const short = given.filter((text) => casesOf(text) <= MAX_CASES)
    const spelled = short.flatMap(inEveryCase)
    const [only] = spelled
    const listed: SqlExpr =
      only !== undefined && spelled.length === 1
        ? compare(this.#given, '=', bound(only))
        : { kind: 'in', arg: this.#given, values: spelled, isNegated: false }
    const long = given.filter((text) => !short.includes(text)).map((text) => this.#equalsLong(text))
    return sqlOr([...(spelled.length === 0 ? [] : [listed]), ...long])
  }

  #equalsLong(text: string): SqlExpr {
    const isOdd = /[ik]/.test(text)
    const like = this.#like(likeLiteral(text, true))
    const wanted = spellings(text)
    const lowered = sqlCall(isOdd && !this.#isSpelled ? 'fold-to-ascii' : 'lower-ascii', this.#given)
    const exactly: SqlExpr =
      this.#isSpelled && wanted.length > 1
        ? { kind: 'in', arg: lowered, values: wanted, isNegated: false }
        : compare(lowered, '=', bound(text))
    const beginning = beginningOf(text)
    const hasOrder = this.#given.kind === 'column' || (this.#given.kind === 'call' && this.#given.name === 'in-order')
    if (!hasOrder || beginning === '' || !ID.test(text)) return isOdd ? sqlAnd([like, exactly]) : like
    const ranges = inEveryCase(beginning).map((each) =>
      sqlAnd([compare(this.#plain, '>=', bound(each)), compare(this.#plain, '<', bound(textAfter(each) ?? each))]),
    )
    return sqlAnd([sqlOr(ranges), exactly])
  }

  equalsAny(given: readonly string[], isPositive: boolean): SqlExpr {
    const hasFew = given.length > 0 && given.reduce((sum, text) => sum + casesOf(text), 0) <= MAX_LISTED
    if (this.#hasLike && this.#isFolded && (hasFew || given.length === 1)) return this.#equalsInAnyCase(given)
    const texts = this.#isSpelled ? given.flatMap(spellings) : given
    const [only] = texts
    if (only === undefined) return sqlFalse
    if (texts.length === 1) {
      const equals = compare(this.#sql, '=', bound(only))
      return isPositive ? sqlAnd([this.#mayBegin(only), equals]) : equals
    }
    return { kind: 'in', arg: this.#sql, values: texts, isNegated: false }
  }

  /** Texts whose first letters are these in either case: no more than a look at their bytes, where lowering is a copy. */
  #mayBegin(text: string): SqlExpr {
    if (!this.#isFolded || this.#words.hasQuickOrder !== true) return sqlTrue
    const beginnings = beginningsOf(text)
    if (beginnings.length === 0) return sqlTrue
    return sqlOr(
      beginnings.map((beginning) => {
        const end = beginning.slice(0, -1) + String.fromCharCode(beginning.charCodeAt(beginning.length - 1) + 1)
        return sqlAnd([compare(this.#given, '>=', bound(beginning)), compare(this.#given, '<', bound(end))])
      }),
    )
  }

  matches(pattern: string): SqlExpr {
    return sqlCall('matches', this.#sql, bound(pattern))
  }
}

/** Characters of ASCII that are in no word. */
const NO_WORD_IN_ASCII = String.raw`[\u0001-/:-@\u005b-\u005e\u0060{-\u007f]`

const NO_FOLD = 'it lowers some letters in another way'
const OTHER_PATTERNS = 'its regular expressions are of another kind'
const NO_WORDS = 'it has no pattern for whole words in any alphabet'

interface Piece {
  readonly text: string
  readonly startsWord: boolean
  readonly endsWord: boolean
}

function pieceOf(text: string, isPrefix: boolean): Piece {
  return { text, startsWord: isWordAt(text, 0), endsWord: !isPrefix && isWordBefore(text, text.length) }
}

/** Phrases one after the other, none cut inside a word. Between two the boundary of both may be one character. */
function patternOf(pieces: readonly Piece[], edge: string, reading: Reading): string {
  let pattern = ''
  for (const [i, { text, startsWord, endsWord }] of pieces.entries()) {
    const before = pieces[i - 1]
    if (before === undefined) pattern += startsWord ? `(?:^|${edge})` : ''
    else if (before.endsWord && startsWord) pattern += `${edge}(?:.*${edge})?`
    else if (before.endsWord) pattern += `(?:${edge}.*)?`
    else pattern += startsWord ? `(?:.*${edge})?` : '.*'
    pattern += reading.literal(text)
    if (i === pieces.length - 1 && endsWord) pattern += `(?:${edge}|$)`
  }
  return `(?s)${pattern}`
}

function phrases(
  c: Cell,
  texts: readonly string[],
  words: ForeignWords,
  { isFolded, isPrefix = false }: { readonly isFolded: boolean; readonly isPrefix?: boolean },
): Said {
  const reading = new Reading(c, words, isFolded)
  const wanted = texts.map((text) => reading.wanted(text, isFolded))
  const known = wanted.filter((text) => text !== undefined)
  if (known.length < wanted.length) return NO_FOLD
  const pieces = known.map((text) => pieceOf(text, isPrefix))
  const isPart = pieces.length === 1 && pieces.every((piece) => !piece.startsWord && !piece.endsWord)
  reading.over(known, !isPart && (words.isSlowWithClasses === true || words.hasLike === true))
  if (isPart) return sqlAnd(known.map((text) => reading.contains(text)))
  if (words.wordClass === undefined) return NO_WORDS
  const pattern = (wordClass: string): SqlExpr => reading.matches(patternOf(pieces, `[^${wordClass}]`, reading))
  const exactly = pattern(words.wordClass)
  if (words.hasLike === true) {
    const edges = (edge: string): SqlExpr => reading.matchesGiven(patternOf(pieces, edge, reading))
    const sure = edges(NO_WORD_IN_ASCII)
    return sqlAnd([
      ...known.map((text) => reading.mayContain(text)),
      sqlOr([sure, sqlAnd([edges('[^0-9A-Za-z_]'), exactly])]),
    ])
  }
  const contained = known.map((text) => reading.contains(text))
  // Looking for the letters alone is far quicker, and most texts lack them.
  if (!words.hasRe2) return sqlAnd([...contained, exactly])
  // The large class is only made where a character beyond ASCII stands at the edge of a word.
  const surely = pattern(String.raw`0-9A-Za-z_\x{80}-\x{10ffff}`)
  const perhaps = pattern('0-9A-Za-z_')
  return words.isSlowWithClasses === true
    ? sqlAnd([perhaps, sqlOr([reading.isAscii(), surely, exactly])])
    : sqlAnd([...contained, sqlOr([surely, sqlAnd([perhaps, exactly])])])
}

function each(parts: readonly Said[], join: (args: readonly SqlExpr[]) => SqlExpr): Said {
  const reason = parts.find((part) => typeof part === 'string')
  return reason ?? join(parts.filter((part) => typeof part !== 'string'))
}

/** Patterns of RE2 that mean the same wherever it runs: in ASCII, without classes of a Unicode version. */
function regexp(c: Cell, test: ValueTestOf<'regexp'>, words: ForeignWords): Said {
  const { pattern, isFolded } = test
  if (words.pattern !== undefined) {
    const own = words.pattern(pattern, isFolded)
    return own === undefined ? OTHER_PATTERNS : sqlCall('matches', c.sql, bound(own))
  }
  if (!words.hasRe2) return OTHER_PATTERNS
  if (!ASCII.test(pattern) || /\\[pPCQ]|\(\?[a-zA-Z]*[^:P)]|\\0/.test(pattern)) {
    return 'the pattern may mean something else in its version of RE2'
  }
  if (pattern.includes('\0')) return 'it has no patterns with a zero character'
  return sqlCall('matches', c.sql, bound(`${isFolded ? '(?is)' : '(?s)'}${pattern}`))
}

/** What holds of texts that are not empty. */
function onText(c: Cell, test: ValueTest, isPositive: boolean, words: ForeignWords): Said {
  switch (test.kind) {
    case 'equals':
    case 'in': {
      const values = test.kind === 'equals' ? [test.value] : test.values
      const reading = new Reading(c, words, test.isFolded)
      const wanted = values.map((value) => reading.wanted(toText(value), test.isFolded))
      const known = wanted.filter((text): text is string => text !== undefined && text !== '')
      if (wanted.includes(undefined)) return NO_FOLD
      reading.over(
        wanted,
        known.every((text) => (text.match(/[ik]/g)?.length ?? 0) <= MAX_SPELLED),
      )
      return reading.equalsAny([...new Set(known)], isPositive)
    }
    case 'phrase':
      return test.text === '' ? sqlFalse : phrases(c, [test.text], words, test)
    case 'phrase-prefix':
      return test.text === '' ? sqlTrue : phrases(c, [test.text], words, { isFolded: test.isFolded, isPrefix: true })
    case 'sequence': {
      const texts = test.phrases.filter((phrase) => phrase !== '')
      return texts.length === 0 ? sqlTrue : phrases(c, texts, words, test)
    }
    case 'contains-all':
    case 'contains-any': {
      if (test.phrases.length > MAX_PHRASES) return `it looks for more than ${MAX_PHRASES} phrases at once`
      const parts = test.phrases.map((phrase) => (phrase === '' ? sqlTrue : phrases(c, [phrase], words, test)))
      return each(parts, test.kind === 'contains-all' ? sqlAnd : sqlOr)
    }
    case 'starts-with':
    case 'contains': {
      if (test.text === '') return sqlTrue
      const reading = new Reading(c, words, test.isFolded)
      const wanted = reading.wanted(test.text, test.isFolded)
      if (wanted === undefined) return NO_FOLD
      reading.over([wanted], false)
      return test.kind === 'contains' ? reading.contains(wanted) : reading.startsWith(wanted)
    }
    case 'glob': {
      if (!words.hasRe2 && words.pattern === undefined) return OTHER_PATTERNS
      const reading = new Reading(c, words, test.isFolded)
      const wanted = test.parts.map((part) => reading.wanted(part, test.isFolded))
      const known = wanted.filter((part) => part !== undefined)
      if (known.length < wanted.length) return NO_FOLD
      reading.over(known, true)
      return reading.matches(`(?s)^${known.map((part) => reading.literal(part)).join('.*')}$`)
    }
    case 'regexp':
      return regexp(c, test, words)
    case 'range':
      return 'texts that are numbers, durations, sizes, times or addresses are read one by one'
    case 'time-range':
      return 'texts that are times are read one by one'
    default:
      return `\`${test.kind === 'named' ? test.name : test.kind}\` is read one by one`
  }
}

/** Runs of ASCII letters and digits that the database looks for at once. */
const MAX_RUNS = 16

/** Runs that stand whole, between other characters, in the lowered text of each value that passes. */
function runsOf(test: ValueTest): readonly string[] {
  const runs = wordNeeds(test).flatMap(({ word, isPrefix }) => {
    const parts = word.split(/[^0-9a-z]/)
    return isPrefix ? parts.slice(0, -1) : parts
  })
  return [...new Set(runs)].filter((run) => run !== '').slice(0, MAX_RUNS)
}

/** What the table's index of words knows of texts that pass: no text that passes fails it. */
function indexed(c: Cell, test: ValueTest, dialect: Dialect): SqlExpr {
  if (c.hasWords !== true || dialect.functions['has-words'] === undefined) return sqlTrue
  if (test.kind === 'contains-any') {
    if (test.phrases.length > MAX_PHRASES) return sqlTrue
    return sqlOr(
      test.phrases.map((phrase) => indexed(c, { ...test, kind: 'contains-all', phrases: [phrase] }, dialect)),
    )
  }
  const runs = runsOf(test)
  return runs.length === 0 ? sqlTrue : sqlCall('has-words', c.sql, bound(runs.join(' ')))
}

function textTest(c: Cell, test: ValueTest, isPositive: boolean, dialect: Dialect, words: ForeignWords): Said {
  const isOrder = test.kind === 'compare-text' || test.kind === 'string-range'
  const isPlain = test.kind === 'equals' || test.kind === 'in' || test.kind === 'starts-with'
  const plain =
    test.kind === 'empty' || isOrder || (isPlain && !(test.isFolded && c.facts.hasUnfolded))
      ? testOfText(c, test, isPositive)
      : undefined
  if (plain !== undefined) return plain
  const holds = onText(c, test, isPositive, words)
  if (typeof holds === 'string') return holds
  if (holds !== sqlTrue && holds !== sqlFalse) {
    const known = isPositive ? indexed(c, test, dialect) : sqlTrue
    return totalTest(c, test, sqlAnd([known, holds]), isPositive)
  }
  const takesText = (holds === sqlTrue) === isPositive
  if ((compileTest(test)('') === isPositive) === takesText) return takesText ? sqlTrue : sqlFalse
  return takesText ? isNotEmptyCell(c) : isEmptyCell(c)
}

const MIN = -(2n ** 63n)
const MAX = 2n ** 63n - 1n

function integerBound(value: number | bigint, isMin: boolean, isIncluded: boolean): bigint | undefined {
  if (typeof value === 'bigint') return isIncluded ? value : isMin ? value + 1n : value - 1n
  if (!Number.isFinite(value)) return undefined
  const whole = BigInt(isMin ? Math.ceil(value) : Math.floor(value))
  if (isIncluded || !Number.isInteger(value)) return whole
  return isMin ? whole + 1n : whole - 1n
}

/** A range of whole numbers: its ends are whole too, so that nothing is rounded. */
function integerRange(c: Cell, test: ValueTestOf<'range'>): SqlExpr {
  const { min, max, isMinIncluded, isMaxIncluded } = test
  if (min !== min || max !== max || min === Infinity || max === -Infinity) return sqlFalse
  const from = integerBound(min, true, isMinIncluded)
  const to = integerBound(max, false, isMaxIncluded)
  if ((from !== undefined && from > MAX) || (to !== undefined && to < MIN)) return sqlFalse
  return sqlAnd([
    from === undefined || from <= MIN ? sqlTrue : compare(c.sql, '>=', bound(from)),
    to === undefined || to >= MAX ? sqlTrue : compare(c.sql, '<=', bound(to)),
  ])
}

/** Bounds that wider integers are compared with exactly. */
function isWithin64Bits({ min, max }: ValueTestOf<'range'>): boolean {
  return [min, max].every((each) =>
    typeof each === 'number' ? Math.abs(each) < 2 ** 63 || Math.abs(each) === Infinity : each > MIN && each < MAX,
  )
}

function isExactFloat(value: number | bigint): boolean {
  return typeof value === 'number' || BigInt(Number(value)) === value
}

/** A range of floats. NaN, which many databases take for the greatest, lies in none; `isNaNKnown`: the database knows. */
function floatRange(c: Cell, test: ValueTestOf<'range'>, isNaNKnown: boolean): Said {
  const { min, max, isMinIncluded, isMaxIncluded } = test
  if (!isExactFloat(min) || !isExactFloat(max)) return 'no float is this bound'
  if (min !== min || max !== max) return sqlFalse
  const hasMin = !(min === -Infinity && isMinIncluded)
  const hasMax = !(max === Infinity && isMaxIncluded)
  return sqlAnd([
    hasMin ? compare(c.sql, isMinIncluded ? '>=' : '>', bound(Number(min))) : sqlTrue,
    hasMax ? compare(c.sql, isMaxIncluded ? '<=' : '<', bound(Number(max))) : sqlTrue,
    isNaNKnown && (hasMin || hasMax) ? sqlTrue : sqlNot(sqlCall('is-nan', c.sql)),
  ])
}

/** Whether a column of whole numbers can hold it: no database takes what is beyond all its types. */
function fitsColumn(kind: Cell['facts']['number']): (value: bigint) => boolean {
  const bits = kind === 'integer' ? 64 : 127
  return (value) => BigInt.asIntN(bits, value) === value
}

function numberTest(c: Cell, test: ValueTest, isPositive: boolean, dialect: Dialect, words: ForeignWords): Said {
  const kind = c.facts.number
  switch (test.kind) {
    case 'empty':
      return isPositive ? isEmptyCell(c) : isNotEmptyCell(c)
    case 'range': {
      if (kind === 'wide' && !isWithin64Bits(test)) return 'its bounds lie beyond 64 bits'
      const range =
        kind === 'integer' || kind === 'wide'
          ? integerRange(c, test)
          : floatRange(c, test, isPositive && words.comparesNoNaN === true)
      return typeof range === 'string' ? range : (polar(c, range, isPositive) ?? range)
    }
    case 'equals':
    case 'in': {
      const found = numbersEqualTo(test)
      if (found === undefined) return 'no float is this number'
      const holds = compileTest(test)
      const numbers = found.filter((value) => typeof value === 'number' || typeof value === 'bigint')
      const wanted =
        kind === 'float'
          ? numbers.filter(isExactFloat).map(Number)
          : numbers
              .filter((value) => Number.isInteger(Number(value)))
              .map(BigInt)
              .filter(fitsColumn(kind))
      const listed: SqlExpr[] = []
      const [only] = wanted
      if (wanted.length === 1 && only !== undefined) listed.push(compare(c.sql, '=', bound(only)))
      else if (wanted.length > 0) listed.push({ kind: 'in', arg: c.sql, values: wanted, isNegated: false })
      if (kind === 'float' && holds(NaN)) listed.push(sqlCall('is-nan', c.sql))
      const said = sqlOr(listed)
      const takesEmpty = holds(null)
      if (isPositive) return takesEmpty ? sqlOr([said, isEmptyCell(c)]) : said
      if (said === sqlFalse) return takesEmpty ? isNotEmptyCell(c) : sqlTrue
      return takesEmpty ? sqlAnd([isNotEmptyCell(c), sqlNot(said)]) : sqlOr([sqlNot(said), isEmptyCell(c)])
    }
    default: {
      if (kind === 'float') return 'it writes floats in another way'
      const facts = { ...c.facts, hasEmpty: false, hasUnfolded: false, hasOddFold: false }
      return textTest(cell(sqlCall('as-text', c.sql), 'text', facts), test, isPositive, dialect, words)
    }
  }
}

/** Each of the three values that a bool has is tested here. */
function boolTest(c: Cell, test: ValueTest, isPositive: boolean): SqlExpr {
  const holds = compileTest(test)
  const takes = (value: boolean | null): boolean => holds(value) === isPositive
  const [yes, no, missing] = [takes(true), takes(false), !c.facts.hasMissing || takes(null)]
  if (yes && no) return missing ? sqlTrue : isNotEmptyCell(c)
  const part = yes ? c.sql : no ? sqlNot(c.sql) : sqlFalse
  return missing && c.facts.hasMissing ? sqlOr([part, isEmptyCell(c)]) : part
}

/** The condition with its values as those of the enumerated type. */
function asEnum(expr: SqlExpr): SqlExpr {
  switch (expr.kind) {
    case 'bound':
      return { ...expr, isEnum: true }
    case 'in':
      return { ...expr, isEnum: true }
    case 'and':
    case 'or':
      return { ...expr, args: expr.args.map(asEnum) }
    case 'compare':
      return { ...expr, right: asEnum(expr.right) }
    default:
      return expr
  }
}

/** The test as a condition, total in both polarities. Throws CannotCompile with what the engine cannot say exactly. */
export function foreignTest(
  given: Cell,
  test: ValueTest,
  isPositive: boolean,
  { node }: Place,
  dialect: Dialect,
): SqlExpr {
  const { foreign } = dialect
  const c = emptyIsMissing(given)
  const said = ((): Said => {
    if (foreign === undefined) return 'it is no database of its own'
    if (c.assembled === undefined && c.sql === sqlNull) {
      return compileTest(test)(null) === isPositive ? sqlTrue : sqlFalse
    }
    if (c.assembled !== undefined) return 'a sum of floats is put together above it'
    if (c.facts.values !== undefined && c.form !== 'bool' && c.form !== 'time') {
      const known = plainTest(c, test, isPositive)
      if (known === undefined) return 'its values are of several kinds'
      return c.facts.isEnum === true ? asEnum(known) : known
    }
    switch (c.form) {
      case 'text':
        return textTest(c, test, isPositive, dialect, foreign)
      case 'number':
        return numberTest(c, test, isPositive, dialect, foreign)
      case 'bool':
        return boolTest(c, test, isPositive)
      case 'time':
        return plainTest(c, test, isPositive) ?? 'it writes times in another way'
      case 'any':
        return 'its values are of several kinds'
    }
  })()
  if (typeof said === 'string') throw new CannotCompile(node, said)
  return said
}
