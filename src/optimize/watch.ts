import type { OptimizerStep } from './rule.ts'

/** Called for each change that a rule makes. `faults` checks the change on demand and returns the faults. */
export type RuleWatcher = (step: OptimizerStep, faults: () => readonly string[]) => void

let current: RuleWatcher | undefined

/** Observes the changes of all rules in the process, for tests. `undefined` stops observing. */
export function watchRules(watcher: RuleWatcher | undefined): void {
  current = watcher
}

export function watcher(): RuleWatcher | undefined {
  return current
}
