import { field, type DataType, type Field } from '../../data/index.ts'

/** Fields of a stored table: part of whole rows, so dynamic in answers. */
export function declare(types: Readonly<Record<string, DataType>>): readonly Field[] {
  return Object.entries(types).map(([name, type]) => field(name, type, 'dynamic'))
}
