import { HttpFault } from './http-fault.ts'
import type { Clock, Logger } from './context.ts'
import type { IntakeWatch } from './intake-watch.ts'

const NO_SPACE = 507
/** How long the log says nothing more of a disk that stays full, milliseconds: the log may be on it. */
const TOLD_EVERY_MS = 60_000

/** Logs when the disk has no room for what is sent, once a minute, and when it has room again. */
export function tellingOfSpace(log: Logger, clock: Pick<Clock, 'nowMs'>): IntakeWatch {
  let toldMs: number | undefined
  let refused = 0
  return {
    taken: () => {
      if (toldMs !== undefined) log.error({ refused }, 'the disk has room again: data are taken in')
      toldMs = undefined
      refused = 0
    },
    refused: (_, error) => {
      if (!(error instanceof HttpFault) || error.status !== NO_SPACE) return
      refused++
      const nowMs = clock.nowMs()
      if (toldMs !== undefined && nowMs - toldMs < TOLD_EVERY_MS) return
      toldMs = nowMs
      const reasons = error.diagnostics.flatMap(({ message, notes }) => [message, ...notes])
      log.error({ reasons, refused }, 'the disk has no room: data that are sent are refused')
    },
  }
}
