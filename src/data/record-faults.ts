import { EXCERPT_CHARS } from '../base/index.ts'
import type { MutableRow } from './row.ts'
import { toText, type Value } from './value.ts'
import { epochNs } from './times/epoch.ts'
import { readTime } from './times/read-time.ts'

/** Faults found in stored records: no readable time, or table rows whose cells do not match the columns. */
export interface RecordFaults {
  /** The number of records whose time field is not a time. */
  readonly unreadableTimes: number
  /** The value of the time field in the first record whose time is unreadable, at most 120 characters. */
  readonly unreadableTime: string | undefined
  /** The number of records without a time field. */
  readonly timelessRecords: number
  /** A member whose value looks like a time, in a record without a time field. */
  readonly likelyTimeField: string | undefined
  /** The number of table records with values after the last named column. */
  readonly widerRecords: number
  /** The number of table records with fewer cells than named columns. */
  readonly narrowerRecords: number
  /** The first column name that occurs more than once in a table. */
  readonly doubledColumn: string | undefined
}

/** Fault of a table row: it has more, or fewer, cells than there are column names. */
export type Width = 'wider' | 'narrower'

/**
 * The number of records without a time that are searched for a member that looks like one. The first records are
 * typical.
 */
const SEARCHED_RECORDS = 16

export class RecordFaultCount implements RecordFaults {
  /** The number of further records that may be searched for a member that looks like a time. */
  #searches: number
  unreadableTimes = 0
  unreadableTime: string | undefined
  timelessRecords = 0
  likelyTimeField: string | undefined
  widerRecords = 0
  narrowerRecords = 0
  doubledColumn: string | undefined

  /**
   * `before` holds the counts of the earlier part of the input; both parts together search at most `SEARCHED_RECORDS`
   * records.
   */
  constructor(before?: RecordFaultCount) {
    this.#searches = before === undefined ? SEARCHED_RECORDS : before.#searches
  }

  /**
   * Counts a record that gets the time of reading, because it has no readable time. `unreadable` is the value of its
   * time field, if it has one.
   */
  add(unreadable: Value | undefined, record: () => MutableRow): void {
    if (unreadable !== undefined) {
      this.unreadableTimes++
      this.unreadableTime ??= toText(unreadable).slice(0, EXCERPT_CHARS)
      return
    }
    this.timelessRecords++
    if (this.#searches === 0) return
    this.likelyTimeField = likelyTimeIn(record())
    this.#searches = this.likelyTimeField === undefined ? this.#searches - 1 : 0
  }

  addWidth(width: Width): void {
    if (width === 'wider') this.widerRecords++
    else this.narrowerRecords++
  }

  /** Returns the faults that were found; an empty object if there are none. */
  found(): Partial<RecordFaults> {
    const { unreadableTimes, unreadableTime, timelessRecords, likelyTimeField } = this
    const { widerRecords, narrowerRecords, doubledColumn } = this
    return {
      ...(unreadableTimes === 0 ? {} : { unreadableTimes, unreadableTime }),
      ...(timelessRecords === 0 ? {} : { timelessRecords }),
      ...(likelyTimeField === undefined ? {} : { likelyTimeField }),
      ...(widerRecords === 0 ? {} : { widerRecords }),
      ...(narrowerRecords === 0 ? {} : { narrowerRecords }),
      ...(doubledColumn === undefined ? {} : { doubledColumn }),
    }
  }

  addAll(faults: Partial<RecordFaults>): void {
    this.unreadableTimes += faults.unreadableTimes ?? 0
    this.unreadableTime ??= faults.unreadableTime
    this.timelessRecords += faults.timelessRecords ?? 0
    this.likelyTimeField ??= faults.likelyTimeField
    this.widerRecords += faults.widerRecords ?? 0
    this.narrowerRecords += faults.narrowerRecords ?? 0
    this.doubledColumn ??= faults.doubledColumn
  }
}

/** Matches texts that begin with a date or a time of day. */
const DATED = /^\W?(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}:\d\d:\d\d|[A-Z][a-z]{2} +\d|\d{1,2}[ /-][A-Z][a-z]{2})/
const TIME_NAME = /time|date|when|stamp|clock|epoch|_at$|At$|^ts$|_ts$/i

/**
 * Returns the member of a record that is most likely its time: by name if possible, else the first whose value looks
 * like a time.
 */
function likelyTimeIn(record: MutableRow): string | undefined {
  let likely: string | undefined
  for (const [name, value] of record) {
    const isNamed = TIME_NAME.test(name)
    if (
      isNamed
        ? isAnyTime(value)
        : likely === undefined && typeof value === 'string' && DATED.test(value) && isAnyTime(value)
    ) {
      if (isNamed) return name
      likely = name
    }
  }
  return likely
}

function isAnyTime(value: Value): boolean {
  const text = toText(value)
  return (/^\d+(?:\.\d+)?$/.test(text) ? epochNs(text) : readTime(value, { nowNs: 0n })) !== undefined
}
