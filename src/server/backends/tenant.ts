import { columnarBackend, type Parallelism } from '../../backends/columnar/index.ts'
import { createEngine, type Clock, type Engine } from '../../engine/index.ts'
import { standardFunctions } from '../../functions/index.ts'
import type { Table } from '../../plan/index.ts'
import {
  createMemoryStore,
  MetricCatalog,
  SampleStore,
  samplesTableOf,
  standardCatalog,
  type SampleSource,
} from '../../store/index.ts'
import { SamplePacker, type PackingOptions } from '../../store/packed-samples/index.ts'
import type { IngestTarget } from '../ingest/decoder.ts'
import { defaultServerLimits } from '../settings/limits.ts'

/** Id of the only backend by default. */
export const defaultBackendId = 'default'

/** Data of one backend id, isolated from others. */
export interface Served {
  readonly engine: Engine
  /** Without samples there are no metric queries. */
  readonly sampleSource?: SampleSource | undefined
  /** Metadata of metrics. */
  readonly metricCatalog?: MetricCatalog | undefined
}

/** A backend that receives data. */
export interface Tenant extends IngestTarget, Served {
  readonly metricCatalog: MetricCatalog
}

/** Empty tables and samples for all kinds of data; with packing options if there are no files. */
export function newTarget(limitSeries = defaultServerLimits.series, packing?: PackingOptions): IngestTarget {
  const samples = new SampleStore()
  return {
    store: createMemoryStore(standardCatalog),
    samples,
    metricCatalog: new MetricCatalog(),
    limitSeries,
    packer: packing && new SamplePacker(samples, packing),
  }
}

/** An engine over tables and samples in memory. */
export function engineOver(
  tables: ReadonlyMap<string, Table>,
  source: SampleSource,
  clock: Clock | undefined,
  parallelism?: Parallelism,
): Engine {
  const samples = samplesTableOf(source)
  const all = new Map<string, Table>([...tables, [samples.definition.name, samples]])
  return createEngine({ backends: [columnarBackend({ tables: all }, standardFunctions, { parallelism })], clock })
}

/** A backend over a target. Default: an empty one. */
export function newTenant(clock?: Clock, target: IngestTarget = newTarget()): Tenant {
  const { reader } = target.samples
  return { ...target, engine: engineOver(target.store.tables, reader, clock), sampleSource: reader }
}

export function isTenant(served: Served): served is Tenant {
  return 'store' in served
}
