import type { JsonValue } from '../../base/index.ts'
import type { TableFunction } from '../definition.ts'

/** Every function of this kind, in the order of the reference. */
export const tableFunctions: readonly TableFunction<JsonValue>[] = []
