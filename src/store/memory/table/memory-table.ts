import { runToEnd } from '../../../base/index.ts'
import type { RecordTableDefinition } from '../../../plan/index.ts'
import { RowBuilder } from './row-builder.ts'
import { SegmentList } from './segment-list.ts'
import { TableFields } from './table-fields.ts'
import type { MemoryTableOptions } from './table-options.ts'
import { TableSealer } from './table-sealer.ts'
import { TableTails } from './table-tails.ts'
import { TableView } from './table-view.ts'
import { TableWriter } from './table-writer.ts'

/** A table in memory: its fields, tails and segments, and the objects that write, seal and read it. */
export class MemoryTable {
  readonly definition: RecordTableDefinition
  readonly fields: TableFields
  readonly tails: TableTails
  readonly segments: SegmentList
  readonly writer: TableWriter
  readonly sealer: TableSealer
  readonly view: TableView
  readonly options: MemoryTableOptions

  constructor(definition: RecordTableDefinition, options: MemoryTableOptions = {}) {
    this.definition = definition
    this.options = options
    this.fields = new TableFields(definition, options)
    this.tails = new TableTails()
    this.segments = new SegmentList()
    this.sealer = new TableSealer(definition, options, this)
    this.writer = new TableWriter(new RowBuilder(definition, options, this))
    this.view = new TableView(definition, this)
  }

  /** Seals all rows and frees the working memory of writers and sealers. */
  seal(): void {
    this.tails.closeAll()
    runToEnd(this.sealer.sealFull())
    this.writer.dropReaders()
    this.sealer.dropWorkingMemory()
  }

  /** Returns an empty table that shares the dictionaries of this one, so that its segments are valid in this table. */
  emptyTwin(): MemoryTable {
    const twin = new MemoryTable(this.definition, this.options)
    twin.fields.share(this.fields)
    return twin
  }
}
