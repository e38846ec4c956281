import type { FunctionDefinitions } from '../functions/index.ts'
import { standardVocabulary, type Vocabulary } from '../lang/log/index.ts'
import type { Catalog, Dialect, KnownFields } from '../plan/index.ts'

/** Context of the editor services. */
export interface EditorOptions {
  readonly catalog: Catalog
  readonly functions: FunctionDefinitions
  /** Pipes and functions. Default: the standard vocabulary. */
  readonly vocabulary?: Vocabulary | undefined
  /** Default: that of the catalog. */
  readonly table?: string
  /** Default: `native`. */
  readonly dialect?: Dialect
  /** Names of parameters that queries can use. */
  readonly parameters?: readonly string[] | undefined
  /** Suggested values of a field, best first. Default: none. */
  readonly values?: (field: string) => readonly string[]
  /** Fields that the data have and the table does not declare, and the values of fields with few distinct ones. */
  readonly known?: ((table: string) => KnownFields | undefined) | undefined
}

export function wordsOf({ vocabulary = standardVocabulary }: Pick<EditorOptions, 'vocabulary'>): Vocabulary {
  return vocabulary
}
