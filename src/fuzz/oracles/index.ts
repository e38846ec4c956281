import type { SharedLaw } from '../runner/fuzzer.ts'
import type { FuzzCase } from './oracle.ts'
import { bytesAreTexts } from './bytes-are-texts.ts'
import { deletesAgree } from './deletes-agree.ts'
import { filtersAgree } from './filters-agree.ts'
import { looksChangeNothing } from './looks-change-nothing.ts'
import { pagesJoin } from './pages-join.ts'
import { parametersAreValues } from './parameters-are-values.ts'
import { partitionsAddUp } from './partitions-add-up.ts'
import { plansSettle } from './plans-settle.ts'
import { roundTrip } from './round-trip.ts'
import { sameAfterOptimize } from './same-after-optimize.ts'
import { sameOnEveryBackend } from './same-on-every-backend.ts'
import { textJson } from './text-json.ts'

export type { FuzzCase, Oracle } from './oracle.ts'

/** Laws of log queries, each with the share of cases for which it is checked; expensive laws have small shares. */
export const oracles: readonly SharedLaw<FuzzCase>[] = [
  { law: roundTrip, share: 1 },
  { law: sameOnEveryBackend, share: 1 },
  { law: sameAfterOptimize, share: 0.5 },
  { law: plansSettle, share: 0.3 },
  { law: filtersAgree, share: 0.15 },
  { law: partitionsAddUp, share: 0.1 },
  { law: deletesAgree, share: 0.1 },
  { law: pagesJoin, share: 0.05 },
  { law: looksChangeNothing, share: 0.2 },
  { law: bytesAreTexts, share: 0.5 },
  { law: textJson, share: 0.2 },
  { law: parametersAreValues, share: 0.2 },
]
