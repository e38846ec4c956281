import { standardFunctions } from '../functions/index.ts'
import { takesFirstRows, type StreamFlow } from '../optimize/index.ts'
import type { LogicalPlan } from '../plan/index.ts'
import type { Terminal } from './terminal.ts'

export interface StreamedQuery {
  readonly plan: LogicalPlan
  readonly flow: StreamFlow
  readonly isFollowed: boolean
  /** True if intermediate answers are shown. */
  readonly isRunning: boolean
}

/** Reports on standard error how the answer over a stream differs from one over complete files. */
export function tellStream({ plan, flow, isFollowed, isRunning }: StreamedQuery, terminal: Terminal): void {
  if (isFollowed && flow === 'groups' && !isRunning)
    terminal.writeError(
      'The answer is written when the command is interrupted; on a terminal a table shows it while it grows.\n',
    )
  if (terminal.isErrorTty && takesFirstRows(plan, standardFunctions))
    terminal.writeError('`limit` takes the first rows that come, which need not be the newest.\n')
}
