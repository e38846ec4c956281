import { AskError } from '../../ask/ask-error.ts'
import type { Ask } from '../../ask/client.ts'
import { printJsonExact } from '../../../data/index.ts'
import { onlyVersion, savedOrStale, type SaveResult, type Stored } from '../../forms/stored.ts'
import type { JsonObject } from '../../forms/model.ts'
import { yamlFormat } from './yaml-format.ts'

/** States of monitors, most urgent first. */
export const states = ['firing', 'error', 'nodata', 'pending', 'normal', 'unknown', 'paused'] as const
export type State = (typeof states)[number]

/** A monitor in the list. */
export interface MonitorEntry {
  readonly id: string
  readonly title: string
  /** Kind of data, such as `logs`. */
  readonly type: string
  readonly state: State
  readonly severity: string
  readonly evaluatedAt: string | undefined
  readonly error: string
}

export interface Instance {
  readonly labels: Readonly<Record<string, string>>
  readonly state: StateWord
  readonly reason?: string
  readonly value?: number
  readonly activeAt?: string
  readonly firedAt?: string
  readonly annotations: Readonly<Record<string, string>>
  readonly silencedBy: readonly string[]
}

export type StateWord = 'Normal' | 'Pending' | 'Alerting' | 'NoData' | 'Error'

export interface Change {
  readonly at: string
  readonly labels: Readonly<Record<string, string>>
  readonly from: StateWord
  readonly to: StateWord
  readonly reason?: string
}

export interface MonitorState {
  readonly state: StateWord | 'Paused'
  readonly health: 'unknown' | 'ok' | 'err'
  readonly error?: string
  readonly evaluatedAt?: string
  readonly instances: readonly Instance[]
  readonly history: readonly Change[]
}

export interface DeadLetter {
  readonly id: string
  readonly receiver: string
  readonly status: string
  readonly at: string
  readonly reason: string
  readonly alerts: number
}

interface ListBody {
  readonly monitors: readonly { readonly uuid: string; readonly title: string; readonly type: string }[]
  readonly done: boolean
}

interface RulesBody {
  readonly data: {
    readonly groups: readonly {
      readonly name: string
      readonly rules: readonly {
        readonly state?: 'firing' | 'pending' | 'inactive'
        readonly health: string
        readonly lastError?: string
        readonly labels: Readonly<Record<string, string>>
      }[]
      readonly lastEvaluation?: string
    }[]
  }
}

/** Number of monitors in a page of the list; the server's default. */
const PAGE = 1000

/**
 * Maximum number of firing monitors whose states are read one by one. The list does not distinguish missing data from
 * an alert.
 */
const MAX_EXACT = 100

async function listAll(ask: Ask, query: string | undefined, signal: AbortSignal): Promise<ListBody['monitors']> {
  const found: ListBody['monitors'][number][] = []
  for (let isDone = false; !isDone;) {
    const body = { limit: PAGE, skip: found.length, ...(query === undefined ? {} : { query }) }
    const answer = await ask('json', { method: 'POST', path: '/api/monitors/list', body }, { signal })
    const { monitors, done } = answer.body as ListBody
    found.push(...monitors)
    isDone = done || monitors.length === 0
  }
  return found
}

export async function readState(ask: Ask, id: string, signal: AbortSignal): Promise<MonitorState> {
  const path = `/api/monitors/${encodeURIComponent(id)}/state`
  return (await ask('json', { method: 'GET', path }, { signal })).body as MonitorState
}

/** Converts the state and health of the API to the state that the page shows. */
export function stateOf({ state, health }: Pick<MonitorState, 'state' | 'health'>): State {
  if (state === 'Paused') return 'paused'
  if (health === 'err' || state === 'Error') return 'error'
  if (state === 'Alerting') return 'firing'
  if (state === 'NoData') return 'nodata'
  if (state === 'Pending') return 'pending'
  return health === 'unknown' ? 'unknown' : 'normal'
}

export function stateOfWord(word: StateWord): State {
  return stateOf({ state: word, health: 'ok' })
}

