import { present } from '../../base/index.ts'
import type { Clock } from '../../engine/index.ts'
import type { RecordTableDefinition } from '../../plan/index.ts'
import { MetricCatalog, SampleStore, TableReplica, applySamplesNews, type OpenStored } from '../../store/index.ts'
import { engineOver, type Served } from '../tenant.ts'
import type { QueryWorkerNews } from './messages.ts'

/** A backend of another thread, as far as this one was told of it. */
export class TenantReplica implements Served {
  readonly samples = new SampleStore()
  readonly metricCatalog = new MetricCatalog()
  readonly engine: Served['engine']
  readonly #tables: ReadonlyMap<string, TableReplica>

  constructor(tables: readonly RecordTableDefinition[], clock: Clock, open: OpenStored) {
    this.#tables = new Map(tables.map((definition) => [definition.name, new TableReplica(definition, open)]))
    this.engine = engineOver(this.#tables, this.samples, clock)
  }

  apply({ table, samples, descriptions }: QueryWorkerNews): void {
    if (table !== undefined) present(this.#tables.get(table.table), 'a table').apply(table)
    if (samples !== undefined) applySamplesNews(this.samples, samples)
    if (descriptions !== undefined) this.metricCatalog.add(descriptions)
  }
}
