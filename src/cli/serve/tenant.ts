import { columnarBackend } from '../../backends/columnar/index.ts'
import { createEngine, type Clock, type Engine } from '../../engine/index.ts'
import { standardFunctions } from '../../functions/index.ts'
import { createMemoryStore, MetricCatalog, SampleStore, standardCatalog, type MemoryStore } from '../../store/index.ts'

/** The data of one backend id, wholly apart from the others. */
export interface Tenant {
  readonly store: MemoryStore
  readonly samples: SampleStore
  /** What senders told of metrics. */
  readonly metricCatalog: MetricCatalog
  readonly engine: Engine
}

export function newTenant(clock: Clock): Tenant {
  const store = createMemoryStore(standardCatalog)
  const engine = createEngine({ backends: [columnarBackend(store, standardFunctions)], clock })
  return { store, samples: new SampleStore(), metricCatalog: new MetricCatalog(), engine }
}
