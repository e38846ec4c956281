import type { Oracle } from './oracle.ts'
import { filtersAgree } from './filters-agree.ts'
import { pagesJoin } from './pages-join.ts'
import { partitionsAddUp } from './partitions-add-up.ts'
import { plansSettle } from './plans-settle.ts'
import { roundTrip } from './round-trip.ts'
import { sameAfterOptimize } from './same-after-optimize.ts'
import { sameOnEveryBackend } from './same-on-every-backend.ts'
import { scopeNeverLeaks } from './scope-never-leaks.ts'
import { textJson } from './text-json.ts'

export type { FuzzCase, Oracle } from './oracle.ts'

/** The laws, and how often each is asked: the dearer ones of fewer cases. */
export const oracles: readonly { readonly oracle: Oracle; readonly share: number }[] = [
  { oracle: roundTrip, share: 1 },
  { oracle: sameOnEveryBackend, share: 1 },
  { oracle: sameAfterOptimize, share: 0.5 },
  { oracle: plansSettle, share: 0.3 },
  { oracle: filtersAgree, share: 0.15 },
  { oracle: partitionsAddUp, share: 0.1 },
  { oracle: pagesJoin, share: 0.05 },
  { oracle: scopeNeverLeaks, share: 0.01 },
  { oracle: textJson, share: 0.2 },
]
