import type { OptimizerStep } from './rule.ts'

/** What a change by a rule has broken is worked out when it is asked for. */
export type RuleWatcher = (step: OptimizerStep, faults: () => readonly string[]) => void

let current: RuleWatcher | undefined

/** Sees every change that any rule of the process makes: how tests check all of them. `undefined` ends it. */
export function watchRules(watcher: RuleWatcher | undefined): void {
  current = watcher
}

export function watcher(): RuleWatcher | undefined {
  return current
}
