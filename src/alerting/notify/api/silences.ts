import { SluiceError, type Diagnostic } from '../../../base/index.ts'
import { compareText } from '../../../data/index.ts'
import type { LabelMatcher } from '../../../plan/index.ts'
import { readSilenceMatchers, silenceMatcherShape } from '../../matchers/index.ts'
import type { Silence } from '../silences.ts'
import { Refusal, invalid, memberOf, missing, typed } from './refusal.ts'
import { printTime, timeAt } from './times.ts'

const WHAT = 'silence'

/** A silence with its author. */
export interface StoredSilence extends Silence {
  readonly createdBy: string
  readonly comment: string
  readonly updatedAtMs: number
}

/** Storage of silences. When `put` resolves, the dispatcher's `Silencer` must see the change. */
export interface SilenceStore {
  list(): readonly StoredSilence[]
  get(id: string): StoredSilence | undefined
  put(silence: StoredSilence): Promise<void>
}

type State = 'active' | 'pending' | 'expired'

function stateOf({ startsAtMs, endsAtMs }: Silence, nowMs: number): State {
  if (nowMs < startsAtMs) return 'pending'
  return nowMs < endsAtMs ? 'active' : 'expired'
}

function readMatchers(items: readonly unknown[]): readonly LabelMatcher[] {
  const shapes = items.map((item, i) => {
    const object = typed(WHAT, item, 'object', `matchers.${i}`) ?? {}
    const isRegex = typed(WHAT, memberOf(object, 'isRegex'), 'boolean', 'isRegex')
    const name = typed(WHAT, memberOf(object, 'name'), 'string', 'name')
    const value = typed(WHAT, memberOf(object, 'value'), 'string', 'value')
    const isEqual = typed(WHAT, memberOf(object, 'isEqual'), 'boolean', 'isEqual') ?? true
    if (isRegex === undefined) throw missing(`matchers.${i}.isRegex`)
    if (name === undefined) throw missing(`matchers.${i}.name`)
    if (value === undefined) throw missing(`matchers.${i}.value`)
    return { name, value, isEqual, isRegex }
  })
  try {
    return readSilenceMatchers(shapes, [])
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    throw new Refusal(400, `invalid silence: ${error.diagnostics.map(faultText).join(' ')}`)
  }
}

/** Returns the error message of a matcher as Alertmanager words it. */
function faultText({ code, origin, data, message }: Diagnostic): string {
  const index = origin.kind === 'json' ? origin.path[0] : undefined
  if (index === undefined) return `matcher set 0: ${message}`
  const reason =
    code === 'matchers/bad-pattern'
      ? `invalid regular expression ${JSON.stringify(data['pattern'])}: error parsing regexp: ${String(data['reason'])}`
      : 'invalid label name ""'
  return `invalid label matcher ${index} in set 0: ${reason}`
}

interface PostedSilence extends Omit<StoredSilence, 'updatedAtMs'> {
  readonly id: string
}

function decodeSilence(body: unknown, nowMs: number): PostedSilence {
  if (body === undefined) throw missing('silence')
  const object = typed(WHAT, body, 'object', 'silence') ?? {}
  const id = typed(WHAT, memberOf(object, 'id'), 'string', 'id') ?? ''
  const comment = typed(WHAT, memberOf(object, 'comment'), 'string', 'comment')
  const createdBy = typed(WHAT, memberOf(object, 'createdBy'), 'string', 'createdBy')
  const [startsAtMs, endsAtMs] = [timeAt(WHAT, object, 'startsAt'), timeAt(WHAT, object, 'endsAt')]
  const matchers = typed(WHAT, memberOf(object, 'matchers'), 'array', 'matchers')
  if (comment === undefined) throw missing('comment')
  if (createdBy === undefined) throw missing('createdBy')
  if (endsAtMs === undefined) throw missing('endsAt')
  if (matchers === undefined) throw missing('matchers')
  if (matchers.length === 0) throw invalid('items', 'matchers in body should have at least 1 items')
  if (startsAtMs === undefined) throw missing('startsAt')
  const read = readMatchers(matchers)
  if (startsAtMs >= endsAtMs) throw new Refusal(400, 'Failed to create silence: start time must be before end time')
  if (endsAtMs < nowMs) throw new Refusal(400, "Failed to create silence: end time can't be in the past")
  return { id, comment, createdBy, startsAtMs, endsAtMs, matchers: read }
}

