import type { ColumnKind } from './statement/ast.ts'
import type { ForeignSource } from './foreign/source.ts'
import type { SqlParameter } from './statement/params.ts'

/** A piece of SQL with placeholders for arguments: `{0}`, `{1}` …, or `{*}` for all arguments, separated by commas. */
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

/** The content of a column with one of the database's own types, and how to read it. */
export type NativeType =
  /**
   * Strings. `values`: all possible strings, if known. `read`: the dialect's function that converts the column to
   * strings that compare by bytes. `isCoded`: dictionary-encoded. `isJson`: the JSON of lists and objects.
   */
  | {
      readonly kind: 'text'
      readonly values?: readonly string[]
      readonly read?: string
      readonly isCoded?: boolean
      readonly isJson?: boolean
    }
  /**
   * Signed whole numbers of at most 64 bits. `isNarrow`: at most 32 bits, so that sums of few values stay within 64
   * bits.
   */
  | { readonly kind: 'integer'; readonly isNarrow?: boolean }
  /** Whole numbers that may exceed 64 bits. */
  | { readonly kind: 'wide' }
  /** Floats. `read`: the dialect's function that converts the column exactly to 64-bit floats. */
  | { readonly kind: 'float'; readonly read?: string }
  | { readonly kind: 'bool' }
  /**
   * Points in time. `toNs` and `make` name functions of the dialect. `toNs` returns nanoseconds. `make` makes a time
   * from a whole number of units of `unitNs`, or, if `spell` is set, from the string that `spell` writes.
   */
  | {
      readonly kind: 'time'
      readonly unitNs: bigint
      readonly toNs: string
      readonly make: string
      readonly spell?: (ns: bigint) => string
    }
  /** Values of any other type; the function `as-text` converts them to strings. */
  | { readonly kind: 'other' }

/**
 * The syntax and the abilities of a database that cannot call host functions (code of Sluice). Function names refer to
 * the dialect's templates.
 */
export interface ForeignWords {
  readonly native: (type: string) => NativeType
  readonly source: (source: ForeignSource) => string
  /**
   * Writes SQL that reads a member of a map, JSON or struct column. `bind` returns the placeholder of a parameter for
   * a string.
   */
  readonly member: (
    column: string,
    path: readonly string[],
    holds: ColumnKind,
    bind: (text: string) => string,
  ) => string
  /** True if the SQL of `member` contains operators, so that it may need parentheses. */
  readonly hasMemberOperators?: boolean
  /** True if reading a name that a map lacks gives `''` instead of NULL. */
  readonly hasEmptyMembers?: boolean
  /** Writes a value of an enumerated type as SQL, for databases that compare a parameter as a string instead. */
  readonly enumValue?: (text: string) => string
  /** True if the database has `LIMIT n BY`, which returns the first rows of each group after one sort of all rows. */
  readonly hasLimitBy?: boolean
  /** True if GROUP BY accepts the positions of result columns in place of expressions. */
  readonly groupsByPosition?: boolean
  /**
   * True if a join's result names a column that exists on both sides with the prefix of its side, unless the column has
   * an alias.
   */
  readonly keepsSources?: boolean
  /**
   * True if MIN of a column that has only NaN may return +Inf, because the database computes it from statistics. This
   * affects only MIN without groups and conditions.
   */
  readonly hasOddLeast?: boolean
  /** True if full joins reject join conditions under which missing values are equal. */
  readonly hasOnlyPlainFullJoins?: boolean
  /** The literals for true and false, in this order. */
  readonly booleans: readonly [string, string]
  /**
   * Matches search strings for which the database's function `fold` differs from Sluice's lower case. `undefined` if
   * the database has no such function.
   */
  readonly foldExcept: RegExp | undefined
  /**
   * True if the dialect has the functions `lower-ascii` and `fold-to-ascii`. `lower-ascii` converts ASCII letters to
   * lower case. `fold-to-ascii` also converts the letters beyond ASCII whose lower case is an ASCII letter.
   */
  readonly hasAsciiFold?: boolean
  /** True if strings compare by bytes, so fast that comparing first saves conversions to lower case. */
  readonly hasQuickOrder?: boolean
  /**
   * True if the database has `LIKE` and estimates the matching rows from statistics. `like` tests a string;
   * `like-folded` and `matches-folded` ignore the case of ASCII letters.
   */
  readonly hasLike?: boolean
  /**
   * Writes a list as a single parameter in `arg = ANY(bind)`, where `bind` is the placeholder. Used for lists of at
   * least `from` strings, for which this form is faster.
   */
  readonly anyOf?: {
    readonly from: number
    readonly text: (values: readonly string[]) => string
    readonly bind: (position: number) => string
  }
  /** True if comparing NaN with a number by `<` or `>` is always false. */
  readonly comparesNoNaN?: boolean
  /**
   * True if the database compiles patterns so often that a large character class is slow; a smaller pattern is then
   * tested first.
   */
  readonly isSlowWithClasses?: boolean
  /**
   * A character class, without brackets, of exactly Sluice's word characters, for the function `matches`; in RE2 syntax
   * unless the database has its own.
   */
  readonly wordClass: string | undefined
  /**
   * True if the function `matches` uses RE2. It then reads a user's pattern as Sluice does, if the pattern has only
   * ASCII and no Unicode classes.
   */
  readonly hasRe2: boolean
  /**
   * For databases without RE2: translates a pattern to the database's syntax. Returns `undefined` unless both certainly
   * match the same strings.
   */
  readonly pattern?: (re2: string, isFolded: boolean) => string | undefined
}

/** The SQL dialect of a database. `defineDialect` overrides members of a complete default. */
export interface Dialect {
  readonly name: string
  readonly identifier: (name: string) => string
  /** Maximum length of a name, bytes; the database truncates longer names. No limit by default. */
  readonly maxNameBytes?: number
  /** Writes the placeholder of the parameter at `position`, counted from 1. */
  readonly parameter: (position: number, parameter: SqlParameter) => string
  /** Where an ordering places NULL by default: below all values, above all values, or last in either direction. */
  readonly nullIs: 'smallest' | 'largest' | 'last'
  /** The operators for equality and inequality under which NULL equals NULL. */
  readonly nullSafe: readonly [string, string]
  /**
   * True if `row_number() OVER (ORDER BY …) <= 1` returns a row for empty input; a window with a partition avoids this.
   */
  readonly numbersNothing?: boolean
  /** Set for databases other than Sluice's own SQLite tables. */
  readonly foreign?: ForeignWords
  /** The maximum number of parameters of one statement. */
  readonly maxParameters: number
  /** Minimum length of a list that is sent as one JSON array. */
  readonly arrayFrom: number
  /** SQL that selects the values of a JSON array parameter, for the right side of `IN`. */
  readonly arrayValues: SqlTemplate
  /** Templates of scalar functions and operators, by the name that Sluice uses for each. */
  readonly functions: Readonly<Record<string, SqlTemplate>>
  readonly aggregates: Readonly<Record<string, SqlTemplate>>
  /** Unsupported node kinds, functions and tests by name, each with the reason. */
  readonly cannot: Readonly<Record<string, string>>
}

/** Returns a function that writes names. Names are quoted unless they are plain and not among the reserved words. */
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
