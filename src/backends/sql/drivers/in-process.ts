import { SluiceError, nowhere, type Budget } from '../../../base/index.ts'
import type { Functions } from '../../../functions/index.ts'
import { openSqlite, type SqliteConnection } from '../../../store/sqlite/index.ts'
import type { RawBatch } from '../decode-rows.ts'
import { sqlDiagnostic } from '../diagnostics.ts'
import type { RunRequest, SqlDriver } from './driver.ts'
import { failureCode, StatementRunner } from './statement-runner.ts'
import { MAX_IDLE_CONNECTIONS } from '../tuning.ts'

/**
 * Makes a driver that runs statements in this process, for embedding, tests and benches. A statement blocks the process
 * while it computes; it checks at regular row counts whether it must stop.
 */
export function inProcessDriver(connection: SqliteConnection, functions: Functions): SqlDriver {
  const idle: { readonly connection: SqliteConnection; readonly runner: StatementRunner }[] = []
  let own: StatementRunner | undefined

  /** Runs a statement on another connection to the file, so that rows can be added while the answer is being read. */
  async function* runOnFile(request: RunRequest, budget: Budget): AsyncIterable<RawBatch> {
    const opened = idle.pop() ?? (await openReader())
    opened.runner.host.meter = budget
    try {
      for (const batch of opened.runner.run(request)) {
        budget.checkpoint()
        yield batch
      }
    } catch (error) {
      throw typedFailure(error)
    } finally {
      if (idle.length < MAX_IDLE_CONNECTIONS) idle.push(opened)
      else opened.connection.close()
    }
  }

  async function openReader(): Promise<{ readonly connection: SqliteConnection; readonly runner: StatementRunner }> {
    const reader = await openSqlite(connection.name, { isReadonly: true })
    return { connection: reader, runner: new StatementRunner(reader, functions) }
  }

  /**
   * Runs a statement on a database in memory, which has only one connection. Reads all rows first, because a statement
   * that is being read would lock out writers.
   */
  async function* runInMemory(request: RunRequest, budget: Budget): AsyncIterable<RawBatch> {
    own ??= new StatementRunner(connection, functions)
    own.host.meter = budget
    const answer: RawBatch[] = []
    try {
      for (const batch of own.run(request)) {
        budget.checkpoint()
        answer.push(batch)
      }
    } catch (error) {
      throw typedFailure(error)
    }
    yield* answer
  }

  return {
    needsCheckpoints: true,
    run: connection.memory ? runInMemory : runOnFile,
    close: async () => {
      for (const reader of idle.splice(0)) reader.connection.close()
    },
  }
}

/**
 * Converts errors with an outside cause to SluiceErrors. An error for a statement that SQLite cannot parse stays
 * unchanged, since it is a bug of Sluice.
 */
function typedFailure(error: unknown): unknown {
  const code = failureCode(error)
  if (!code.startsWith('SQLITE_') || code === 'SQLITE_ERROR') return error
  return new SluiceError([sqlDiagnostic('statement-failed', { code }, nowhere)])
}
