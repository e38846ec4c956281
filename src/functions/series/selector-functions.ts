import type { SelectorFunction } from './definition.ts'

/** Functions that the backend computes from the samples of a selector. */
export const selectorFunctions: readonly SelectorFunction[] = [
  { name: 'timestamp', kernel: 'sample-time', dependsOnTime: true, keepsLabels: true, readsPresenceOnly: true },
  { name: 'start_timestamp', kernel: 'start-time', keepsLabels: true },
  { name: 'info', kernel: 'info', takesMatchers: true },
]
