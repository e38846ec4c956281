import { Option } from 'commander'
import type { Dialect } from '../../plan/index.ts'

/** An option that is one of a few words; others are refused with the list of them. */
export function choice(flags: string, about: string, words: readonly string[]): Option {
  return new Option(flags, about).choices(words)
}

export const dialectNames = ['native', 'logsql'] as const satisfies readonly Dialect[]
