import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { SluiceError } from '../../../base/index.ts'
import { openEngine } from '../engines/open.ts'
import type { FromEngineProcess, ToEngineProcess } from './engine-messages.ts'
import { serveEngine } from './engine-server.ts'
import { leaveSignalsToParent } from './leave-signals.ts'

/**
 * Entry module of the child process that has a database open for other processes. The process only reads, so it may be
 * killed at any moment.
 */

function send(message: FromEngineProcess): void {
  process.send?.(message, undefined, undefined, () => undefined)
}

/** Ends the process at once. A normal exit would wait for the database's threads, or crash while they run. */
function die(): void {
  process.kill(process.pid, 'SIGKILL')
}

let folder: string | undefined

async function receive(message: ToEngineProcess): Promise<void> {
  if (message.kind === 'beat') return send({ kind: 'beat' })
  const { address, socket } = message
  folder = dirname(socket)
  rmSync(socket, { force: true })
  await serveEngine(await openEngine(address), socket, die)
  send({ kind: 'ready' })
}

process.on('message', (message) => {
  receive(message as ToEngineProcess).catch((error: unknown) => {
    const failure = error instanceof SluiceError ? { diagnostics: error.diagnostics } : {}
    send({ kind: 'failed', reason: String(error), ...failure })
  })
})
process.on('disconnect', () => {
  // The parent process has ended, so this process removes its folder and ends.
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  die()
})
leaveSignalsToParent()
