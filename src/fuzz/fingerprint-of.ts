import { oncePer } from '../base/index.ts'
import { fingerprint, type LogicalPlan } from '../plan/index.ts'

/** Returns the fingerprint of a plan, cached by plan, since several laws compare the same plans. */
export const fingerprintOf: (plan: LogicalPlan) => string = oncePer(fingerprint)
