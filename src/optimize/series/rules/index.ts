import type { SeriesRule } from '../rule.ts'
import { foldScalars } from './fold-scalars.ts'
import { projectPresence } from './project-presence.ts'
import { pushMatchers } from './push-matchers.ts'
import { tidyMatchers } from './tidy-matchers.ts'

/** In order. Any subset gives the same answers. */
export const seriesRules: readonly SeriesRule[] = [
  // First, so that `-(1)` and `2 * 3` are numbers for the rules that look for scalars.
  foldScalars,
  // Before tidying, which removes what both sides now have twice.
  pushMatchers,
  // Selectors that mean the same look the same afterwards, and are read once.
  tidyMatchers,
  // Last: it only marks selects.
  projectPresence,
]
