import { clampNs } from '../../../base/index.ts'
import { Instant, type MutableRow } from '../../../data/index.ts'
import { storedRow, type ReadContext, type StoredRecord } from '../../record.ts'
import type { RowBuilder } from '../table/row-builder.ts'

/** Stores a record given as an object. */
export function appendRecord(sink: RowBuilder, record: MutableRow, context: ReadContext): StoredRecord {
  const { definition } = sink
  const stored = storedRow(definition, record, context)
  const tail = sink.beginRow(clampNs(stored.timeNs))
  for (const [name, member] of stored.row) {
    if (name === definition.timeField && member instanceof Instant) continue
    sink.addValue(tail, name, member)
  }
  sink.endRow(tail)
  return stored
}
