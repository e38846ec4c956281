import type { OptimizerStep } from './rule.ts'

/** Observer of rules; faults of a change are computed when they are read. */
export type RuleWatcher = (step: OptimizerStep, faults: () => readonly string[]) => void

let current: RuleWatcher | undefined

/** Observes every change of any rule in the process, for tests. `undefined` ends it. */
export function watchRules(watcher: RuleWatcher | undefined): void {
  current = watcher
}

export function watcher(): RuleWatcher | undefined {
  return current
}
