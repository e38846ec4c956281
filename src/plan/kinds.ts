/**
 * The closed union of plan nodes, assembled by declaration merging: each file under `nodes/` adds its interface to
 * `PlanKinds`. A union that imports the node files would be circular, because the inputs of a node can be any node.
 */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface
export interface PlanKinds {}

export type PlanKind = keyof PlanKinds
/** A tree of plan nodes, which are plain data. `kind` is the discriminant. */
export type LogicalPlan = PlanKinds[PlanKind]
export type NodeOf<K extends PlanKind> = PlanKinds[K]
