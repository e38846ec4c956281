import type { ColumnKind } from './statement/ast.ts'
import type { ForeignSource } from './foreign/source.ts'
import type { SqlParameter } from './statement/params.ts'

/** Text with `{0}`, `{1}` … for arguments and `{*}` for all of them, separated by commas. */
export interface SqlTemplate {
  readonly text: string
}

export function template(text: string): SqlTemplate {
  return { text }
}

export function fillTemplate({ text }: SqlTemplate, args: readonly string[]): string {
  return text.replace(/\{(\d+|\*)\}/g, (_, which: string) =>
    which === '*' ? args.join(', ') : (args[Number(which)] ?? ''),
  )
}

/** What a column of a database's own type holds. */
export type NativeType =
  /**
   * `values`: the only ones there can be. `read`: the function of the dialect that makes them texts compared by bytes.
   * `isCoded`: kept as places in a list of the different ones. `isJson`: they are the JSON of lists and objects.
   */
  | {
      readonly kind: 'text'
      readonly values?: readonly string[]
      readonly read?: string
      readonly isCoded?: boolean
      readonly isJson?: boolean
    }
  /** Whole numbers of at most 64 bits with a sign; `isNarrow`: of at most 32, so that sums of few stay within 64. */
  | { readonly kind: 'integer'; readonly isNarrow?: boolean }
  /** Whole numbers beyond. */
  | { readonly kind: 'wide' }
  /** Floats of 64 bits; `read`: the function of the dialect that makes them such, exactly. */
  | { readonly kind: 'float'; readonly read?: string }
  | { readonly kind: 'bool' }
  /**
   * A point in time: `toNs` and `make` are functions of the dialect; `make` takes whole steps of `unitNs`, or with `spell`
   * the text of a time.
   */
  | {
      readonly kind: 'time'
      readonly unitNs: bigint
      readonly toNs: string
      readonly make: string
      readonly spell?: (ns: bigint) => string
    }
  /** Anything else: given as text by the function `as-text`. */
  | { readonly kind: 'other' }

/** What a database that runs no code of ours has to spell, and what it can say exactly. Functions are the dialect's. */
export interface ForeignWords {
  readonly native: (type: string) => NativeType
  readonly source: (source: ForeignSource) => string
  /** A member of a column. `place` is the mark of a parameter. */
  readonly member: (
    column: string,
    path: readonly string[],
    holds: ColumnKind,
    place: (text: string) => string,
  ) => string
  /** Whether `member` is written with operators, which others may bind tighter than. */
  readonly hasMemberOperators?: boolean
  /** Whether a map gives `''` for names that it lacks. */
  readonly hasEmptyMembers?: boolean
  /** A value of an enumerated type, where a parameter would be compared as a text. */
  readonly enumValue?: (text: string) => string
  /** Whether the first rows of each group are `LIMIT n BY`, which sorts once, not group by group. */
  readonly hasLimitBy?: boolean
  /** Whether GROUP BY takes the places of result columns. */
  readonly groupsByPlace?: boolean
  /** Whether a column of a join, when both sides have one of its name, is named with its side unless it is named anew. */
  readonly keepsSources?: boolean
  /** Whether the least of a column of nothing but NaN is +Inf when it is taken from statistics: of no groups and conditions. */
  readonly hasOddLeast?: boolean
  /** Whether a full join takes no condition under which missing meets missing. */
  readonly hasOnlyPlainFullJoins?: boolean
  /** Truth and its opposite. */
  readonly booleans: readonly [string, string]
  /**
   * `fold` lowers letters as we do, except that texts looked for may hold none of these characters; `undefined` when the
   * database has no such function.
   */
  readonly foldExcept: RegExp | undefined
  /** Whether `lower-ascii` and `fold-to-ascii` fold what can become ASCII, without and with the letters beyond it that do. */
  readonly hasAsciiFold?: boolean
  /** Whether texts compare by their bytes, and so much quicker than they are lowered that it pays to do that first. */
  readonly hasQuickOrder?: boolean
  /**
   * Whether `like` tests a text by a pattern of `%` and `_`, `like-folded` and `matches-folded` regardless of the case of
   * letters in ASCII, and the database knows from its statistics how many rows such a condition leaves.
   */
  readonly hasLike?: boolean
  /** Texts from `from` on as one parameter, whose place is `place`, for which `arg = ANY(place)` is quicker than a list. */
  readonly anyOf?: {
    readonly from: number
    readonly text: (values: readonly string[]) => string
    readonly place: (position: number) => string
  }
  /** Whether NaN is neither less nor greater than a number. */
  readonly comparesNoNaN?: boolean
  /** Whether a pattern with a large class is made anew so often that smaller ones beside it pay. */
  readonly isSlowWithClasses?: boolean
  /** A character class, without its brackets, of exactly the word characters, for the function `matches`; RE2 otherwise. */
  readonly wordClass: string | undefined
  /** Whether `matches` means patterns of users as we do, if they are in ASCII and have no Unicode classes. */
  readonly hasRe2: boolean
  /** Where it does not: a pattern of its own for one of ours, if it surely means the same. */
  readonly pattern?: (re2: string, isFolded: boolean) => string | undefined
}

/** How one database spells SQL: data over a complete default. */
export interface Dialect {
  readonly name: string
  readonly identifier: (name: string) => string
  /** Bytes of a name that the database keeps; it cuts the rest. Unlimited unless given. */
  readonly maxNameBytes?: number
  /** The mark of the n-th parameter, from 1. */
  readonly parameter: (position: number, parameter: SqlParameter) => string
  /** Where NULL sorts when nothing is said; `last` whatever the direction. */
  readonly nullIs: 'smallest' | 'largest' | 'last'
  /** Comparisons for which NULL is a value like others: equal, and not. */
  readonly nullSafe: readonly [string, string]
  /** Whether `row_number() OVER (ORDER BY …) <= 1` gives a row where there is none, unless the window has a partition. */
  readonly numbersNothing?: boolean
  /** For a database that keeps its own data. */
  readonly foreign?: ForeignWords
  /** Parameters one statement may have. */
  readonly maxParameters: number
  /** Lists from this length on go over as one JSON array. */
  readonly arrayFrom: number
  /** The values of a JSON array parameter, as the right side of `IN`. */
  readonly arrayValues: SqlTemplate
  /** Scalar functions and operators by our name. */
  readonly functions: Readonly<Record<string, SqlTemplate>>
  readonly aggregates: Readonly<Record<string, SqlTemplate>>
  /** What the database cannot run, by node kind, function or test name, and why. */
  readonly cannot: Readonly<Record<string, string>>
}

/** Names as they are where they are plain and none of these words, which are no names without quotes; else in quotes. */
export function identifiersWithout(reserved: string): Dialect['identifier'] {
  const words = new Set(reserved.split(' '))
  return (name) => (/^[a-z_][a-z0-9_]*$/.test(name) && !words.has(name) ? name : `"${name.replaceAll('"', '""')}"`)
}

export function defineDialect(base: Dialect, difference: Partial<Dialect> & { readonly name: string }): Dialect {
  return {
    ...base,
    ...difference,
    functions: { ...base.functions, ...difference.functions },
    aggregates: { ...base.aggregates, ...difference.aggregates },
    cannot: { ...base.cannot, ...difference.cannot },
  }
}
