import type { Parallelism } from '../../backends/columnar/index.ts'
import { present } from '../../base/index.ts'
import type { Clock } from '../../engine/index.ts'
import type { RecordTableDefinition } from '../../plan/index.ts'
import { MetricCatalog, SampleStore, TableReplica, applySamplesDelta } from '../../store/index.ts'
import type { StoredReader } from '../../store/persistence/index.ts'
import { engineOver, type Served } from '../backends/tenant.ts'
import type { QueryWorkerDelta } from './messages.ts'

/** A worker's replica of a backend that another thread owns. */
export class TenantReplica implements Served {
  readonly samples = new SampleStore()
  readonly sampleSource = this.samples.reader
  readonly metricCatalog = new MetricCatalog()
  readonly engine: Served['engine']
  readonly #tables: ReadonlyMap<string, TableReplica>
  readonly #open: StoredReader

  constructor(tables: readonly RecordTableDefinition[], clock: Clock, open: StoredReader, parallelism?: Parallelism) {
    this.#open = open
    this.#tables = new Map(tables.map((definition) => [definition.name, new TableReplica(definition, open)]))
    this.engine = engineOver(this.#tables, this.samples.reader, clock, parallelism)
  }

  apply({ table, samples, descriptions }: QueryWorkerDelta): void {
    if (table !== undefined) present(this.#tables.get(table.table), 'a table').apply(table)
    if (samples !== undefined) applySamplesDelta(this.samples, samples, this.#open.samples)
    if (descriptions !== undefined) this.metricCatalog.add(descriptions)
  }
}
