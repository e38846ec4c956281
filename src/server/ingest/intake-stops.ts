import { LOG_REPEAT_MS } from '../../base/index.ts'
import { HttpFault } from '../errors/http-fault.ts'
import type { Clock, Logger } from '../settings/environment.ts'
import type { IntakeWatch } from './intake-watch.ts'

/** A resource that can be full until an operator acts. */
interface Room {
  readonly what: string
  readonly isFull: (error: HttpFault) => boolean
}

const rooms: readonly Room[] = [
  { what: 'the disk', isFull: ({ status }) => status === 507 },
  { what: 'the memory for rows', isFull: ({ code }) => code === 'server/memory-full' },
]

/** Returns observers that log once a minute while storage is full, and once when it has space again. */
export function tellingOfSpace(log: Logger, clock: Pick<Clock, 'nowMs'>): readonly IntakeWatch[] {
  return rooms.map((room) => tellingOf(room, log, clock))
}

function tellingOf({ what, isFull }: Room, log: Logger, clock: Pick<Clock, 'nowMs'>): IntakeWatch {
  let loggedMs: number | undefined
  let refused = 0
  return {
    taken: () => {
      if (loggedMs !== undefined) log.error({ refused }, `${what} has room again: data are taken in`)
      loggedMs = undefined
      refused = 0
    },
    refused: (_, error) => {
      if (!(error instanceof HttpFault) || !isFull(error)) return
      refused++
      const nowMs = clock.nowMs()
      if (loggedMs !== undefined && nowMs - loggedMs < LOG_REPEAT_MS) return
      loggedMs = nowMs
      const reasons = error.diagnostics.flatMap(({ message, notes }) => [message, ...notes])
      log.error({ reasons, refused }, `${what} has no room: data that are sent are refused`)
    },
  }
}
