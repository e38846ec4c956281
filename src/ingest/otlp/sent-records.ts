import { KEPT_EXAMPLES, type StepwiseTask } from '../../base/index.ts'
import type { MutableRow } from '../../data/index.ts'
import { recordFault } from '../../store/index.ts'
import { PartCount } from '../part-count.ts'
import { resourceFields } from './attributes.ts'
import type { KeyValue, Scope } from './messages.ts'
import { MAX_RECORD_PARTS, PARTS_PER_RECORD } from '../tuning.ts'

/** The fields that several records share. */
export interface SharedFields {
  /** The attributes of the resource as fields, with the declared fields that they provide. */
  readonly resource: MutableRow
  /** The attributes of the resource as they were sent. */
  readonly sentResource: readonly KeyValue[]
  readonly scope: Scope
}

/** A record of a parsed export. */
export interface SentRecord<T> {
  readonly shared: SharedFields
  readonly record: T
}

/** Counts records and those that are left out. */
export class LeftOut {
  rejected = 0
  /** The first few records that were left out; `line` is the record's number, counted from 1. */
  readonly errors: { readonly line: number; readonly reason: string; readonly text?: string }[] = []
  #line = 0

  /**
   * Counts the next record. `fault` is the reason why the record is left out, `undefined` if it is not; `text` is its
   * text, if it has one.
   */
  next(fault: string | undefined, text?: string): void {
    this.#line++
    if (fault === undefined) return
    this.rejected++
    if (this.errors.length < KEPT_EXAMPLES)
      this.errors.push({ line: this.#line, reason: fault, ...(text === undefined ? undefined : { text }) })
  }
}

/** The rows made from the records of a parsed document, and the records that were left out. */
export interface ReadRecords {
  readonly rows: MutableRow[]
  readonly leftOut: LeftOut
}

type Members = Readonly<Record<string, unknown>>

interface Group {
  readonly resource?: { readonly attributes?: readonly KeyValue[] } | null
}

interface Scoped {
  readonly scope?: Scope | null
}

/**
 * Yields the records of a parsed document. Each group has the member `scopes`, and each scope the member `records`;
 * both are lists of objects.
 */
export function* parsedRecords<T>(
  groups: readonly Group[] | undefined | null,
  scopes: string,
  records: string,
  parts: PartCount,
): Generator<SentRecord<T>> {
  const listOf = (of: object, name: string): unknown => (of as Members)[name] ?? []
  for (const group of groups ?? []) {
    const sentResource = group.resource?.attributes ?? []
    const resource = resourceFields(sentResource)
    for (const scoped of listOf(group, scopes) as readonly Scoped[]) {
      const shared = { resource, sentResource, scope: scoped.scope ?? {} }
      for (const record of listOf(scoped, records) as readonly T[]) {
        parts.begin()
        parts.add(PARTS_PER_RECORD)
        yield { shared, record }
      }
    }
  }
}

export function countParts(): PartCount {
  return new PartCount(MAX_RECORD_PARTS)
}

/**
 * Converts records to rows and yields every few thousand parts. Records that are invalid or too large for a row are
 * left out.
 */
export function* rowsOf<T>(
  records: Iterable<SentRecord<T>>,
  parts: PartCount,
  rowOf: (record: T, shared: SharedFields) => MutableRow | string,
): StepwiseTask<ReadRecords> {
  const rows: MutableRow[] = []
  const leftOut = new LeftOut()
  for (const { shared, record } of records) {
    if (parts.isTurn()) yield
    const row = rowOf(record, shared)
    // A record without a value still has a time.
    const fault = typeof row === 'string' ? row : row.size === 0 ? undefined : recordFault(row)
    if (typeof row !== 'string' && fault === undefined) rows.push(row)
    leftOut.next(fault)
  }
  return { rows, leftOut }
}
