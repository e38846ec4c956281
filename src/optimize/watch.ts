import type { OptimizerStep } from './rule.ts'

/** Called for each change that a rule makes; `faults` checks the change only when it is called. */
export type RuleWatcher = (step: OptimizerStep, faults: () => readonly string[]) => void

let current: RuleWatcher | undefined

/** Observes every change of any rule in the process, for tests. `undefined` ends it. */
export function watchRules(watcher: RuleWatcher | undefined): void {
  current = watcher
}

export function watcher(): RuleWatcher | undefined {
  return current
}
