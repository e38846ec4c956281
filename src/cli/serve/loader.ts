import type { IngestReport, RecordOptions } from '../../ingest/index.ts'
import type { DataLoader } from '../../server/index.ts'
import { progressOn, tellBadLines } from '../reading.ts'
import type { Terminal } from '../terminal.ts'
import { moduleBeside } from '../../system/index.ts'

/** Data to load into the first backend when a server starts. */
export interface ServeLoad {
  /** Seed of demo data; `undefined` for none. */
  readonly seed: number | undefined
  /** Files of `--load`. */
  readonly files: readonly string[]
  /** Record options of these files. */
  readonly options: RecordOptions | undefined
  readonly nowNs: bigint
}

/** Progress messages. */
export type LoadMessage =
  | { readonly kind: 'progress'; readonly report: IngestReport | undefined; readonly totalBytes: number | undefined }
  | { readonly kind: 'loaded'; readonly report: IngestReport }

/** Returns a loader for the thread that owns the backends; shows progress on a terminal. */
export function loaderOf(data: ServeLoad, terminal: Terminal): DataLoader | undefined {
  if (data.seed === undefined && data.files.length === 0) return undefined
  const showProgress = progressOn(terminal)
  return {
    module: moduleBeside(import.meta.url, 'load-data'),
    data,
    onMessage: (given) => {
      const message = given as LoadMessage
      if (message.kind === 'progress') showProgress(message.report, message.totalBytes)
      else tellBadLines(message.report, data.options, terminal)
    },
  }
}
