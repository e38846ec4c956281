import { fold } from '../../../../data/index.ts'
import { bound, compare, sqlAnd, sqlCall, sqlFalse, sqlOr, sqlTrue, type SqlExpr } from '../../statement/ast.ts'
import type { Cell } from '../../cell.ts'
import type { ForeignWords } from '../../dialect.ts'
import { textAfter } from '../../conditions/tests-on-text.ts'
import {
  ASCII,
  SPELLED,
  beginningOf,
  beginningsOf,
  casesOf,
  inEveryCase,
  likeLiteral,
  literal,
  spellings,
} from './spellings.ts'
import { MAX_LISTED_VALUES } from '../../tuning.ts'

/** Matches texts with digits, such as ids, for which indexes are usually made. */
const ID = /[0-9]/

/**
 * Compiles comparisons of one text column, in lower case when case is ignored. Holds the reason when the engine cannot
 * convert to lower case as Sluice does.
 */
export class Reading {
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
   * Prepares the comparison with these texts. ASCII texts are compared only with letters that become ASCII in lower
   * case, which is much faster. Two letters beyond ASCII become `i` and `k`: with `isSpelled` lists and patterns
   * include them, otherwise they are converted too.
   */
  over(texts: readonly (string | undefined)[], isSpelled: boolean): void {
    if (!this.#isFolded || this.#words.hasAsciiFold !== true) return
    if (!texts.every((text) => text !== undefined && ASCII.test(text))) return
    this.#isSpelled = isSpelled
    this.#isAscii = true
    const isOdd = texts.some((text) => /[ik]/.test(text ?? ''))
    this.#sql = sqlCall(isOdd && !isSpelled ? 'fold-to-ascii' : 'lower-ascii', this.#given)
  }

  /** Writes a text as part of a pattern. */
  literal(text: string): string {
    const written = literal(text)
    return this.#isSpelled ? written.replaceAll(/[ik]/g, (letter) => `[${letter}${SPELLED[letter] ?? ''}]`) : written
  }

  /** Whether LIKE patterns can be used; regardless of case only for ASCII texts. */
  get #hasLike(): boolean {
    return this.#words.hasLike === true && (!this.#isFolded || this.#isAscii)
  }

  /** The column for comparisons in which its order does not matter, so that its indexes can be used. */
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

  /**
   * Compiles a condition that every text with this substring meets. It is added to the exact condition, since the
   * database has statistics on it and may have an index.
   */
  mayContain(part: string): SqlExpr {
    if (!this.#hasLike) return this.contains(part)
    const like = this.#like(`%${likeLiteral(part, this.#isFolded)}%`)
    if (!this.#isFolded || this.#hasTrigrams !== true) return like
    // In the column's own collation some letters may be lowered differently, so only the letters between them are
    // certain.
    const loosely = likeLiteral(part, false).replaceAll(/[ijk]/g, '%')
    return sqlAnd([sqlCall('like-folded', this.#plain, bound(`%${loosely}%`)), like])
  }

  /** Compiles a match with a pattern, which may ignore case. */
  matchesGiven(pattern: string): SqlExpr {
    return sqlCall(this.#isFolded ? 'matches-folded' : 'matches', this.#given, bound(pattern))
  }

  isAscii(): SqlExpr {
    return sqlCall('is-ascii', this.#given)
  }

  /**
   * Returns a searched text in lower case when case is ignored; `undefined` when the engine might convert it
   * differently.
   */
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

  /**
   * Compiles an equality in all spellings, for which indexes and statistics exist, or for a longer text by its first
   * letters before it is converted.
   */
  #equalsInAnyCase(given: readonly string[]): SqlExpr {
    const short = given.filter((text) => casesOf(text) <= MAX_LISTED_VALUES)
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
    const hasFew = given.length > 0 && given.reduce((sum, text) => sum + casesOf(text), 0) <= MAX_LISTED_VALUES
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

  /**
   * Compiles whether texts begin with these letters in any case by comparing bytes, since a conversion to lower case
   * makes a copy.
   */
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
