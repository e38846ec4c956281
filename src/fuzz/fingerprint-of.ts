import { fingerprint, type LogicalPlan } from '../plan/index.ts'

const known = new WeakMap<LogicalPlan, string>()

/** The fingerprint of a plan, made once: several laws compare the same plans. */
export function fingerprintOf(plan: LogicalPlan): string {
  let text = known.get(plan)
  if (text === undefined) known.set(plan, (text = fingerprint(plan)))
  return text
}
