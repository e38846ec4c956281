import { SluiceError, nowhere } from '../../base/index.ts'
import { durableDiagnostic, type DurableStore } from '../../store/durable/index.ts'
import { Pace } from '../pace.ts'
import type { IngestTarget } from './decoder.ts'
import { findDecoder } from './decoders.ts'

export interface ReplayReport {
  readonly batches: number
  readonly rows: number
}

/**
 * Puts every acknowledged batch back, in the order of the log, by the code that took it in. Throws `durable/…` for a log
 * that is damaged or holds what this program cannot read; the event loop gets its turns.
 */
export async function replayBatches(
  log: DurableStore,
  targetOf: (backend: string) => IngestTarget | undefined,
): Promise<ReplayReport> {
  const pace = new Pace()
  let batches = 0
  let rows = 0
  for (const { backend, table, format, receivedNs, payload } of log.replay()) {
    const decoder = findDecoder(table, format)
    if (decoder === undefined) throw new SluiceError([durableDiagnostic('unknown-format', { table, format }, nowhere)])
    const target = targetOf(backend)
    if (target === undefined) throw new SluiceError([durableDiagnostic('unknown-backend', { backend }, nowhere)])
    rows += decoder.decode(payload, receivedNs).apply(target).accepted
    batches++
    await pace.turn()
  }
  return { batches, rows }
}
