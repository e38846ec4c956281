import process from 'node:process'
import type { Terminal } from './terminal.ts'

/** Waits for a slow reader with one listener, however many writes wait; rejects once nobody reads any more. */
export function writerOf(stream: NodeJS.WritableStream): (text: string) => Promise<void> {
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

export function processTerminal(): Terminal {
  const abort = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => abort.abort())
  return {
    write: writerOf(process.stdout),
    writeError: (text) => {
      process.stderr.write(text)
    },
    isInputTty: process.stdin.isTTY === true,
    isOutputTty: process.stdout.isTTY === true,
    isErrorTty: process.stderr.isTTY === true,
    // Some terminals say 0.
    columns: process.stdout.columns || 120,
    rows: process.stdout.rows || 24,
    env: process.env,
    nowNs: () => BigInt(Date.now()) * 1_000_000n,
    nowMs: () => performance.now(),
    signal: abort.signal,
  }
}
