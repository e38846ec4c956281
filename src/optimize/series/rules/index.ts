import type { SeriesRule } from '../rule.ts'
import { foldScalars } from './fold-scalars.ts'
import { projectPresence } from './project-presence.ts'
import { pushMatchers } from './push-matchers.ts'
import { tidyMatchers } from './tidy-matchers.ts'

/** The rules in order. Any subset gives the same answers. */
export const seriesRules: readonly SeriesRule[] = [
  // Runs first, so that later rules see `-(1)` and `2 * 3` as literals.
  foldScalars,
  // Runs before `tidyMatchers`, which removes the duplicates made here.
  pushMatchers,
  // Makes equivalent selectors equal, so that their series are read only once.
  tidyMatchers,
  // Runs last, because it only adds marks to selectors.
  projectPresence,
]
