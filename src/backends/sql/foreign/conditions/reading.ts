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

/** Texts that look like numbers of something, which indexes are made for. */
const ID = /[0-9]/

/** Texts as they are compared: lowered, when case does not count. Or why the engine cannot lower them as we do. */
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
