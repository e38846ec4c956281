import { field, type DataType, type Field } from '../../data/index.ts'

/** Makes the fields of a stored table. They are part of whole rows, so they are dynamic in answers. */
export function declare(types: Readonly<Record<string, DataType>>): readonly Field[] {
  return Object.entries(types).map(([name, type]) => field(name, type, 'dynamic'))
}
