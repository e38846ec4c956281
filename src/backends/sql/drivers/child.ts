import { SluiceError, valueMeter } from '../../../base/index.ts'
import { standardFunctions } from '../../../functions/index.ts'
import { openSqlite } from '../../../store/sqlite/index.ts'
import type { RawBatch } from '../decode-rows.ts'
import type { SqlParameter } from '../statement/params.ts'
import { fromPlain } from '../statement/programs.ts'
import { StaleStatement } from './driver.ts'
import { leaveSignalsToParent } from './leave-signals.ts'
import type { FromChild, ToChild } from './messages.ts'
import { packBatch } from './packed-batch.ts'
import { failureCode, StatementRunner } from './statement-runner.ts'

/** Options to open the file. Mapping the file into memory is fast; a damaged file can then crash only this process. */
const READING = { isReadonly: true, mappedBytes: 2 ** 31 - 2 ** 16 }

/**
 * Runs the statements of the process pool in this child process. The process has no data to save, so it may be killed
 * at any moment. Set once the file is open.
 */
let runner: StatementRunner | undefined
let running: Generator<RawBatch> | undefined
let batchRows = 0

function send(message: FromChild): void {
  // Sending fails only if the parent has ended. The message is then no longer needed.
  process.send?.(message, undefined, undefined, () => undefined)
}

function step(): void {
  if (running === undefined) return
  try {
    const next = running.next()
    // A batch that is not full is usually the last one, so the statement is continued to see whether it ends. After a
    // full batch, the next request shows this.
    const isLast = next.done === true || (next.value.rowCount < batchRows && running.next().done === true)
    if (isLast) running = undefined
    if (next.done === true) send({ kind: 'end' })
    else send({ kind: 'batch', batch: packBatch(next.value), isLast })
  } catch (error) {
    running = undefined
    if (error instanceof StaleStatement) send({ kind: 'stale' })
    else if (error instanceof SluiceError) send({ kind: 'failed', code: error.code, diagnostics: error.diagnostics })
    else send({ kind: 'failed', code: failureCode(error) })
  }
}

async function receive(message: ToChild): Promise<void> {
  switch (message.kind) {
    case 'open':
      runner = new StatementRunner(await openSqlite(message.path, READING), standardFunctions)
      send({ kind: 'ready' })
      return
    case 'run': {
      const parameters = fromPlain(message.parameters) as readonly SqlParameter[]
      if (runner !== undefined) runner.host.meter = valueMeter(message.request.valueLimits)
      batchRows = message.request.batchRows
      running = runner?.run({ ...message.request, parameters })
      step()
      return
    }
    case 'next':
      step()
      return
    case 'stop':
      running?.return(undefined)
      running = undefined
      send({ kind: 'end' })
  }
}

process.on('message', (message) => {
  receive(message as ToChild).catch((error: unknown) => {
    if (error instanceof SluiceError) send({ kind: 'failed', code: error.code, diagnostics: error.diagnostics })
    else send({ kind: 'failed', code: failureCode(error) })
  })
})
process.on('disconnect', () => process.exit(0))
leaveSignalsToParent()
