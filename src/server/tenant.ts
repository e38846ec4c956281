import { columnarBackend } from '../backends/columnar/index.ts'
import { createEngine, type Clock, type Engine } from '../engine/index.ts'
import { standardFunctions } from '../functions/index.ts'
import type { Table } from '../plan/index.ts'
import {
  createMemoryStore,
  MetricCatalog,
  SampleStore,
  samplesTableOf,
  standardCatalog,
  type SampleSource,
} from '../store/index.ts'
import type { IngestTarget } from './ingest/decoder.ts'

/** The id of the only backend where none is named. */
export const defaultBackendId = 'default'

/** What one backend id answers from, wholly apart from the others. */
export interface Served {
  readonly engine: Engine
  /** Without samples there are no metric queries. */
  readonly samples?: SampleSource | undefined
  /** What senders told of metrics. */
  readonly metricCatalog?: MetricCatalog | undefined
}

/** A backend that takes in what is sent. */
export interface Tenant extends IngestTarget {
  readonly engine: Engine
}

/** Empty places in memory for everything that can be sent. */
export function newTarget(): IngestTarget {
  return { store: createMemoryStore(standardCatalog), samples: new SampleStore(), metricCatalog: new MetricCatalog() }
}

/** An engine over a target, or over an empty one. */
export function newTenant(clock?: Clock, target: IngestTarget = newTarget()): Tenant {
  const samples = samplesTableOf(target.samples)
  const tables = new Map<string, Table>([...target.store.tables, [samples.definition.name, samples]])
  const engine = createEngine({ backends: [columnarBackend({ tables }, standardFunctions)], clock })
  return { ...target, engine }
}

export function isTenant(served: Served): served is Tenant {
  return 'store' in served
}
