import { field, type DataType, type Field } from '../../data/index.ts'

/**
 * Returns the declared fields of a stored table, all marked as dynamic, because answers return them as part of whole
 * rows.
 */
export function declare(types: Readonly<Record<string, DataType>>): readonly Field[] {
  return Object.entries(types).map(([name, type]) => field(name, type, 'dynamic'))
}
