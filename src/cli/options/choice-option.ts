import { Option } from 'commander'
import type { Dialect } from '../../plan/index.ts'

/** Returns an option with a fixed list of values. */
export function choice(flags: string, about: string, words: readonly string[]): Option {
  return new Option(flags, about).choices(words)
}

export const dialectNames = ['native', 'logsql'] as const satisfies readonly Dialect[]

/** Languages of commands that read a query in LogQL too. */
export const languageNames = [...dialectNames, 'logql'] as const
export type Language = (typeof languageNames)[number]
