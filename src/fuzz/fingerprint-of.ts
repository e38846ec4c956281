import { oncePer } from '../base/index.ts'
import { fingerprint, type LogicalPlan } from '../plan/index.ts'

/** The fingerprint of a plan, made once: several laws compare the same plans. */
export const fingerprintOf: (plan: LogicalPlan) => string = oncePer(fingerprint)
