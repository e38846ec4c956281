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

/** Matches strings with digits, such as ids. Columns with ids usually have an index. */
const ID = /[0-9]/

/**
 * Compiles comparisons of a string column with searched strings, in lower case if case is ignored. If the database's
 * lower case may differ from Sluice's, `wanted` returns `undefined`.
 */
export class ConditionReader {
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
   * Prepares comparisons with these strings. If all of them are ASCII, SQL converts only letters whose lower case is
   * ASCII, which is much faster. Two of these letters are beyond ASCII, with `i` and `k` as lower case. With
   * `isSpelled`, lists and patterns contain these two letters, and SQL does not convert them.
   */
  over(texts: readonly (string | undefined)[], isSpelled: boolean): void {
    if (!this.#isFolded || this.#words.hasAsciiFold !== true) return
    if (!texts.every((text) => text !== undefined && ASCII.test(text))) return
    this.#isSpelled = isSpelled
    this.#isAscii = true
    const isOdd = texts.some((text) => /[ik]/.test(text ?? ''))
    this.#sql = sqlCall(isOdd && !isSpelled ? 'fold-to-ascii' : 'lower-ascii', this.#given)
  }

  /**
   * Writes a string with escapes, as part of a pattern. With `isSpelled`, `i` and `k` become sets that also contain the
   * letter beyond ASCII with this lower case.
   */
  literal(text: string): string {
    const written = literal(text)
    return this.#isSpelled ? written.replaceAll(/[ik]/g, (letter) => `[${letter}${SPELLED[letter] ?? ''}]`) : written
  }

  /** True if LIKE patterns can be used. If case is ignored, they require ASCII strings. */
  get #hasLike(): boolean {
    return this.#words.hasLike === true && (!this.#isFolded || this.#isAscii)
  }

  /**
   * The column without a conversion of its order, for comparisons that do not depend on order, so that the database can
   * use an index.
   */
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
   * Compiles a condition that is true for every string with this substring, and perhaps for others. It is added to the
   * exact condition, because the database has statistics for it and may have an index.
   */
  mayContain(text: string): SqlExpr {
    if (!this.#hasLike) return this.contains(text)
    const like = this.#like(`%${likeLiteral(text, this.#isFolded)}%`)
    if (!this.#isFolded || this.#hasTrigrams !== true) return like
    // The column's collation may give `i`, `j` and `k` another lower case, so wildcards replace these letters.
    const loosely = likeLiteral(text, false).replaceAll(/[ijk]/g, '%')
    return sqlAnd([sqlCall('like-folded', this.#plain, bound(`%${loosely}%`)), like])
  }

  /** Compiles a match of the unconverted column with a pattern, ignoring case if this reader does. */
  matchesGiven(pattern: string): SqlExpr {
    return sqlCall(this.#isFolded ? 'matches-folded' : 'matches', this.#given, bound(pattern))
  }

  isAscii(): SqlExpr {
    return sqlCall('is-ascii', this.#given)
  }

  /**
   * Returns a searched string, in lower case if case is ignored. `undefined` if the database's lower case of stored
   * strings may differ from Sluice's.
   */
  wanted(text: string, isFolded: boolean): string | undefined {
    const wanted = isFolded ? fold(text) : text
    if (!wanted.isWellFormed() || wanted.includes('\0')) return undefined
    if (!this.#isFolded) return wanted
    const { foldExcept } = this.#words
    return foldExcept === undefined || foldExcept.test(wanted) ? undefined : wanted
  }

  contains(text: string): SqlExpr {
    const exactly = sqlCall('contains-text', this.#sql, bound(text))
    if (!this.#hasLike) return exactly
    const like = this.#like(`%${likeLiteral(text, false)}%`)
    if (!this.#isFolded || !/[ik]/.test(text)) return like
    const odd = Object.entries(SPELLED)
      .filter(([letter]) => text.includes(letter))
      .map(([, other]) => sqlCall('like', this.#plain, bound(`%${other}%`)))
    return sqlOr([like, sqlAnd([sqlOr(odd), exactly])])
  }

  startsWith(text: string): SqlExpr {
    const exactly = sqlCall('starts-with', this.#sql, bound(text))
    if (!this.#hasLike) return exactly
    const like = this.#like(`${likeLiteral(text, this.#isFolded)}%`)
    return this.#isFolded && /[ik]/.test(text) ? sqlAnd([like, exactly]) : like
  }

  /**
   * Compiles a case-insensitive equality with one of the strings. All upper- and lower-case variants of a short string
   * are listed, so that the database can use indexes and statistics. For a long string, the first letters are compared
   * before the column is converted.
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
   * Compiles a condition that is true for every string that begins with the first letters of `text`, in any case. It
   * compares bytes, so no lower-case copies of strings are made.
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
