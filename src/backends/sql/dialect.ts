import type { ColumnKind } from './statement/ast.ts'
import type { ForeignSource } from './foreign/source.ts'
import type { SqlParameter } from './statement/params.ts'

/** A text with `{0}`, `{1}` … for arguments, or `{*}` for all of them separated by commas. */
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

/** What a column of a database's own type stores. */
export type NativeType =
  /**
   * `values`: the only possible ones. `read`: the dialect's function that converts them to texts compared by bytes.
   * `isCoded`: they are dictionary-encoded. `isJson`: they are the JSON of lists and objects.
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
   * A point in time. `toNs` and `make` are functions of the dialect; `make` takes whole numbers of `unitNs`, or with
   * `spell` the text of a time.
   */
  | {
      readonly kind: 'time'
      readonly unitNs: bigint
      readonly toNs: string
      readonly make: string
      readonly spell?: (ns: bigint) => string
    }
  /** Any other type, converted to text by the function `as-text`. */
  | { readonly kind: 'other' }

/**
 * The syntax and the abilities of a database that cannot call host functions. Function names refer to the dialect's
 * templates.
 */
export interface ForeignWords {
  readonly native: (type: string) => NativeType
  readonly source: (source: ForeignSource) => string
  /** Writes the access to a member of a column. `place` is the placeholder of a parameter. */
  readonly member: (
    column: string,
    path: readonly string[],
    holds: ColumnKind,
    place: (text: string) => string,
  ) => string
  /** Whether `member` is written with operators, so that it may need parentheses. */
  readonly hasMemberOperators?: boolean
  /** Whether a map returns `''` for names that it lacks. */
  readonly hasEmptyMembers?: boolean
  /** Writes a value of an enumerated type, where a parameter would be compared as a text. */
  readonly enumValue?: (text: string) => string
  /** Whether `LIMIT n BY` returns the first rows of each group with one sort for all groups. */
  readonly hasLimitBy?: boolean
  /** Whether GROUP BY accepts the positions of result columns. */
  readonly groupsByPlace?: boolean
  /** Whether a join column that exists on both sides is named with its side unless it gets an alias. */
  readonly keepsSources?: boolean
  /** Whether the minimum of a column of only NaN, computed from statistics without groups and conditions, is +Inf. */
  readonly hasOddLeast?: boolean
  /** Whether a full join rejects conditions in which missing values are equal. */
  readonly hasOnlyPlainFullJoins?: boolean
  /** The literals of true and false. */
  readonly booleans: readonly [string, string]
  /**
   * `fold` converts to lower case as Sluice does, except for searched texts that contain one of these characters;
   * `undefined` when the database has no such function.
   */
  readonly foldExcept: RegExp | undefined
  /**
   * Whether `lower-ascii` and `fold-to-ascii` convert to lower case everything that can become ASCII, without and with
   * the letters beyond ASCII that do.
   */
  readonly hasAsciiFold?: boolean
  /**
   * Whether texts are compared by their bytes, and so fast that a comparison before the conversion to lower case pays
   * off.
   */
  readonly hasQuickOrder?: boolean
  /**
   * Whether `like` tests a text by a pattern of `%` and `_`, `like-folded` and `matches-folded` do so regardless of the
   * case of ASCII letters, and the database estimates from its statistics how many rows pass.
   */
  readonly hasLike?: boolean
  /**
   * From how many texts on a list is one parameter, whose placeholder is `place`, since `arg = ANY(place)` is then
   * faster.
   */
  readonly anyOf?: {
    readonly from: number
    readonly text: (values: readonly string[]) => string
    readonly place: (position: number) => string
  }
  /** Whether NaN is neither less nor greater than a number. */
  readonly comparesNoNaN?: boolean
  /** Whether a pattern with a large character class is compiled so often that smaller patterns beside it pay off. */
  readonly isSlowWithClasses?: boolean
  /**
   * A character class, without brackets, of exactly our word characters, for the function `matches`; in RE2 syntax by
   * default.
   */
  readonly wordClass: string | undefined
  /** Whether `matches` reads users' patterns as Sluice does, when they contain only ASCII and no Unicode classes. */
  readonly hasRe2: boolean
  /**
   * For other databases: returns the database's pattern with the same meaning, or `undefined` when that is not certain.
   */
  readonly pattern?: (re2: string, isFolded: boolean) => string | undefined
}

/** How a database writes SQL, as data over complete defaults. */
export interface Dialect {
  readonly name: string
  readonly identifier: (name: string) => string
  /** The most bytes of a name; the database cuts longer ones. No limit by default. */
  readonly maxNameBytes?: number
  /** Writes the placeholder of the n-th parameter, from 1. */
  readonly parameter: (position: number, parameter: SqlParameter) => string
  /** Where NULL sorts by default; `last` in either direction. */
  readonly nullIs: 'smallest' | 'largest' | 'last'
  /** The operators in which NULL is a value like others: equal, and not equal. */
  readonly nullSafe: readonly [string, string]
  /** Whether `row_number() OVER (ORDER BY …) <= 1` returns a row for empty input unless the window has a partition. */
  readonly numbersNothing?: boolean
  /** Present for a database with data of its own. */
  readonly foreign?: ForeignWords
  /** The most parameters of one statement. */
  readonly maxParameters: number
  /** Lists of this length and more are sent as one JSON array. */
  readonly arrayFrom: number
  /** Selects the values of a JSON array parameter, for the right side of `IN`. */
  readonly arrayValues: SqlTemplate
  /** Scalar functions and operators by their names in Sluice. */
  readonly functions: Readonly<Record<string, SqlTemplate>>
  readonly aggregates: Readonly<Record<string, SqlTemplate>>
  /** What the database cannot run, by node kind, function or test name, with the reason. */
  readonly cannot: Readonly<Record<string, string>>
}

/** Writes names without quotes when they are plain and not among the reserved words; else in quotes. */
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
