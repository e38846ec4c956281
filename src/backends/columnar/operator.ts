import type { Join, LogicalPlan, NodeOf, PlanKind } from '../../plan/index.ts'
import type { ExecContext } from './context.ts'
import type { MemoryReservation } from './memory-reservation.ts'
import type { Frame } from './frame.ts'
import type { OperatorMeasure } from './measure.ts'
import type { SegmentRange } from './segments/segment-range.ts'
import type { ScanSource } from './segments/source.ts'

/** Returned by `pull` after work that produced no rows. The caller must pull again. */
export const again = Symbol('again')

/**
 * Computes the rows of one plan node on demand. Each call does a limited amount of work, so that the driver can cancel
 * the query between calls.
 */
export interface Operator {
  /**
   * Present if the rows are those of a scan with filters. The reader of this operator may process the scan's segments
   * instead of pulling rows.
   */
  readonly scan?: ScanSource
  /**
   * Present if the rows are groups. A reader that needs only some of the groups may use this instead of pulling rows.
   */
  readonly groups?: UnorderedGroups
  /** Present if each row is a row of this scan, with some of the scan's columns. */
  readonly rowsOf?: ScanSource
  /**
   * Makes a scan return its rows one range of a segment at a time, in the order that `reads` chooses. Must be called
   * before `pull`.
   */
  readonly readRanges?: (reads: RangeReads) => void
  /**
   * Present in joins: prepares to join the left rows range by range. Returns `undefined` if the left side cannot be
   * joined that way.
   */
  readonly byRanges?: () => JoinByRanges | undefined
  /**
   * Present in aggregating operators: returns the rows that the operator would yield, in order, if its input ended now.
   * Charges the memory of the rows to `charge` and changes no state. No operator may be pulled during the call.
   */
  readonly soFar?: (charge: MemoryReservation) => Frame
  /** Returns the next rows, at most `want`; `again` after work without rows; `undefined` at the end. */
  pull(want: number): Frame | typeof again | undefined
}

/** The ranges of a scan, with a function that chooses the next range to read. */
export interface RangeReads {
  readonly ranges: readonly SegmentRange[]
  /** Returns the index of the next range to read; `undefined` when there are no more. */
  readonly next: () => number | undefined
}

/**
 * A join whose left rows may be read one range of their scan at a time, in any order. Other threads may process some of
 * the ranges.
 */
export interface JoinByRanges {
  readonly node: Join
  readonly left: ScanSource
  /** The scan that returns the right rows. */
  readonly right: ScanSource
  /**
   * True if the join makes so few pairs that it need not count them in advance. Known once the right side has been
   * read.
   */
  readonly arePairsFew: () => boolean
  readonly read: (reads: RangeReads) => void
}

/** Candidates for the first groups of an ordering, selected from all groups. */
export interface GroupCandidates {
  readonly frame: Frame
  /** The number of all groups, selected or not. */
  readonly groupCount: number
}

/** The groups of an aggregate before they are sorted. A reader uses either this interface or `pull`, never both. */
export interface UnorderedGroups {
  /** Does a limited amount of work; returns true when all groups are known. */
  step(): boolean
  /** Returns the rows of all groups in any order, or only those at the given positions. */
  frame(rows?: Uint32Array): Frame
  /**
   * Returns the groups that may be among the first `keep` when ordered by the column `name`, ties included. `undefined`
   * if that required computing the column for all groups.
   */
  topCandidates(name: string, direction: 'asc' | 'desc', keep: number): GroupCandidates | undefined
  /** The columns by which the groups are sorted, in the order of group keys. */
  readonly keys: readonly string[]
}

/** The type of the operators of a node's inputs. */
type InputsOf<N> = N extends { readonly input: LogicalPlan }
  ? readonly [Operator]
  : N extends { readonly left: LogicalPlan; readonly right: LogicalPlan }
    ? readonly [Operator, Operator]
    : readonly Operator[]

/** Input from which an operator is constructed: its node, the operators of the inputs, and the context. */
export interface OperatorInput<N extends LogicalPlan> {
  readonly node: N
  readonly inputs: InputsOf<N>
  readonly context: ExecContext
  readonly measure: OperatorMeasure
  /** True if the reader of this operator may stop before the last row. */
  readonly isPartlyRead: boolean
}

export type OperatorFactory<N extends LogicalPlan> = (input: OperatorInput<N>) => Operator

export type OperatorTable = { readonly [K in PlanKind]: OperatorFactory<NodeOf<K>> }
