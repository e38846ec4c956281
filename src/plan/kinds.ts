/**
 * The closed union of plan nodes, assembled by declaration merging: each file under `nodes/` adds its interface to
 * `PlanKinds`. A node's input is any node, so a union that imported the node files would be imported by all of them;
 * this way imports run one way only and the compiler still knows every kind.
 */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface
export interface PlanKinds {}

export type PlanKind = keyof PlanKinds
/** A tree of plan nodes, told apart by `kind`. Plans are plain data. */
export type LogicalPlan = PlanKinds[PlanKind]
export type NodeOf<K extends PlanKind> = PlanKinds[K]
