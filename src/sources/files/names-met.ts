import { placerOf, tableAsSaid, type MemoryTable, type ReadContext } from '../../store/index.ts'

/**
 * Returns the names that records of a table had, and the fields that they became. Names from other threads are added to
 * this set.
 */
export function namesMet({ definition }: MemoryTable, { options }: ReadContext): Set<string> {
  return placerOf(tableAsSaid(definition, options)).met
}
