import process from 'node:process'
import type { Terminal } from './terminal.ts'

export function processTerminal(): Terminal {
  const abort = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => abort.abort())
  let broken: Error | undefined
  process.stdout.on('error', (error) => {
    broken = error
  })
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        if (broken !== undefined) reject(broken)
        else if (process.stdout.write(text)) resolve()
        else process.stdout.once('drain', () => resolve()).once('error', reject)
      }),
    writeError: (text) => {
      process.stderr.write(text)
    },
    isOutputTty: process.stdout.isTTY === true,
    isErrorTty: process.stderr.isTTY === true,
    columns: process.stdout.columns ?? 120,
    env: process.env,
    nowNs: () => BigInt(Date.now()) * 1_000_000n,
    nowMs: () => performance.now(),
    signal: abort.signal,
  }
}
