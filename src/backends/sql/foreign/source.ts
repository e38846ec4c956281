/** Where the rows of a table lie in the engine. */
export type ForeignSource =
  /** `[database,] [schema,] table`. */
  | { readonly kind: 'table'; readonly path: readonly string[] }
  /** Files that the engine reads by itself; paths may hold its wildcards. */
  | { readonly kind: 'files'; readonly format: ForeignFormat; readonly paths: readonly string[] }

export type ForeignFormat = 'parquet' | 'csv' | 'json' | 'arrow'
