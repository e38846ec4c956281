import { CommandError, parseDurationNs } from '../../base/index.ts'
import { defaultStepMs } from '../../engine/metrics/index.ts'
import type { Terminal } from '../terminal.ts'
import { parseInstant } from './time-option.ts'

export interface EvaluationArguments {
  readonly time?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly step?: string | undefined
}

function toMs(text: string, terminal: Terminal, option: string): number {
  return Number(parseInstant(text, { nowNs: terminal.nowNs() }, option) / 1_000_000n)
}

function lengthMs(text: string): number {
  const ms = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Number(parseDurationNs(text) ?? 0n) / 1e6
  if (!(ms >= 1)) throw new CommandError(`--step needs a duration such as 30s, or seconds, not \`${text}\`.`)
  return Math.floor(ms)
}

/**
 * Returns the times at which series are evaluated, Unix ms. A step of 0 means a single instant: `newestMs` unless an
 * option names another one. Throws CommandError.
 */
export function evaluationTimes(
  { time, from, to, step }: EvaluationArguments,
  newestMs: number,
  terminal: Terminal,
): { readonly startMs: number; readonly endMs: number; readonly stepMs: number } {
  if (from === undefined) {
    const at = time ?? to
    const atMs = at === undefined ? newestMs : toMs(at, terminal, time === undefined ? '--to' : '--time')
    return { startMs: atMs, endMs: atMs, stepMs: 0 }
  }
  const startMs = toMs(from, terminal, '--from')
  const endMs = to === undefined ? newestMs : toMs(to, terminal, '--to')
  return { startMs, endMs, stepMs: step === undefined ? defaultStepMs(endMs - startMs) : lengthMs(step) }
}
