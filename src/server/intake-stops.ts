import { HttpFault } from './http-fault.ts'
import type { Clock, Logger } from './context.ts'
import type { IngestService } from './ingest/ingest-service.ts'

const NO_SPACE = 507
/** How long the log says nothing more of a disk that stays full, milliseconds: the log may be on it. */
const TOLD_EVERY_MS = 60_000

/** Takes data in as before, and logs when the disk has no room for them, once a minute, and when it has room again. */
export function tellingOfSpace(ingest: IngestService, log: Logger, clock: Clock): IngestService {
  let toldMs: number | undefined
  let refused = 0
  return {
    ingest: async (request) => {
      try {
        const report = await ingest.ingest(request)
        if (toldMs !== undefined) log.error({ refused }, 'the disk has room again: data are taken in')
        toldMs = undefined
        refused = 0
        return report
      } catch (error) {
        if (error instanceof HttpFault && error.status === NO_SPACE) {
          refused++
          const nowMs = clock.nowMs()
          if (toldMs === undefined || nowMs - toldMs >= TOLD_EVERY_MS) {
            toldMs = nowMs
            const reasons = error.diagnostics.flatMap(({ message, notes }) => [message, ...notes])
            log.error({ reasons, refused }, 'the disk has no room: data that are sent are refused')
          }
        }
        throw error
      }
    },
  }
}
