import process from 'node:process'
import type { Terminal } from './terminal.ts'

/**
 * Returns a function that writes to a stream and waits while the reader is slow. All waiting writes share one listener.
 * The function rejects if the reader is gone.
 */
export function writerOf(stream: NodeJS.WritableStream): Terminal['write'] {
  let broken: Error | undefined
  let waiting: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = []
  const settle = (): void => {
    const settled = waiting
    waiting = []
    for (const { resolve, reject } of settled) {
      if (broken === undefined) resolve()
      else reject(broken)
    }
  }
  stream.on('drain', settle)
  stream.on('error', (error: Error) => {
    broken = error
    settle()
  })
  return (text) =>
    new Promise((resolve, reject) => {
      if (broken !== undefined) reject(broken)
      else if (stream.write(text)) resolve()
      else waiting.push({ resolve, reject })
    })
}

const STOPS = ['SIGINT', 'SIGTERM'] as const

/**
 * Handles signals that the launcher forwards; the launcher starts this program on a suitable Node. A signal that also
 * reaches this process directly counts once, so one Ctrl-C is not two. If the launcher was killed, this process ends
 * too and releases the folder and the port.
 */
function obeyLauncher(stop: () => void): void {
  if (!process.connected) return
  process.on('message', (message) => {
    if (STOPS.some((name) => name === message)) stop()
  })
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.channel?.unref()
}

export function processTerminal(): Terminal {
  const abort = new AbortController()
  const stop = (): void => abort.abort()
  for (const name of STOPS) process.once(name, stop)
  obeyLauncher(stop)
  return {
    write: writerOf(process.stdout),
    writeError: (text) => {
      process.stderr.write(text)
    },
    isInputTty: process.stdin.isTTY === true,
    isOutputTty: process.stdout.isTTY === true,
    isErrorTty: process.stderr.isTTY === true,
    // Some terminals report 0.
    columns: process.stdout.columns || 120,
    rows: process.stdout.rows || 24,
    env: process.env,
    nowNs: () => BigInt(Date.now()) * 1_000_000n,
    nowMs: () => performance.now(),
    signal: abort.signal,
    onHangup: (work) => {
      process.on('SIGHUP', work)
      return () => process.off('SIGHUP', work)
    },
  }
}
