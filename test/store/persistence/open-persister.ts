import { present } from '../../../src/base/index.ts'
import { createIngestService, replayBatches, type IngestService } from '../../../src/server/index.ts'
import { createDeleter } from '../../../src/server/deletion/deleter.ts'
import { tablePersister } from '../../../src/server/data-folder/table-persister.ts'
import { newTenant, type Tenant } from '../../../src/server/backends/tenant.ts'
import { BatchLogs, Manifest, inFiles, openLogs, type PartEntry } from '../../../src/store/durable/index.ts'
import { FileReaders, type MergeSizes, type TablePersister } from '../../../src/store/persistence/index.ts'
import type { CrashFiles } from '../durable/crash-files.ts'

export const NOW_NS = 1_767_225_600_000_000_000n
export const ALWAYS = { startNs: -(2n ** 63n), endNs: 2n ** 63n - 1n }
export const nowNs = (): bigint => NOW_NS

/** The persistence of a server, over a folder in memory. */
export interface OpenPersister {
  readonly tenant: Tenant
  readonly persister: TablePersister
  readonly batches: BatchLogs
  readonly manifest: Manifest
  /** Write errors and repairs that were reported. */
  readonly failures: unknown[]
  readonly service: IngestService
  /** Ingests lines of JSON. */
  send(lines: string): Promise<void>
  /** Deletes the matching logs. Resolves with the number of deleted rows. */
  delete(where: string): Promise<number>
  /** Returns the parts of the logs table that the manifest lists. */
  parts(): readonly PartEntry[]
}

/** Opens the folder and reads its log. The caller must still call `persister.readBack()`. */
export async function openPersister(
  files: CrashFiles,
  folder: string,
  anewBytes?: number,
  mergeSizes?: MergeSizes,
  logBytes = 300,
): Promise<OpenPersister> {
  const { logs } = openLogs(files, folder)
  const manifest = new Manifest(logs.manifest, { logs, anewBytes })
  const batches = new BatchLogs(logs, inFiles(manifest.state))
  const tenant = newTenant({ nowMs: () => 0, nowNs })
  const failures: unknown[] = []
  const targets = new Map([['default', tenant]])
  const persister = tablePersister({
    files,
    folder,
    manifest,
    batches,
    targets,
    readers: new FileReaders(),
    cacheBytes: 1 << 20,
    retention: undefined,
    logBytes,
    mergeSizes,
    keepsSegments: true,
    nowNs,
    onChange: () => undefined,
    onFailure: (error) => failures.push(error),
  })
  await replayBatches(batches, () => tenant, persister)
  const service = createIngestService({ targetOf: () => tenant, log: batches, watch: persister, nowNs })
  const deleter = createDeleter({ targets, engineOver: () => tenant.engine, persister, onChange: () => undefined })
  return {
    tenant,
    persister,
    batches,
    manifest,
    failures,
    service,
    async send(lines) {
      const body = { chunks: [Buffer.from(lines)], encoding: 'identity' as const }
      await service.ingest({ backend: undefined, table: 'logs', format: 'ndjson', body })
    },
    delete: (where) =>
      deleter.delete({ backend: undefined, table: 'logs', where, range: ALWAYS, nowNs: NOW_NS, mode: 'delete' }),
    parts: () => [...manifest.state.tables.values()].find(({ table }) => table === 'logs')?.parts ?? [],
  }
}

/** Returns the values of a field of all logs as JSON, sorted. */
export async function valuesOf(tenant: Tenant, field: string): Promise<readonly string[]> {
  const rows = await tenant.engine.query(`* | fields ${field}`, { range: ALWAYS, table: 'logs' }).toArray()
  return rows.map((row) => JSON.stringify(present(row[field]))).toSorted()
}
