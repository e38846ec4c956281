import { EXCERPT_CHARS } from '../base/index.ts'
import type { MutableRow } from './row.ts'
import { toText, type Value } from './value.ts'
import { epochNs } from './times/epoch.ts'
import { readTime } from './times/read-time.ts'

/** Records that are stored and lack something: a time of their own that can be read, or a cell for each column. */
export interface RecordFaults {
  /** Those whose time field has something that is not a time. */
  readonly unreadableTimes: number
  /** The value of that field in the first of them, at most 120 characters. */
  readonly unreadableTime: string | undefined
  /** Those without a time field. */
  readonly timelessRecords: number
  /** A member whose value looks like a time in one of them. */
  readonly likelyTimeField: string | undefined
  /** Those of a table with values behind the last named column. */
  readonly widerRecords: number
  /** Those of a table with fewer cells than it has named columns. */
  readonly narrowerRecords: number
  /** The first name that several columns of a table have. */
  readonly doubledColumn: string | undefined
}

/** What a record of a table may be beside the names of its columns. */
export type Width = 'wider' | 'narrower'

/** Records without a time that are searched for a member that looks like one: the first ones of an input are like the others. */
const SEARCHED_RECORDS = 16

export class RecordFaultCount implements RecordFaults {
  /** Records that may still be searched. */
  #searches: number
  unreadableTimes = 0
  unreadableTime: string | undefined
  timelessRecords = 0
  likelyTimeField: string | undefined
  widerRecords = 0
  narrowerRecords = 0
  doubledColumn: string | undefined

  /** With another count of the same input, which went on to here, no more records of it are searched than of one. */
  constructor(before?: RecordFaultCount) {
    this.#searches = before === undefined ? SEARCHED_RECORDS : before.#searches
  }

  /** Counts a record that stands at the time of reading; `unreadable` is what its time field has, if anything. */
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

  /** The counts; nothing when there is nothing to tell. */
  told(): Partial<RecordFaults> {
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

/** A text that begins with a date, or a time of day. */
const DATED = /^\W?(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}:\d\d:\d\d|[A-Z][a-z]{2} +\d|\d{1,2}[ /-][A-Z][a-z]{2})/
const TIME_NAME = /time|date|when|stamp|clock|epoch|_at$|At$|^ts$|_ts$/i

/** The member of a record whose value looks most like its time: first by its name, then by its place. */
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
