import type { Join, LogicalPlan, NodeOf, PlanKind } from '../../plan/index.ts'
import type { ExecContext } from './context.ts'
import type { MemoryReservation } from './memory-reservation.ts'
import type { Frame } from './frame.ts'
import type { Measure } from './measure.ts'
import type { SegmentRange } from './segments/segment-range.ts'
import type { ScanSource } from './segments/source.ts'

/** The result of `pull` after work without rows: call it again. */
export const again = Symbol('again')

/**
 * Computes the rows of one plan node on demand. Each call does a limited amount of work, so that the driver can stop in
 * between.
 */
export interface Operator {
  /** Set while the rows are those of a filtered scan, so that an operator above may work on its segments instead. */
  readonly scan?: ScanSource
  /** Set by operators whose rows are ordered groups, for operators above that need only some of the groups. */
  readonly groups?: UnorderedGroups
  /** Set while each row is a row of a scan, with some of its columns. */
  readonly rowsOf?: ScanSource
  /**
   * Set by scans. After a call, rows come piece by piece in the requested order of pieces. It must be called before
   * `pull`.
   */
  readonly readPieces?: (pieces: PieceReading) => void
  /** Set by joins; returns `undefined` when the rows of one piece of the left side cannot be joined separately. */
  readonly byPieces?: () => JoinByPieces | undefined
  /**
   * Set by aggregating operators: returns all rows that they would give if their input ended now, in order. Their state
   * does not change; memory of the rows is charged to `charge`. Nothing may be pulled until it has returned.
   */
  readonly soFar?: (charge: MemoryReservation) => Frame
  /** Returns the next rows, at most `want` of them; `again` after work without rows; `undefined` at the end. */
  pull(want: number): Frame | typeof again | undefined
}

/** Chooses the next piece of a scan. */
export interface PieceReading {
  readonly ranges: readonly SegmentRange[]
  /** Returns the index of a range; `undefined` when there are no more. */
  readonly next: () => number | undefined
}

/** A join whose left rows may arrive in pieces of their scan, in any order, some of them in other threads. */
export interface JoinByPieces {
  readonly node: Join
  readonly left: ScanSource
  /** The scan of the right side. */
  readonly right: ScanSource
  /**
   * Whether there are so few pairs that they are not counted before they are made; known once the right side is read.
   */
  readonly arePairsFew: () => boolean
  readonly read: (pieces: PieceReading) => void
}

/** Some of all groups. */
export interface GroupContenders {
  readonly frame: Frame
  /** The number of all groups. */
  readonly groupCount: number
}

/** Groups before they are ordered; used instead of `pull`, never together with it. */
export interface UnorderedGroups {
  /** Does some work and returns true when all groups are known. */
  step(): boolean
  /** Returns all groups in any order, or those at the given positions. */
  frame(places?: Uint32Array): Frame
  /**
   * Returns the groups that may be among the first `keep` by the column `name`, ties included; `undefined` when that
   * requires the column of all groups.
   */
  topCandidates(name: string, direction: 'asc' | 'desc', keep: number): GroupContenders | undefined
  /** The columns by whose order as group keys the rows are ordered. */
  readonly keys: readonly string[]
}

/** The operators of a node's inputs. */
type InputsOf<N> = N extends { readonly input: LogicalPlan }
  ? readonly [Operator]
  : N extends { readonly left: LogicalPlan; readonly right: LogicalPlan }
    ? readonly [Operator, Operator]
    : readonly Operator[]

/** The inputs for making an operator. */
export interface OperatorInput<N extends LogicalPlan> {
  readonly node: N
  readonly inputs: InputsOf<N>
  readonly context: ExecContext
  readonly measure: Measure
  /** Whether its reader may stop before the last row. */
  readonly isPartlyRead: boolean
}

export type OperatorFactory<N extends LogicalPlan> = (input: OperatorInput<N>) => Operator

export type OperatorTable = { readonly [K in PlanKind]: OperatorFactory<NodeOf<K>> }
