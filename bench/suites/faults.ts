/**
 * The cost of error messages and fixes compared with parsing a valid text of as many pipes: `npm run bench -- faults`.
 * An editor needs them at every key press.
 */
import process from 'node:process'
import { parse } from '../../src/lang/log/index.ts'
import { medianMs } from '../measure.ts'

function read(text: string): Promise<number> {
  let fixes = 0
  for (const each of parse(text).diagnostics) fixes += each.fixes.length
  return Promise.resolve(fixes)
}

for (const pipes of [5, 10, 20]) {
  const soundMs = await medianMs(() => read(`*${' | math a as x'.repeat(pipes)}`), 500)
  const faultyMs = await medianMs(() => read(`*${' | math * as x'.repeat(pipes)}`), 500)
  const told = `${soundMs.toFixed(2)} ms sound, ${faultyMs.toFixed(2)} ms faulty, ${(faultyMs / soundMs).toFixed(0)} times`
  process.stdout.write(`${pipes} pipes: ${told}\n`)
}
