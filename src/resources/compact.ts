import { TURN_MS, nextTurn } from '../base/index.ts'
import type { NewLog } from '../store/durable/index.ts'
import type { DocumentsSnapshot } from './documents.ts'
import { encodeChanges, encodePack, packAudit, type AuditPack } from './log-records.ts'

/**
 * Maximum number of audit records in a pack. Damage to one bit loses the whole pack, and packing must not block the
 * event loop.
 */
const AUDITS_OF_PACK = 200

/**
 * Writes a snapshot to a log: existing packs unchanged, other audit records packed, each document as a change. Returns
 * the new packs. Throws if `isUnwanted` becomes true.
 */
export async function writeSnapshot(
  { documents, packs, audits }: DocumentsSnapshot,
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
  // Syncs most of the new log now, so that commits wait only for the remainder.
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
