import type { Join, LogicalPlan, NodeOf, PlanKind } from '../../plan/index.ts'
import type { ExecContext } from './context.ts'
import type { Charge } from './charge.ts'
import type { Frame } from './frame.ts'
import type { Measure } from './measure.ts'
import type { SegmentRange } from './segments/segment-range.ts'
import type { ScanSource } from './segments/source.ts'

/** What `pull` gives when it has worked but has no rows yet: ask again. */
export const again = Symbol('again')

/** The rows of one plan node, on demand. Each call does a bounded piece of work, so that the driver can stop between. */
export interface Operator {
  /** Set while the rows are those of a scan, filtered: an operator above may work on its segments instead. */
  readonly scan?: ScanSource
  /** Set by operators whose rows come in group order, for those above that need only some of the groups. */
  readonly groups?: UnorderedGroups
  /** Set while each row is one of a scan, with some of its columns. */
  readonly rowsOf?: ScanSource
  /** Set by scans: from now on rows come piece by piece, in the order of the pieces asked for. Before anything is pulled. */
  readonly readPieces?: (pieces: PieceReading) => void
  /** Set by joins; `undefined` where the rows of one piece of the left side cannot be joined by themselves. */
  readonly byPieces?: () => JoinByPieces | undefined
  /**
   * Set by operators that add rows up: all rows they would give if their input ended here, in order. What they hold stays
   * as it is; what the rows take is charged to `charge`. Nothing may be pulled before it has ended.
   */
  readonly soFar?: (charge: Charge) => Frame
  /** The next rows, at most `want` of them; `again` after a piece of work without rows; `undefined` at the end. */
  pull(want: number): Frame | typeof again | undefined
}

/** Which rows of a scan come next. */
export interface PieceReading {
  readonly ranges: readonly SegmentRange[]
  /** The index of a range; `undefined` when there are no more. */
  readonly next: () => number | undefined
}

/** A join whose left rows may come in pieces of their scan, in any order, some of them in other threads. */
export interface JoinByPieces {
  readonly node: Join
  readonly left: ScanSource
  /** What the right side reads. */
  readonly right: ScanSource
  /** Whether the pairs are so few that nobody counts them before they are made; known once the right side is read. */
  readonly arePairsFew: () => boolean
  readonly read: (pieces: PieceReading) => void
}

/** Some groups of all. */
export interface GroupContenders {
  readonly frame: Frame
  /** Of all. */
  readonly groupCount: number
}

/** Groups before they are put in order; to be used instead of `pull`, not beside it. */
export interface UnorderedGroups {
  /** A piece of work; true when all groups are known. */
  step(): boolean
  /** All groups, in no order; or those at the places given. */
  frame(places?: Uint32Array): Frame
  /** Those that may be among the first `keep` by the column `name`, ties included; `undefined` where that is not known without the column of all groups. */
  contenders(name: string, direction: 'asc' | 'desc', keep: number): GroupContenders | undefined
  /** The columns whose order as group keys is the order of the rows. */
  readonly keys: readonly string[]
}

/** The operators below one of a node, as many as the node has inputs. */
type InputsOf<N> = N extends { readonly input: LogicalPlan }
  ? readonly [Operator]
  : N extends { readonly left: LogicalPlan; readonly right: LogicalPlan }
    ? readonly [Operator, Operator]
    : readonly Operator[]

/** What an operator is made from. */
export interface OperatorInput<N extends LogicalPlan> {
  readonly node: N
  readonly inputs: InputsOf<N>
  readonly context: ExecContext
  readonly measure: Measure
  /** Whoever reads its rows may stop before the last. */
  readonly isPartlyRead: boolean
}

export type OperatorFactory<N extends LogicalPlan> = (input: OperatorInput<N>) => Operator

export type OperatorTable = { readonly [K in PlanKind]: OperatorFactory<NodeOf<K>> }