/** Returns all monitors with their states, from the monitor list and the rules API. */
export async function listMonitors(ask: Ask, signal: AbortSignal): Promise<readonly MonitorEntry[]> {
  const rulesPath = '/api/v1/rules?file[]=monitors&exclude_alerts=true'
  const [all, paused, rules] = await Promise.all([
    listAll(ask, undefined, signal),
    listAll(ask, 'isPaused:true', signal),
    ask('json', { method: 'GET', path: rulesPath }, { signal }),
  ])
  const pausedIds = new Set(paused.map(({ uuid }) => uuid))
  const groups = new Map((rules.body as RulesBody).data.groups.map((group) => [group.name, group]))
  const entries = all.map(({ uuid: id, title, type }): MonitorEntry => {
    const group = groups.get(title === '' ? id : title)
    const rule = group?.rules[0]
    const state: State = pausedIds.has(id)
      ? 'paused'
      : rule?.health === 'err'
        ? 'error'
        : rule?.state === 'firing' || rule?.state === 'pending'
          ? rule.state
          : rule?.health === 'ok'
            ? 'normal'
            : 'unknown'
    const evaluatedAt = rule?.health === 'unknown' ? undefined : group?.lastEvaluation
    return {
      id,
      title: title === '' ? id : title,
      type,
      state,
      severity: rule?.labels['severity'] ?? '',
      evaluatedAt,
      error: rule?.lastError ?? '',
    }
  })
  const firing = entries.filter(({ state }) => state === 'firing').slice(0, MAX_EXACT)
  const exact = new Map(
    await Promise.all(
      firing.map(
        async ({ id }) => [id, await readState(ask, id, signal).then(stateOf, () => 'firing' as const)] as const,
      ),
    ),
  )
  return entries.map((entry) => ({ ...entry, state: exact.get(entry.id) ?? entry.state }))
}

function pathOf(id: string): string {
  return `/api/monitors/${encodeURIComponent(id)}`
}

export async function readMonitor(ask: Ask, id: string, signal?: AbortSignal): Promise<Stored> {
  const { body, etag = '' } = await ask('json', { method: 'GET', path: pathOf(id) }, { signal })
  const read = yamlFormat.parse(String(body))
  if ('fault' in read) throw new AskError({ kind: 'other', message: read.fault, diagnostics: [] })
  return { value: read.value, tag: etag }
}

/** Creates a monitor, or replaces the version read as `before`. */
export function saveMonitor(
  ask: Ask,
  id: string | undefined,
  value: JsonObject,
  before: Stored | undefined,
): Promise<SaveResult> {
  const save = async (): Promise<SaveResult> => {
    const body = printJsonExact(value)
    if (id === undefined || before === undefined) {
      const created = await ask('json', { method: 'POST', path: '/api/monitors', body })
      return { kind: 'saved', id: (created.body as { readonly monitorId: string }).monitorId }
    }
    // Replaces the whole definition, so that emptied members are removed.
    const path = `${pathOf(id)}?replace=true`
    await ask('json', { method: 'PUT', path, body, headers: onlyVersion(before.tag) })
    return { kind: 'saved', id }
  }
  return savedOrStale(save, () => readMonitor(ask, id ?? ''))
}

export async function setPaused(ask: Ask, id: string, isPaused: boolean): Promise<void> {
  await ask('json', { method: 'PUT', path: pathOf(id), body: { isPaused } })
}

export async function deleteMonitor(ask: Ask, id: string, tag: string | undefined): Promise<void> {
  await ask('json', { method: 'DELETE', path: pathOf(id), headers: onlyVersion(tag) })
}

export async function resolveAlert(ask: Ask, id: string, labels: Instance['labels']): Promise<void> {
  await ask('json', { method: 'POST', path: `${pathOf(id)}/resolve`, body: { labels } })
}

export async function deadLetters(ask: Ask, signal: AbortSignal): Promise<readonly DeadLetter[]> {
  const path = '/api/monitors/dead-letters'
  return (await ask('json', { method: 'GET', path }, { signal })).body as readonly DeadLetter[]
}

export async function resend(ask: Ask, id: string): Promise<void> {
  await ask('json', { method: 'POST', path: `/api/monitors/dead-letters/${encodeURIComponent(id)}/resend` })
}
