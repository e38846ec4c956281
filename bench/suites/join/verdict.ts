import type { Crash } from '../../child-process.ts'
import type { ChildMessage } from './child.ts'
import type { JoinQuestion } from './questions.ts'

/** Outcome of one run. */
export type Outcome = Exclude<ChildMessage, { kind: 'loaded' }> | Crash | { readonly kind: 'not-run' }

export interface QuestionResult {
  readonly question: JoinQuestion
  readonly own: readonly Outcome[]
  readonly peer: readonly Outcome[]
  /** The first run of each engine, which also measured the memory. */
  readonly first: { readonly own: Outcome; readonly peer: Outcome }
  /** A sentence on how the answers differ. */
  readonly difference: string | undefined
}

export interface Verdict {
  readonly line: string
  readonly broken: readonly string[]
}

/** The limits: of the ratio to the peer's time, and of the bytes above the loaded data. */
const MOST_RATIO = 3
const MOST_EXTRA_BYTES = 512 * 1024 * 1024
/** The longest useful time of a refusal in milliseconds. */
const REFUSAL_MS = 5_000

export function median(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((a, b) => a - b).at(Math.floor(numbers.length / 2))
}

const answeredMs = (outcomes: readonly Outcome[]): readonly number[] =>
  outcomes.flatMap((outcome) => (outcome.kind === 'answered' ? [outcome.milliseconds] : []))

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`

const extraBytesOf = (outcome: Outcome): number => ('extraBytes' in outcome ? (outcome.extraBytes ?? 0) : 0)

/** Returns one line on a question, and the limits that it exceeds. */
export function verdict({ question, own, peer, first, difference }: QuestionResult): Verdict {
  const { id, title, mayBeRefused } = question
  const [ownExtraBytes, peerExtraBytes] = [extraBytesOf(first.own), extraBytesOf(first.peer)]
  const broken: string[] = []
  const cells: string[] = []
  const ownMs = median(answeredMs(own))
  const peerMs = median(answeredMs(peer))
  if (difference !== undefined) broken.push(`${id}: the answers differ: ${difference}`)
  for (const outcome of own) {
    if (outcome.kind === 'crashed') broken.push(`${id}: crashed, ${outcome.how}`)
    if (outcome.kind !== 'refused') continue
    if (!mayBeRefused) broken.push(`${id}: refused with ${outcome.code}`)
    else if (outcome.milliseconds > REFUSAL_MS)
      broken.push(`${id}: refused only after ${outcome.milliseconds.toFixed(0)} ms`)
  }
  if (ownMs === undefined) {
    const last = own.at(-1)
    if (last === undefined || last.kind === 'answered' || last.kind === 'not-run') cells.push('no answer')
    else if (last.kind === 'crashed') cells.push(`crashed (${last.how})`)
    else cells.push(`${last.code} after ${last.milliseconds.toFixed(0)} ms`)
  } else cells.push(`${ownMs.toFixed(0)} ms`)
  if (peerMs !== undefined) cells.push(`DuckDB ${peerMs.toFixed(0)} ms`)
  if (ownMs !== undefined && peerMs !== undefined) {
    // Times under a millisecond count as equal.
    const ratio = Math.max(ownMs, 1) / Math.max(peerMs, 1)
    cells.push(`ratio ${ratio.toFixed(2)}`)
    if (ratio > MOST_RATIO) broken.push(`${id}: ${ratio.toFixed(2)} times DuckDB's time`)
  } else if (!mayBeRefused && difference === undefined) {
    broken.push(`${id}: no times to compare`)
  }
  const firstMs = answeredMs([first.own, first.peer])
  if (firstMs.length > 0) cells.push(`first ${firstMs.map((each) => each.toFixed(0)).join(' and ')} ms`)
  cells.push(`peak +${megabytes(ownExtraBytes)}`)
  if (peerMs !== undefined) cells.push(`DuckDB +${megabytes(peerExtraBytes)}`)
  if (ownExtraBytes > MOST_EXTRA_BYTES) broken.push(`${id}: peak ${megabytes(ownExtraBytes)} above the loaded data`)
  return { line: `${id}  ${title.padEnd(44)} ${cells.join(', ')}`, broken: [...new Set(broken)] }
}
