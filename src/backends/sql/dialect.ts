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

/** How one database spells SQL: data over a complete default. */
export interface Dialect {
  readonly name: string
  readonly identifier: (name: string) => string
  /** The placeholder of the n-th parameter, from 1. */
  readonly parameter: (position: number) => string
  /** Where NULL sorts when nothing is said. */
  readonly nullIs: 'smallest' | 'largest'
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

export function defineDialect(base: Dialect, difference: Partial<Dialect> & { readonly name: string }): Dialect {
  return {
    ...base,
    ...difference,
    functions: { ...base.functions, ...difference.functions },
    aggregates: { ...base.aggregates, ...difference.aggregates },
    cannot: { ...base.cannot, ...difference.cannot },
  }
}
