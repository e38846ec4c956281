import { SluiceError, inTurns } from '../../base/index.ts'
import type { DurableStore } from '../../store/durable/index.ts'
import { HttpFault } from '../http-fault.ts'
import type { IngestReport, IngestTarget } from './decoder.ts'
import { decoderFor } from './decoders.ts'
import { checkLineCount } from './payload-lines.ts'

export interface IngestRequest {
  /** The backend by id; `undefined` where there is only one. */
  readonly backend: string | undefined
  /** The table of the catalog. */
  readonly table: string
  /** As `decoders.ts` names it. */
  readonly format: string
  readonly payload: Uint8Array
}

/** Takes data in: resolves when it is safe and can be searched. */
export interface IngestService {
  /** Rejects with a `SluiceError` when nothing was stored: 400 for the payload, 507 or 503 for the disk. */
  ingest(request: IngestRequest): Promise<IngestReport>
}

export interface IngestOptions {
  readonly targetOf: (backend: string | undefined) => IngestTarget
  /** Where acknowledged batches survive; without it they live as long as the process. */
  readonly log: DurableStore | undefined
  readonly nowNs: () => bigint
}

/** The id under which the only backend is logged. */
export const ONLY_BACKEND = 'default'

const DISK_STATUS: ReadonlyMap<string, number> = new Map([
  ['durable/disk-full', 507],
  ['durable/write-failed', 503],
  ['durable/closed', 503],
])

function asHttpFault(error: unknown): unknown {
  if (!(error instanceof SluiceError)) return error
  const status = DISK_STATUS.get(error.code)
  return status === undefined ? error : new HttpFault(status, error.diagnostics)
}

/**
 * Understands a payload, writes it to the log, then puts it where it is searched. Batches become visible in the order of
 * the log, so that a replay gives the same rows in the same order; nothing that was refused is ever visible.
 */
export function createIngestService({ targetOf, log, nowNs }: IngestOptions): IngestService {
  /** The batches that are being made visible, in the order of the log. */
  let visible: Promise<unknown> = Promise.resolve()
  return {
    ingest: async ({ backend, table, format, payload }) => {
      const target = targetOf(backend)
      const receivedNs = nowNs()
      await inTurns(checkLineCount(payload))
      const decoded = await inTurns(decoderFor(table, format).decode(payload, receivedNs))
      if (decoded.nothing !== undefined) return decoded.nothing
      if (log !== undefined) {
        try {
          await log.append({ backend: backend ?? ONLY_BACKEND, table, format, receivedNs, payload })
        } catch (error) {
          throw asHttpFault(error)
        }
      }
      const applied = visible.then(() => inTurns(decoded.apply(target)))
      visible = applied
      return applied
    },
  }
}
