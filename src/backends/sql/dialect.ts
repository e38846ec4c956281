import type { ColumnKind } from './statement/ast.ts'
import type { ForeignSource } from './foreign/source.ts'
import type { SqlParameter } from './statement/params.ts'

/** A piece of SQL with placeholders for arguments: `{0}`, `{1}` …, or `{*}` for all of them, separated by commas. */
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

/** The content of a column of a database's own type, and the way to read it. */
export type NativeType =
  /**
   * Strings. `values`: the only possible ones. `read`: the dialect's function that converts the column to strings
   * compared by bytes. `isCoded`: they are dictionary-encoded. `isJson`: they are the JSON of lists and objects.
   */
  | {
      readonly kind: 'text'
      readonly values?: readonly string[]
      readonly read?: string
      readonly isCoded?: boolean
      readonly isJson?: boolean
    }
  /**
   * Signed whole numbers of at most 64 bits; with `isNarrow` at most 32 bits, so that sums of few values stay within 64
   * bits.
   */
  | { readonly kind: 'integer'; readonly isNarrow?: boolean }
  /** Whole numbers that may exceed 64 bits. */
  | { readonly kind: 'wide' }
  /** Floats of 64 bits. `read` is the dialect's function that converts them to such floats exactly. */
  | { readonly kind: 'float'; readonly read?: string }
  | { readonly kind: 'bool' }
  /**
   * A point in time. `toNs` and `make` name functions of the dialect: `toNs` returns nanoseconds, `make` returns a
   * time. `make` takes a whole number of units of `unitNs`, or with `spell` the string of a time.
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
  /** True if reading a name that a map lacks gives `''`, not NULL. */
  readonly hasEmptyMembers?: boolean
  /** Writes a value of an enumerated type as SQL. Needed where the database would compare a parameter as a string. */
  readonly enumValue?: (text: string) => string
  /** True if the database has `LIMIT n BY`, which returns the first rows of each group with one sort for all groups. */
  readonly hasLimitBy?: boolean
  /** True if GROUP BY accepts the positions of result columns in place of expressions. */
  readonly groupsByPosition?: boolean
  /**
   * True if the result of a join prefixes a column that exists on both sides with the name of its side, unless it has
   * an alias.
   */
  readonly keepsSources?: boolean
  /**
   * True if MIN of a column with only NaN returns +Inf when the database answers from statistics. It does so without
   * groups and conditions.
   */
  readonly hasOddLeast?: boolean
  /** True if a full join rejects join conditions that treat missing values as equal. */
  readonly hasOnlyPlainFullJoins?: boolean
  /** The literals of true and false, in this order. */
  readonly booleans: readonly [string, string]
  /**
   * Matches search strings with a character for which the database's `fold` differs from Sluice's lower case.
   * `undefined` if the database has no such function.
   */
  readonly foldExcept: RegExp | undefined
  /**
   * True if the functions `lower-ascii` and `fold-to-ascii` convert to lower case every letter that becomes an ASCII
   * letter. `lower-ascii` converts only ASCII letters; `fold-to-ascii` also those beyond ASCII that become ASCII
   * letters.
   */
  readonly hasAsciiFold?: boolean
  /** True if strings are compared by bytes, and so fast that comparing before converting to lower case saves time. */
  readonly hasQuickOrder?: boolean
  /**
   * True if the database has `LIKE` patterns and estimates from statistics how many rows match. `like` tests a string;
   * `like-folded` and `matches-folded` ignore the case of ASCII letters.
   */
  readonly hasLike?: boolean
  /**
   * Writes a list as one parameter with `arg = ANY(bind)`, where `bind` is the placeholder. Used for lists of at least
   * a given number of strings, for which it is faster.
   */
  readonly anyOf?: {
    readonly from: number
    readonly text: (values: readonly string[]) => string
    readonly bind: (position: number) => string
  }
  /** True if comparing NaN with a number by `<` or `>` is never true. */
  readonly comparesNoNaN?: boolean
  /**
   * True if the database compiles patterns so often that a large character class is slow. A smaller pattern is then
   * tested first.
   */
  readonly isSlowWithClasses?: boolean
  /**
   * A character class, without brackets, of exactly Sluice's word characters, for the function `matches`. In RE2 syntax
   * by default.
   */
  readonly wordClass: string | undefined
  /**
   * True if the function `matches` uses RE2, and so reads users' patterns as Sluice does if they contain only ASCII and
   * no Unicode classes.
   */
  readonly hasRe2: boolean
  /**
   * For databases without RE2: translates a pattern to the database's syntax. Returns `undefined` when the same meaning
   * is not certain.
   */
  readonly pattern?: (re2: string, isFolded: boolean) => string | undefined
}

/** SQL dialect of a database, as data. `defineDialect` overrides members of a complete default. */
export interface Dialect {
  readonly name: string
  readonly identifier: (name: string) => string
  /** The maximum length of a name in bytes; the database truncates longer names. No limit by default. */
  readonly maxNameBytes?: number
  /** Writes the placeholder of the parameter at `position`, counted from 1. */
  readonly parameter: (position: number, parameter: SqlParameter) => string
  /** Default position of NULL in an ordering: below all values, above all values, or last in either direction. */
  readonly nullIs: 'smallest' | 'largest' | 'last'
  /** The operators for equal and not equal that treat NULL as an ordinary value. */
  readonly nullSafe: readonly [string, string]
  /** True if `row_number() OVER (ORDER BY …) <= 1` returns a row for empty input unless the window has a partition. */
  readonly numbersNothing?: boolean
  /** Set for databases other than Sluice's own SQLite tables. */
  readonly foreign?: ForeignWords
  /** The maximum number of parameters of one statement. */
  readonly maxParameters: number
  /** The list length from which a list is sent as one JSON array. */
  readonly arrayFrom: number
  /** Selects the values of a JSON array parameter, for the right side of `IN`. */
  readonly arrayValues: SqlTemplate
  /** Templates of scalar functions and operators, by the name that Sluice uses for each. */
  readonly functions: Readonly<Record<string, SqlTemplate>>
  readonly aggregates: Readonly<Record<string, SqlTemplate>>
  /** Unsupported node kinds, functions and tests by name, each with the reason. */
  readonly cannot: Readonly<Record<string, string>>
}

/**
 * Returns a function that writes names: without quotes when they are plain and not in the list of reserved words,
 * otherwise in quotes.
 */
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
