import type { IngestReport, RecordOptions } from '../../ingest/index.ts'
import type { DataLoader } from '../../server/index.ts'
import { progressOn, tellBadLines } from '../reading.ts'
import type { Terminal } from '../terminal.ts'
import { moduleBeside } from '../../system/index.ts'

/** What is loaded at the start of a server, into its first backend. */
export interface ServeLoad {
  /** Of demo data; without it there are none. */
  readonly seed: number | undefined
  /** As `--load` names them. */
  readonly files: readonly string[]
  /** What is said about their records. */
  readonly options: RecordOptions | undefined
  readonly nowNs: bigint
}

/** What is said meanwhile. */
export type LoadMessage =
  | { readonly kind: 'progress'; readonly report: IngestReport | undefined; readonly totalBytes: number | undefined }
  | { readonly kind: 'loaded'; readonly report: IngestReport }

/** Loads it in the thread that has the backends, and shows on a terminal how far it is. */
export function loaderOf(data: ServeLoad, terminal: Terminal): DataLoader | undefined {
  if (data.seed === undefined && data.files.length === 0) return undefined
  const showProgress = progressOn(terminal)
  return {
    module: moduleBeside(import.meta.url, 'load-data'),
    data,
    told: (given) => {
      const message = given as LoadMessage
      if (message.kind === 'progress') showProgress(message.report, message.totalBytes)
      else tellBadLines(message.report, data.options, terminal)
    },
  }
}
