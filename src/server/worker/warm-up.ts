import { formatRfc3339, nextTurn, type Interval } from '../../base/index.ts'
import { encodeText, fold, gather, hasBit, valueAt, wordsOf, type Bitmap } from '../../data/index.ts'
import { warmUpSteps } from '../../engine/index.ts'
import { firstNsOf, groupOf, lastNsOf, type Segment, type SegmentGroup } from '../../store/index.ts'
import { dropBody, type WorkerAnswer } from '../../workers/index.ts'
import type { QueryWorkerRequest } from './messages.ts'

type Ask = (request: QueryWorkerRequest, signal: AbortSignal) => Promise<WorkerAnswer>

function searchRequest(query: string, { startNs, endNs }: Interval, backend: string | undefined): QueryWorkerRequest {
  const body = { start: formatRfc3339(startNs, true), end: formatRfc3339(endNs, true), query }
  return {
    route: 'searchLogs',
    path: new Map(),
    search: '',
    accept: null,
    contentType: null,
    body: new TextEncoder().encode(JSON.stringify(body)),
    backend,
    scope: 'everything',
    keyId: '',
    traceId: '',
    nowNs: 0n,
  }
}

/**
 * Has the thread compile what nearly every query runs before it says that it is ready: the first query of a thread takes 140 ms of
 * processor time, later ones 3. Over no rows, and with no test of a field: a value that none of the newest segments has would be
 * looked for in all of them to give advice. So the size of the data does not matter.
 */
export async function warmUp(ask: Ask, backend: string | undefined): Promise<void> {
  const query = 'word | stats by (level) count() n, max(_time) latest | sort by (n desc) | limit 5'
  const request = searchRequest(query, { startNs: 0n, endNs: 1_000_000_000n }, backend)
  dropBody((await ask(request, new AbortController().signal)).body)
}

/** Nobody has asked for so long, milliseconds, before a thread goes on to what it may be asked. */
const REST_MS = 250
/** From so much of its processor time on, milliseconds, nothing more is asked. */
const MOST_WORK_MS = 400
/** The first thread of a server asks for so long before it says that it is ready, milliseconds. */
const START_MS = 150
/** One question goes over so many segments in files, and so many are asked, from the newest ones on. */
const SEGMENTS_AT_ONCE = 32
const MOST_QUESTIONS = 8
/** So many rows of each are wanted. */
const ROWS = 32
/** A text may be long: so many of its first words are looked at. */
const MOST_WORDS = 32
const MOST_CHARS = 2000

export interface FilesToWarm {
  readonly backend: string | undefined
  /** Of the table of logs. */
  readonly segments: readonly Segment[]
  readonly ask: Ask
  /** Begins a read of the files that segments lie in; gives what ends it. Rejects when there is none to begin. */
  readonly beginRead: (signal: AbortSignal) => Promise<() => void>
  /** Whether other threads have something to answer. */
  readonly isBusy: () => boolean
  /** What the thread has worked so far, milliseconds of processor time. */
  readonly workedMs: () => number
}

/**
 * Once a thread is ready and nobody asks: looks for words that some of the newest segments in files have, so that the way to such rows is
 * compiled before somebody waits for it. The first needle of a thread takes twice the processor time of later ones.
 * Ends for good when `signal` says that the thread has something to answer. Never rejects.
 */
export async function warmUpOverFiles(files: FilesToWarm, signal: AbortSignal): Promise<void> {
  const { backend, ask, beginRead, isBusy, workedMs } = files
  const startMs = workedMs()
  for (const segments of newestFiles(files.segments)) {
    while (isBusy() && !signal.aborted) await rest()
    if (signal.aborted || workedMs() - startMs > MOST_WORK_MS) return
    try {
      const endRead = await beginRead(signal)
      try {
        const word = wordOfSome(segments)
        const query = `${word} | sort by (_time desc) | limit ${ROWS}`
        if (word !== undefined) dropBody((await ask(searchRequest(query, timesOf(segments), backend), signal)).body)
      } finally {
        endRead()
      }
    } catch {
      // Whoever asks for it is told what is wrong.
      return
    }
    await nextTurn()
  }
}

/** As `warmUpOverFiles`, for a short while, of the first thread of a server before it says that it is ready. Ends when somebody waits for that. */
export async function warmUpAtStart(files: FilesToWarm, signal: AbortSignal): Promise<void> {
  const enough = new AbortController()
  const timer = setTimeout(() => enough.abort(), START_MS)
  const isBusy = (): boolean => {
    if (files.isBusy()) enough.abort()
    return false
  }
  await warmUpOverFiles({ ...files, isBusy }, AbortSignal.any([signal, enough.signal]))
  clearTimeout(timer)
}

/** The same of searches, counts, groups and joins, over rows of its own. It may be of use only where rows are in memory or in files of the server. */
export async function warmUpQueries({ isBusy }: Pick<FilesToWarm, 'isBusy'>, signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of warmUpSteps(signal)) while (isBusy() && !signal.aborted) await rest()
  } catch {
    // There is a job, or no memory for this: whoever joins is told so then.
  }
}

/** Resolves when nobody has asked for a while. */
export function rest(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, REST_MS).unref())
}

/** Newest first, as many together as one question is asked of. */
function newestFiles(segments: readonly Segment[]): readonly (readonly Segment[])[] {
  const newest = segments
    .filter((segment) => segment.followedBy !== undefined)
    .toSorted((a, b) => Number(lastNsOf(b) - lastNsOf(a)))
  return Array.from({ length: Math.min(MOST_QUESTIONS, Math.ceil(newest.length / SEGMENTS_AT_ONCE)) }, (_, i) =>
    newest.slice(i * SEGMENTS_AT_ONCE, (i + 1) * SEGMENTS_AT_ONCE),
  )
}

function timesOf(segments: readonly Segment[]): Interval {
  const first = segments.map(firstNsOf).reduce((a, b) => (b < a ? b : a))
  const last = segments.map(lastNsOf).reduce((a, b) => (b > a ? b : a))
  return { startNs: first, endNs: last + 1n }
}

/** A word of the newest row that many of the segments have, at most half of them, quoted; `undefined` where there is no text. */
function wordOfSome(segments: readonly Segment[]): string | undefined {
  const [newest] = segments
  const column = newest?.columns.get(newest.textField)?.column
  if (newest === undefined || column === undefined) return undefined
  const text = valueAt(gather(column, Uint32Array.of(newest.rowCount - 1)), 0)
  const first = typeof text === 'string' ? wordsOf(text.slice(0, MOST_CHARS)).slice(0, MOST_WORDS) : []
  const words = [...new Set(first.map(fold))]
  const counted = words.map((word) => ({ word, count: segmentsWith(word, segments) }))
  const [best] = counted
    .filter(({ count }) => count * 2 <= segments.length)
    .toSorted((a, b) => b.count - a.count || b.word.length - a.word.length)
  return best && JSON.stringify(best.word)
}

/** How many of them have a folded word, as far as their groups know. */
function segmentsWith(word: string, segments: readonly Segment[]): number {
  const bytes = encodeText(word)
  const known = new Map<SegmentGroup, Bitmap | undefined>()
  let count = 0
  for (const segment of segments) {
    const found = groupOf(segment)
    if (found === undefined) continue
    const { group, place } = found
    if (!known.has(group)) known.set(group, group.withWord(bytes))
    const having = known.get(group)
    if (having !== undefined && hasBit(having, place)) count++
  }
  return count
}
