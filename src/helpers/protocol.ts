import type { BudgetLimits } from '../base/index.ts'
import type { SegmentNews } from '../store/index.ts'

/** Words that all threads at one piece of work watch. */
export const STOP_WORD = 0
/** The next piece, by pass; a first pass may only look for groups. */
const NEXT_WORD = 1
const PASSES = 3
const FIRST_PASS = -1
/** By helper and pass: not 0 once it asks for pieces. */
const JOINED_WORD = NEXT_WORD + PASSES

export function controlWords(helpers: number): number {
  return JOINED_WORD + helpers * PASSES
}

export function nextWordOf(pass: number): number {
  return NEXT_WORD + pass - FIRST_PASS
}

export function joinedWordOf(helper: number, pass: number): number {
  return JOINED_WORD + helper * PASSES + pass - FIRST_PASS
}

/** What one thread asks of its helpers. */
export type ToHelper =
  /** What the segments of later work are made of. */
  | { readonly kind: 'news'; readonly news: SegmentNews }
  | { readonly kind: 'work'; readonly id: number; readonly work: ToldWork }
  | { readonly kind: 'pass'; readonly id: number; readonly pass: number; readonly told: unknown }
  /** Files that nobody reads any more. */
  | { readonly kind: 'removed'; readonly paths: readonly string[] }
  /** Nothing more comes of this work. */
  | { readonly kind: 'end'; readonly id: number }

export interface ToldWork {
  readonly task: unknown
  /** Numbers of segments that were told. */
  readonly segments: readonly number[]
  readonly pieceCount: number
  readonly pass: number
  readonly control: Int32Array
  /** Whose words the helper writes. */
  readonly helper: number
  readonly limits: BudgetLimits
}

/** What a helper gives for each pass in which it has asked for pieces. */
export interface FromHelper {
  readonly id: number
  readonly pass: number
  readonly pieces: readonly number[]
  /** `undefined` when it could not do it. */
  readonly part: unknown
  /** What it has worked in this pass, milliseconds of processor time. */
  readonly workedMs: number
}
