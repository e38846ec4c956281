import type { BudgetLimits } from '../base/index.ts'
import type { SegmentNews } from '../store/index.ts'

/** Words that all threads at one piece of work watch. */
export const STOP_WORD = 0
/** How many parts helpers have posted; whoever asked is woken by it. */
export const POSTED_WORD = 1
/** The next piece, by pass; a first pass may only look for groups. */
const NEXT_WORD = 2
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

/** The next piece for a helper, after it has said that it takes part; nobody waits for one that comes when none is left. */
export function takePiece(
  { control, helper, pieceCount }: Pick<ToldWork, 'control' | 'helper' | 'pieceCount'>,
  pass: number,
): number | undefined {
  const next = nextWordOf(pass)
  if (Atomics.load(control, STOP_WORD) !== 0 || Atomics.load(control, next) >= pieceCount) return undefined
  Atomics.store(control, joinedWordOf(helper, pass), 1)
  const piece = Atomics.add(control, next, 1)
  return piece < pieceCount ? piece : undefined
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
