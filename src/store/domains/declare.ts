import { field, type DataType, type Field } from '../../data/index.ts'

/** Returns the fields of a stored table. They are dynamic in answers, because they are part of whole rows. */
export function declare(types: Readonly<Record<string, DataType>>): readonly Field[] {
  return Object.entries(types).map(([name, type]) => field(name, type, 'dynamic'))
}
