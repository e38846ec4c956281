import { TURN_MS, nextTurn } from '../base/index.ts'
import type { NewLog } from '../store/durable/index.ts'
import type { Snapshot } from './documents.ts'
import { encodeChanges, encodePack, packAudit, type AuditPack } from './log-records.ts'

/** Audit records in one pack: a damaged bit costs at most these, and packing takes 2 ms. */
const AUDITS_OF_PACK = 200

/**
 * Writes a snapshot to a log: packs unchanged, other audit records packed, each document as a change. Returns the new
 * packs. Stops with an error if `isUnwanted` says so.
 */
export async function writeSnapshot(
  { documents, packs, audits }: Snapshot,
  log: NewLog,
  isUnwanted: () => boolean,
): Promise<readonly AuditPack[]> {
  const made: AuditPack[] = []
  let sinceMs = performance.now()
  for (const record of records()) {
    log.add(record)
    if (performance.now() - sinceMs < TURN_MS) continue
    await nextTurn()
    if (isUnwanted()) throw new Error('the store was closed')
    sinceMs = performance.now()
  }
  // Syncs most of it before commits have to wait for the rest.
  await log.file.syncLater()
  return made

  function* records(): Generator<readonly Uint8Array[]> {
    for (const pack of packs) yield encodePack(pack)
    for (const [backend, all] of audits) {
      for (let from = 0; from < all.length; from += AUDITS_OF_PACK) {
        const pack = packAudit(backend, all.slice(from, from + AUDITS_OF_PACK))
        made.push(pack)
        yield encodePack(pack)
      }
    }
    for (const document of documents) yield [encodeChanges([document])]
  }
}
