import { AskError, failureOf } from '../../ask/ask-error.ts'
import type { Ask } from '../../ask/client.ts'
import { timeOfWord } from '../../app/time-words.ts'
import { texts } from '../../app/texts.ts'
import { allPages, onlyVersion, savedOrStale, type SaveResult, type Stored } from '../../forms/stored.ts'
import { durationMs, durationText } from '../../forms/durations.ts'
import { isObjectList, stringOf, type JsonObject } from '../../forms/model.ts'
import { signs, type Matcher } from './matchers.ts'

const PATH = '/api/monitors/silences'

/** A silence as the API returns it. */
export interface Silence {
  readonly id: string
  readonly startsAt: string
  readonly endsAt: string
  readonly comment: string
  readonly matchers: readonly {
    readonly name: string
    readonly value: string
    readonly isEqual: boolean
    readonly isRegex: boolean
  }[]
  readonly active: boolean
  readonly createdBy?: string
  readonly createdByEmail?: string
}

export const silenceStates = ['active', 'pending', 'expired'] as const
export type SilenceState = (typeof silenceStates)[number]

export function stateOf({ active, startsAt }: Silence, nowMs: number): SilenceState {
  if (active) return 'active'
  return Date.parse(startsAt) > nowMs ? 'pending' : 'expired'
}

export function matchersOf({ matchers }: Silence): readonly Matcher[] {
  return matchers.map(({ name, value, isEqual, isRegex }) => ({
    name,
    value,
    type: signs[(isEqual ? 0 : 1) + (isRegex ? 2 : 0)] ?? '=',
  }))
}

/** An alert with the members on which its matching by silences depends. */
export interface Alert {
  readonly labels: Readonly<Record<string, string>>
  readonly startsAt: string
  readonly status: { readonly silencedBy: readonly string[] }
}

export function listSilences(ask: Ask, signal: AbortSignal): Promise<readonly Silence[]> {
  return allPages(ask, PATH, signal)
}

/** Returns the alerts that match all matchers; all alerts without matchers. */
export async function listAlerts(
  ask: Ask,
  signal: AbortSignal,
  matchers: readonly Matcher[] = [],
): Promise<readonly Alert[]> {
  const filters = matchers.map(({ name, type, value }) => ['filter', `${name}${type}${JSON.stringify(value)}`])
  const search = new URLSearchParams(filters)
  return (await ask('json', { method: 'GET', path: `/api/v2/alerts?${search}` }, { signal })).body as readonly Alert[]
}

function recordForm(silence: Silence): JsonObject {
  const { startsAt, endsAt, comment } = silence
  return {
    matchers: matchersOf(silence).map((matcher) => ({ ...matcher })),
    from: startsAt,
    duration: durationText(Date.parse(endsAt) - Date.parse(startsAt)),
    comment,
  }
}

export async function readSilence(ask: Ask, id: string, signal?: AbortSignal): Promise<Stored & { silence: Silence }> {
  const { body, etag = '' } = await ask(
    'json',
    { method: 'GET', path: `${PATH}/${encodeURIComponent(id)}` },
    { signal },
  )
  const silence = body as Silence
  return { value: recordForm(silence), tag: etag, silence }
}

/** Returns the matchers of a form. */
export function formMatchers({ matchers }: JsonObject): readonly Matcher[] {
  return isObjectList(matchers)
    ? matchers.map(({ name, type, value }) => ({
        name: stringOf(name),
        type: signs.find((sign) => sign === type) ?? '=',
        value: stringOf(value),
      }))
    : []
}

function refused(path: string, message: string): AskError {
  return new AskError({
    kind: 'query',
    message,
    diagnostics: [{ code: '', severity: 'error', message, path, notes: [], fixes: [] }],
  })
}

/** Builds the request body from a form. Throws AskError for a time that cannot be parsed. */
export function silenceBody(form: JsonObject, nowMs: number, isUtc: boolean): JsonObject {
  const [from, duration] = [stringOf(form['from']), stringOf(form['duration'])]
  const startMs = from === '' ? nowMs : timeOfWord(from, nowMs, isUtc)
  if (startMs === undefined) throw refused('$.from', texts.time.bad(from))
  const lengthMs = durationMs(duration)
  if (lengthMs === undefined || lengthMs === 0) throw refused('$.duration', texts.silences.badDuration(duration))
  const matchers = formMatchers(form)
  if (matchers.length === 0) throw refused('$.matchers', texts.silences.noMatcher)
  return {
    startsAt: new Date(startMs).toISOString(),
    endsAt: new Date(startMs + lengthMs).toISOString(),
    comment: stringOf(form['comment']),
    matchers: matchers.map(({ name, type, value }) => ({ name, value, type: signs.indexOf(type) })),
  }
}

/** Form fields by the member that a server error names. */
const fields: readonly (readonly [member: string, field: string])[] = [
  ['$.startsAt', '$.from'],
  ['$.endsAt', '$.duration'],
]

/** Creates a silence, or updates the version read as `before`. */
export async function saveSilence(
  ask: Ask,
  id: string | undefined,
  form: JsonObject,
  before: Stored | undefined,
  isUtc: boolean,
): Promise<SaveResult> {
  const save = async (): Promise<SaveResult> => {
    const body = silenceBody(form, Date.now(), isUtc)
    if (id === undefined || before === undefined) {
      const saved = await ask('json', { method: 'POST', path: PATH, body })
      return { kind: 'saved', id: (saved.body as Silence).id }
    }
    const isSameTime = form['from'] === before.value['from'] && form['duration'] === before.value['duration']
    const { startsAt: _, endsAt: __, ...rest } = body
    const path = `${PATH}/${encodeURIComponent(id)}`
    const headers = onlyVersion(before.tag)
    await ask('json', { method: 'PUT', path, body: isSameTime ? rest : body, headers })
    return { kind: 'saved', id }
  }
  try {
    return await savedOrStale(save, () => readSilence(ask, id ?? ''))
  } catch (error) {
    const failure = failureOf(error)
    const diagnostics = failure.diagnostics.map((each) => {
      const field = fields.find(([member]) => each.path === member)?.[1]
      return field === undefined ? each : { ...each, path: field }
    })
    throw new AskError({ ...failure, diagnostics })
  }
}

/** Ends a silence now, or deletes one that has not begun. */
export async function expireSilence(ask: Ask, silence: Silence, nowMs: number): Promise<void> {
  const path = `${PATH}/${encodeURIComponent(silence.id)}`
  if (stateOf(silence, nowMs) === 'pending') await ask('json', { method: 'DELETE', path })
  else await ask('json', { method: 'PUT', path, body: { endsAt: new Date(nowMs).toISOString() } })
}

/** Extends a silence. One that has ended begins again now. */
export async function extendSilence(ask: Ask, silence: Silence, byMs: number, nowMs: number): Promise<void> {
  const from = Math.max(nowMs, Date.parse(silence.endsAt))
  const body = { endsAt: new Date(from + byMs).toISOString() }
  await ask('json', { method: 'PUT', path: `${PATH}/${encodeURIComponent(silence.id)}`, body })
}
