import type { FunctionDefinitions } from '../functions/index.ts'
import { standardVocabulary, type Vocabulary } from '../lang/log/index.ts'
import type { Catalog, Dialect, KnownFields } from '../plan/index.ts'

/** Context of the editor services. */
export interface EditorOptions {
  readonly catalog: Catalog
  readonly functions: FunctionDefinitions
  /** Pipes and functions. Default: the standard vocabulary. */
  readonly vocabulary?: Vocabulary | undefined
  /** The table that queries read. Default: the default table of the catalog. */
  readonly table?: string
  /** The dialect of queries. Default: `native`. */
  readonly dialect?: Dialect
  /** Names of parameters that queries can use. */
  readonly parameters?: readonly string[] | undefined
  /** Suggested values of a field, best first. Default: none. */
  readonly values?: (field: string) => readonly string[]
  /**
   * Fields that occur in the data of a table although the table does not declare them, and the values of fields with
   * few distinct values.
   */
  readonly known?: ((table: string) => KnownFields | undefined) | undefined
}

export function wordsOf({ vocabulary = standardVocabulary }: Pick<EditorOptions, 'vocabulary'>): Vocabulary {
  return vocabulary
}
