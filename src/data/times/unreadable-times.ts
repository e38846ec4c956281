import { EXCERPT_CHARS } from '../../base/index.ts'
import { toText, type Value } from '../value.ts'

/** Records whose time cannot be read, counted. */
export interface UnreadableTimes {
  readonly unreadableTimes: number
  /** What stands there in the first of them, at most 120 characters. */
  readonly unreadableTime: string | undefined
}

export class UnreadableTimesCount implements UnreadableTimes {
  unreadableTimes = 0
  unreadableTime: string | undefined

  /** Counts a value that is not a time; nothing for `undefined`. */
  addValue(value: Value | undefined): void {
    if (value === undefined) return
    this.unreadableTimes++
    this.unreadableTime ??= toText(value).slice(0, EXCERPT_CHARS)
  }

  /** The counts; nothing when there is nothing to tell. */
  told(): Partial<UnreadableTimes> {
    const { unreadableTimes, unreadableTime } = this
    return unreadableTimes === 0 ? {} : { unreadableTimes, unreadableTime }
  }

  addAll({ unreadableTimes, unreadableTime }: Partial<UnreadableTimes>): void {
    this.unreadableTimes += unreadableTimes ?? 0
    this.unreadableTime ??= unreadableTime
  }
}