/**
 * True if an edit can keep the silence's id: matchers are unchanged, and for an active silence also the start, to the
 * second.
 */
function canUpdate(before: StoredSilence, after: PostedSilence, nowMs: number): boolean {
  if (JSON.stringify(before.matchers) !== JSON.stringify(after.matchers)) return false
  const state = stateOf(before, nowMs)
  if (state === 'pending') return after.startsAtMs >= nowMs
  return state === 'active' && Math.floor(before.startsAtMs / 1000) === Math.floor(after.startsAtMs / 1000)
}

/** Ends a silence now; a pending one never becomes active. An expired silence is left unchanged. */
export async function expireSilence(store: SilenceStore, silence: StoredSilence, nowMs: number): Promise<void> {
  if (stateOf(silence, nowMs) === 'expired') return
  const startsAtMs = Math.min(silence.startsAtMs, nowMs)
  await store.put({ ...silence, startsAtMs, endsAtMs: nowMs, updatedAtMs: nowMs })
}

/**
 * Creates or edits a silence as `POST /api/v2/silences` does, and returns its id. Editing the matchers, or the start of
 * an active silence, expires it and creates a new one. Throws Refusal.
 */
export async function postSilence(
  store: SilenceStore,
  body: unknown,
  nowMs: number,
  makeId: () => string,
): Promise<string> {
  const posted = decodeSilence(body, nowMs)
  const before = store.get(posted.id)
  if (posted.id !== '' && before === undefined) throw new Refusal(404, 'silence not found')
  if (before !== undefined && canUpdate(before, posted, nowMs)) {
    // Clients send the start of an active silence in whole seconds, so the stored fraction is kept.
    const startsAtMs = stateOf(before, nowMs) === 'active' ? before.startsAtMs : posted.startsAtMs
    await store.put({ ...posted, startsAtMs, updatedAtMs: nowMs })
    return posted.id
  }
  if (before !== undefined) await expireSilence(store, before, nowMs)
  const id = makeId()
  await store.put({ ...posted, id, startsAtMs: Math.max(posted.startsAtMs, nowMs), updatedAtMs: nowMs })
  return id
}

export function silenceView(silence: StoredSilence, nowMs: number): object {
  const { id, updatedAtMs, comment, createdBy, startsAtMs, endsAtMs, matchers } = silence
  return {
    id,
    status: { state: stateOf(silence, nowMs) },
    updatedAt: printTime(updatedAtMs),
    comment,
    createdBy,
    endsAt: printTime(endsAtMs),
    matchers: matchers.map(silenceMatcherShape),
    startsAt: printTime(startsAtMs),
  }
}

const STATE_ORDER: readonly State[] = ['active', 'pending', 'expired']

/** Sorts active silences by end, pending ones by start, expired ones by end, latest first. */
function compareSilences(a: Silence, b: Silence, nowMs: number): number {
  const [state, other] = [stateOf(a, nowMs), stateOf(b, nowMs)]
  if (state !== other) return STATE_ORDER.indexOf(state) - STATE_ORDER.indexOf(other)
  if (state === 'pending') return a.startsAtMs - b.startsAtMs || compareText(a.id, b.id)
  return (state === 'active' ? a.endsAtMs - b.endsAtMs : b.endsAtMs - a.endsAtMs) || compareText(a.id, b.id)
}

/** Returns the answer of `GET /api/v2/silences`: silences that have each of the filter's matchers literally. */
export function listSilences(store: SilenceStore, filter: readonly LabelMatcher[], nowMs: number): readonly object[] {
  return store
    .list()
    .filter(({ matchers }) =>
      filter.every((wanted) => matchers.some((each) => JSON.stringify(each) === JSON.stringify(wanted))),
    )
    .toSorted((a, b) => compareSilences(a, b, nowMs))
    .map((silence) => silenceView(silence, nowMs))
}
