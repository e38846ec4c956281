import { ITEMS_PER_CHECKPOINT } from '../../base/index.ts'
import { SamplesPublisher, TablePublisher } from '../../store/index.ts'
import type { IngestTarget } from '../ingest/decoder.ts'
import type { QueryWorkerDelta } from './messages.ts'

/** Publishes the changes of backends to one worker. */
export class TenantsPublisher {
  readonly #backends: readonly {
    readonly backend: string
    readonly target: IngestTarget
    readonly tables: readonly TablePublisher[]
    readonly samples: SamplesPublisher
    descriptions: number
  }[]

  constructor(targets: ReadonlyMap<string, IngestTarget>) {
    this.#backends = Array.from(targets, ([backend, target]) => ({
      backend,
      target,
      tables: Array.from(target.store.memoryTables.values(), (table) => new TablePublisher(table)),
      samples: new SamplesPublisher(target.samples),
      descriptions: 0,
    }))
  }

  /**
   * Yields changes in chunks. The worker may read again only after it has received all chunks. The generator must be
   * read to its end before the next call.
   */
  *news(): Generator<QueryWorkerDelta> {
    for (const source of this.#backends) {
      const { backend, target, tables } = source
      for (const publisher of tables) for (const table of publisher.news()) yield { backend, table }
      for (const samples of source.samples.news()) yield { backend, samples }
      const { all } = target.metricCatalog
      while (source.descriptions < all.length) {
        const descriptions = all.slice(source.descriptions, source.descriptions + ITEMS_PER_CHECKPOINT)
        source.descriptions += descriptions.length
        yield { backend, descriptions }
      }
    }
  }
}
