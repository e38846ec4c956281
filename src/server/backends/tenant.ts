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

/** Id of the default backend of a server with only one. */
export const defaultBackendId = 'default'

/** Data of one backend, isolated from other backends. */
export interface Served {
  readonly engine: Engine
  /** Source of samples; without a source, metric queries are not served. */
  readonly sampleSource?: SampleSource | undefined
  /** Metadata of metrics. */
  readonly metricCatalog?: MetricCatalog | undefined
}

/** A backend that receives data. */
export interface Tenant extends IngestTarget, Served {
  readonly metricCatalog: MetricCatalog
}

/** Creates empty tables and samples for all kinds of data. `packing` applies to samples in memory without files. */
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

/** Returns an engine over tables and samples in memory. */
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

/** Creates a backend over a target. Default: an empty target. */
export function newTenant(clock?: Clock, target: IngestTarget = newTarget()): Tenant {
  const { reader } = target.samples
  return { ...target, engine: engineOver(target.store.tables, reader, clock), sampleSource: reader }
}

export function isTenant(served: Served): served is Tenant {
  return 'store' in served
}
