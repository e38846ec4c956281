import { checkpoint, type Diagnostic } from '../../base/index.ts'
import type { Lint, LintContext, LintSubject } from '../lint.ts'
import { contradiction } from './contradiction.ts'
import { leadingWildcard } from './leading-wildcard.ts'
import { levelOrder } from './level-order.ts'
import { limitBeforeOffset } from './limit-before-offset.ts'
import { noLimit } from './no-limit.ts'
import { ratePerSecond } from './rate-per-second.ts'
import { unselectiveStart } from './unselective-start.ts'
import { unstablePage } from './unstable-page.ts'
import { uselessPipe } from './useless-pipe.ts'
import { wideTimeRange } from './wide-time-range.ts'

export const lints: readonly Lint[] = [
  leadingWildcard,
  noLimit,
  limitBeforeOffset,
  unstablePage,
  contradiction,
  uselessPipe,
  wideTimeRange,
  unselectiveStart,
  ratePerSecond,
  levelOrder,
]

/** Runs all lints that are not disabled by name. */
export function runLints(
  subject: LintSubject,
  context: LintContext,
  disabled: readonly string[] = [],
  all: readonly Lint[] = lints,
): readonly Diagnostic[] {
  const reported: Diagnostic[] = []
  for (const lint of all) {
    if (disabled.includes(lint.name)) continue
    reported.push(...lint.check(subject, context))
    checkpoint()
  }
  return reported
}
