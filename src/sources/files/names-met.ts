import { placerOf, tableAsSaid, type MemoryTable, type RecordReading } from '../../store/index.ts'

/** Names of the records that were read into a table, and the fields that these become; those of other threads are added. */
export function namesMet({ definition }: MemoryTable, { options }: RecordReading): Set<string> {
  return placerOf(tableAsSaid(definition, options)).met
}
