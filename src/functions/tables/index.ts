import type { JsonValue } from '../../base/index.ts'
import type { TableFunction } from '../definition.ts'
import { afterCursor } from './after-cursor.ts'
import { facets } from './facets.ts'
import { fieldNames } from './field-names.ts'
import { fieldValues } from './field-values.ts'
import { generateSequence } from './generate-sequence.ts'
import { limitTies } from './limit-ties.ts'
import { patterns } from './patterns.ts'
import { windowFunction } from './window.ts'

/** Every function over all rows, in the order of the reference. */
export const tableFunctions: readonly TableFunction<JsonValue>[] = [
  afterCursor,
  facets,
  fieldNames,
  fieldValues,
  generateSequence,
  limitTies,
  patterns,
  windowFunction,
]
