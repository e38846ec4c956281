import { CommandError } from '../base/index.ts'
import { samplesTableOf, standardCatalog, type MetricCatalog, type SampleStore } from '../store/index.ts'
import { openDataToRead } from '../server/index.ts'
import { openSession, type BackendName, type OpenedSession } from './session.ts'
import type { Terminal } from './terminal.ts'

export interface DataArguments {
  readonly data?: string | undefined
  readonly backendId?: string | undefined
}

/** Size of the block cache of a command that reads a data folder, bytes. */
const CACHE_BYTES = 256 * 1024 ** 2

/** True if a query may read samples of metrics. For other queries no samples are loaded. */
export function readsSamples(text: string, table: string | undefined): boolean {
  return table === 'samples' || /\bsamples\b/.test(text)
}

/** Opens an engine over the current content of a data folder. */
export async function openDataSession(
  folder: string,
  options: DataArguments & {
    readonly table?: string | undefined
    readonly backend?: BackendName | undefined
    readonly hasSamples: boolean
  },
  terminal: Terminal,
): Promise<OpenedSession> {
  const { backendId, table = 'logs', backend = 'columnar', hasSamples } = options
  const { tables: known } = standardCatalog
  if (!known.has(table))
    throw new CommandError(`There is no table ${table}; a folder has ${[...known.keys()].join(', ')}.`)
  const { target, close } = await openDataToRead(folder, { backend: backendId, hasSamples, cacheBytes: CACHE_BYTES })
  const samples = samplesTableOf(target.samples.reader)
  const { tables } = target.store
  const all = hasSamples ? [...tables, [samples.definition.name, samples] as const] : [...tables]
  const session = await openSession({ tables: new Map(all) }, backend, terminal, 'warn')
  return {
    engine: session.engine,
    table,
    close: async () => {
      await session.close()
      await close()
    },
  }
}

/** Opens the samples of metrics in a data folder, with their metadata. */
export async function dataSamples(
  folder: string,
  { backendId }: DataArguments,
): Promise<{
  readonly samples: SampleStore
  readonly metricCatalog: MetricCatalog
  readonly close: () => Promise<void>
}> {
  const { target, close } = await openDataToRead(folder, {
    backend: backendId,
    hasSamples: true,
    cacheBytes: CACHE_BYTES,
  })
  return { samples: target.samples, metricCatalog: target.metricCatalog, close }
}
