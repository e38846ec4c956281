import { createIngestService, replayBatches, type IngestService } from '../../../src/server/index.ts'
import { tablePersister } from '../../../src/server/data-folder/table-persister.ts'
import { newTarget } from '../../../src/server/backends/tenant.ts'
import type { IngestTarget } from '../../../src/server/ingest/decoder.ts'
import { BatchLogs, Manifest, inFiles, openLogs, tableKey, type PartEntry } from '../../../src/store/durable/index.ts'
import { FileReaders, type TablePersister, type Retention } from '../../../src/store/persistence/index.ts'
import type { CrashFiles } from '../durable/crash-files.ts'
import { EVERYTHING, linesOf } from '../sample-files/file-of.ts'

export const FOLDER = '/disk/data'
export const START_MS = 1_767_225_600_000

export interface OpenSamples {
  readonly target: IngestTarget
  readonly persister: TablePersister
  readonly batches: BatchLogs
  readonly manifest: Manifest
  readonly failures: unknown[]
  readonly service: IngestService
  /** Ingests a body, in OpenMetrics format unless another one is given. */
  send(text: string, format?: string): Promise<void>
  files(): readonly PartEntry[]
  shown(): readonly unknown[]
}

interface OpenOptions {
  readonly clock?: { nowNs: bigint }
  readonly retention?: Retention
  readonly logBytes?: number
}

/** Opens a folder in memory that persists samples as a server does. */
export async function openSamples(
  files: CrashFiles,
  { clock, retention, logBytes = 400 }: OpenOptions = {},
  folder = FOLDER,
): Promise<OpenSamples> {
  const { logs } = openLogs(files, folder)
  const manifest = new Manifest(logs.manifest, { logs, anewBytes: 2000 })
  const batches = new BatchLogs(logs, inFiles(manifest.state))
  const target = newTarget()
  const failures: unknown[] = []
  const nowNs = (): bigint => clock?.nowNs ?? BigInt(START_MS) * 1_000_000n
  const persister = tablePersister({
    files,
    folder,
    manifest,
    batches,
    targets: new Map([['default', target]]),
    readers: new FileReaders(),
    cacheBytes: 1 << 20,
    retention,
    logBytes,
    keepsSegments: true,
    nowNs,
    onChange: () => undefined,
    onFailure: (error) => failures.push(error),
  })
  await replayBatches(batches, () => target, persister)
  persister.readBack()
  const service = createIngestService({ targetOf: () => target, log: batches, watch: persister, nowNs })
  return {
    target,
    persister,
    batches,
    manifest,
    failures,
    service,
    async send(text, format = 'open-metrics') {
      const body = { chunks: [Buffer.from(text)], encoding: 'identity' as const }
      await service.ingest({ backend: undefined, table: 'samples', format, body })
    },
    files: () => manifest.state.tables.get(tableKey('default', 'samples'))?.parts ?? [],
    shown: () => target.samples.reader.select(EVERYTHING).map((series) => [String(series.labels), linesOf(series)]),
  }
}
