import type { SeriesRule } from '../rule.ts'
import { foldScalars } from './fold-scalars.ts'
import { projectPresence } from './project-presence.ts'
import { pushMatchers } from './push-matchers.ts'
import { tidyMatchers } from './tidy-matchers.ts'

/** The rules in order. Any subset gives the same answers. */
export const seriesRules: readonly SeriesRule[] = [
  // First, so that `-(1)` and `2 * 3` are literals for the rules that look for scalars.
  foldScalars,
  // Before tidying, which removes the duplicates that this makes.
  pushMatchers,
  // Makes equivalent selectors equal, so that they are read once.
  tidyMatchers,
  // Last: it only marks selects.
  projectPresence,
]
