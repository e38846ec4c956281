import type { JsonValue } from '../../base/index.ts'
import type { RowFunction } from '../definition.ts'

/** Every function of this kind, in the order of the reference. */
export const rowFunctions: readonly RowFunction<JsonValue>[] = []
