import type { FunctionDefinitions } from '../functions/index.ts'
import { standardVocabulary, type Vocabulary } from '../lang/log/index.ts'
import type { Catalog, Dialect, KnownFields } from '../plan/index.ts'

/** What the services know of the world. */
export interface EditorOptions {
  readonly catalog: Catalog
  readonly functions: FunctionDefinitions
  /** What queries may be made of; the standard vocabulary unless given. */
  readonly vocabulary?: Vocabulary | undefined
  /** The catalog's default unless given. */
  readonly table?: string
  /** `native` unless given. */
  readonly dialect?: Dialect
  /** Names of parameters that a query will be given values of. */
  readonly parameters?: readonly string[] | undefined
  /** Values of a field that are worth offering, best first; none unless given. */
  readonly values?: (field: string) => readonly string[]
  /** Fields that rows of a table have beyond those that it declares, and values of fields of few, where that is known. */
  readonly known?: ((table: string) => KnownFields | undefined) | undefined
}

export function wordsOf({ vocabulary = standardVocabulary }: Pick<EditorOptions, 'vocabulary'>): Vocabulary {
  return vocabulary
}
