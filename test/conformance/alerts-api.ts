import { isDeepStrictEqual } from 'node:util'
import {
  AlertmanagerApi,
  Dispatcher,
  NotificationLog,
  SilenceSet,
  readNotifyConfig,
  type ApiAnswer,
  type Delivery,
  type StoredSilence,
} from '../../src/alerting/notify/index.ts'
import { readCases } from './alerts-cases.ts'
import { checkAll, type Outcome, type Vector } from './outcome.ts'

interface ApiCase extends Vector {
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly request: {
    readonly raw?: string
    readonly body?: unknown
    readonly query?: string
    readonly before?: 'active' | 'pending'
  }
  readonly status: number
  readonly answer: unknown
  readonly then?: unknown
  readonly sameId?: boolean
  readonly oldState?: string
  readonly newState?: string
}

interface SilenceView {
  readonly id: string
  readonly status: { readonly state: string }
  readonly startsAt: string
  readonly endsAt: string
  readonly createdBy: string
  readonly comment: string
  readonly matchers: unknown
}

type Json = Readonly<Record<string, unknown>>

/** Time at which the first silence of the recording was posted, in ms since 1970. */
const RECORDED_MS = Date.parse('2026-11-26T23:06:12.280Z')
/** A recorded start within this many milliseconds of the clock stood for "now" when the case was recorded. */
const NOW_MS = 10_000
const MINUTE_MS = 60_000

/**
 * Alerts of cases that are not in the vectors. They must exist, because recorded answers contain them; the same holds
 * for the silence that `checkAlertApi` posts.
 */
const OTHER_ALERTS = [{ k: '1' }, { k: '10' }, { k: '11' }, {}].map((labels) => ({
  labels: { alertname: 'P', ...labels },
}))

const config = readNotifyConfig(
  'route: {receiver: hook, group_wait: 1s, group_interval: 1m}\nreceivers: [{name: hook, webhook_configs: [{url: "http://hook.example.com/"}]}]',
  () => '',
)

/** Silences in memory; the dispatcher sees every change at once. */
class MemorySilences extends SilenceSet {
  readonly stored = new Map<string, StoredSilence>()

  override list(): readonly StoredSilence[] {
    return [...this.stored.values()]
  }

  override get(id: string): StoredSilence | undefined {
    return this.stored.get(id)
  }

  put(silence: StoredSilence): Promise<void> {
    this.stored.set(silence.id, silence)
    this.set(silence)
    return Promise.resolve()
  }
}

/** An Alertmanager API over an empty dispatcher, whose clock the test sets. */
class TestApi {
  nowMs = RECORDED_MS
  readonly silences = new MemorySilences()
  readonly log = new NotificationLog()
  readonly dispatcher = new Dispatcher(config, this.silences, this.log)
  #ids = 0
  readonly #api = new AlertmanagerApi({
    dispatcher: this.dispatcher,
    silences: this.silences,
    nowMs: () => this.nowMs,
    makeId: () => `00000000-0000-4000-8000-${String(++this.#ids).padStart(12, '0')}`,
  })

  call(method: string, path: string, body = '', query = ''): Promise<ApiAnswer> {
    return this.#api.handle(method, path, new URLSearchParams(query), body)
  }

  async silence(value: string, startsInMs: number, more: Json = {}): Promise<string> {
    const body = {
      matchers: [{ name: 'k', value, isRegex: false, isEqual: true }],
      startsAt: this.time(startsInMs),
      endsAt: this.time(startsInMs + MINUTE_MS),
      createdBy: 'we',
      comment: 'c',
      ...more,
    }
    const answer = await this.call('POST', '/api/v2/silences', JSON.stringify(body))
    return (answer.body as { silenceID: string }).silenceID
  }

  async state(id: string): Promise<SilenceView> {
    return (await this.call('GET', `/api/v2/silence/${id}`)).body as SilenceView
  }

  time(inMs: number): string {
    return new Date(this.nowMs + inMs).toISOString()
  }
}

type Check = (api: TestApi, vector: ApiCase) => Promise<unknown>

function bodyOf({ raw, body }: ApiCase['request']): string {
  return raw ?? (body === undefined ? '' : JSON.stringify(body))
}

async function plain(api: TestApi, { kind, request }: ApiCase): Promise<ApiAnswer> {
  const [method = '', path = ''] = kind.split(' ')
  return api.call(method, path, bodyOf(request), request.query)
}

/** True if two response bodies are equal. `null`, `undefined` and the empty string all mean no body. */
function isSameBody(found: unknown, expected: unknown): boolean {
  const normal = (body: unknown): unknown => (body === undefined || body === '' ? null : body)
  return isDeepStrictEqual(normal(found), normal(expected))
}

function expectSame(found: unknown, expected: unknown): string | undefined {
  if (isSameBody(found, expected)) return undefined
  return `found ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`
}

const checkPlain: Check = async (api, vector) => {
  const { status, body } = await plain(api, vector)
  return expectSame([status, body ?? null], [vector.status, vector.answer])
}

const listAlerts: Check = async (api, vector) => {
  const { status, body } = await plain(api, vector)
  if (status !== 200) return expectSame([status, body], [vector.status, vector.answer])
  const names = (body as readonly { readonly labels: Readonly<Record<string, string>> }[]).map(
    ({ labels }) => labels['k'] ?? '?',
  )
  return expectSame(
    names.toSorted((a, b) => (a < b ? -1 : 1)),
    vector.answer,
  )
}

const listGroups: Check = async (api, vector) => {
  const { body } = await plain(api, vector)
  const groups = (body as readonly (Json & { readonly alerts: readonly unknown[] })[]).map((group) => ({
    labels: { ...(group['labels'] as Json) },
    receiver: group['receiver'],
    alerts: group.alerts.length,
  }))
  return expectSame(groups, vector.answer)
}

const postSilence: Check = async (api, vector) => {
  const { startsAt } = (vector.request.body ?? {}) as { readonly startsAt?: string }
  const then = vector.then as { readonly startsMoved: boolean } | undefined
  const startsMs = Date.parse(startsAt ?? '')
  // The recording does not contain the current time. A start close to the recording's clock was meant as "now", so it
  // gives the time.
  if (Math.abs(startsMs - RECORDED_MS) < NOW_MS) api.nowMs = then?.startsMoved === true ? startsMs + 1 : startsMs
  const { status, body } = await plain(api, vector)
  if (then === undefined || status !== 200) return expectSame([status, body], [vector.status, vector.answer])
  const view = await api.state((body as { silenceID: string }).silenceID)
  const { matchers, createdBy, comment } = view
  const startsMoved = Date.parse(view.startsAt) !== startsMs
  return expectSame({ state: view.status.state, startsMoved, matchers, createdBy, comment }, then)
}

const editSilence: Check = async (api, { title, request, sameId, oldState, newState, status }) => {
  const startsInMs = request.before === 'pending' ? MINUTE_MS : 0
  const id = await api.silence('z', startsInMs)
  const before = await api.state(id)
  api.nowMs += 1
  const body = {
    ...before,
    ...(title.includes('other matchers') ? { matchers: [{ name: 'k', value: 'other', isRegex: false }] } : {}),
    ...(title.includes('comment') ? { comment: 'another' } : {}),
    ...(title.includes('end') ? { endsAt: api.time(startsInMs + 2 * MINUTE_MS) } : {}),
    ...(title.includes('start now') ? { startsAt: api.time(-1) } : {}),
  }
  const answer = await api.call('POST', '/api/v2/silences', JSON.stringify(body))
  const after = await api.state((answer.body as { silenceID: string }).silenceID)
  return expectSame(
    [answer.status, after.id === id, (await api.state(id)).status.state, after.status.state],
    [status, sameId, oldState, newState],
  )
}

const deleteSilence: Check = async (api, { title, status, answer, then }) => {
  const isUnknown = title.startsWith('unknown')
  const id = isUnknown ? crypto.randomUUID() : await api.silence('z', title.startsWith('pending') ? MINUTE_MS : 0)
  const remove = () => api.call('DELETE', `/api/v2/silence/${id}`)
  if (title.startsWith('expired')) await remove()
  const found = await remove()
  const after = await api.call('GET', `/api/v2/silence/${id}`)
  const state = after.status === 200 ? (after.body as SilenceView).status.state : after.status
  return expectSame([found.status, found.body ?? '', state], [status, answer ?? '', then])
}

const listSilences: Check = async (api, vector) => {
  const { status, body } = await plain(api, vector)
  if (status !== 200) return expectSame([status, body], [vector.status, vector.answer])
  const views = body as readonly SilenceView[]
  if (typeof vector.answer === 'number') return expectSame(views.length, vector.answer)
  const of = (state: string): readonly SilenceView[] => views.filter((view) => view.status.state === state)
  const isSorted = (times: readonly string[]): boolean => isDeepStrictEqual(times, times.toSorted())
  const found = {
    states: [...new Set(views.map((view) => view.status.state))],
    activeByEnd: isSorted(of('active').map(({ endsAt }) => endsAt)),
    pendingByStart: isSorted(of('pending').map(({ startsAt }) => startsAt)),
  }
  return expectSame(found, vector.answer)
}

/** Checks a restart: a new dispatcher gets the log and silences of the old one, and the alerts are posted again. */
const restart: Check = async (_, vector) => {
  const api = new TestApi()
  await api.silence('quiet', 0)
  const alerts = ['loud', 'quiet'].map((k) => ({ labels: { alertname: 'P', k } }))
  const sent: Delivery[] = []
  const post = async (dispatcher: Dispatcher): Promise<void> => {
    const again = new AlertmanagerApi({ dispatcher, silences: api.silences, nowMs: () => api.nowMs, makeId: () => '' })
    await again.handle('POST', '/api/v2/alerts', new URLSearchParams(), JSON.stringify(alerts))
    api.nowMs += 5_000
    for (const delivery of dispatcher.advance(api.nowMs)) {
      sent.push(delivery)
      dispatcher.answered(delivery, { kind: 'success' }, api.nowMs)
    }
  }
  await post(api.dispatcher)
  const before = sent.length
  await post(new Dispatcher(config, api.silences, new NotificationLog(api.log.records())))
  if (Array.isArray(vector.answer)) {
    const { body } = await api.call('GET', '/api/v2/silences')
    return expectSame(
      (body as readonly SilenceView[]).map(({ status }) => status.state),
      vector.answer,
    )
  }
  const quiet = sent.filter((delivery) => delivery.alerts.some(({ labels }) => labels.get('k') === 'quiet')).length
  return expectSame({ before, after: sent.length, quiet }, vector.answer)
}

const status: Check = async (api, vector) => {
  const { body } = await plain(api, vector)
  const names = (value: unknown): readonly string[] => Object.keys(value as Json).toSorted()
  const { cluster, config: text, versionInfo, ...others } = body as Json
  const found = {
    ...others,
    cluster: names(cluster),
    config: names(text),
    versionInfo: names(versionInfo),
    uptime: 'TIME',
  }
  return expectSame(found, vector.answer)
}

const checks: Readonly<Record<string, Check>> = {
  'POST /api/v2/alerts': checkPlain,
  'POST /api/v1/alerts': checkPlain,
  'GET /api/v2/alerts': listAlerts,
  'GET /api/v2/alerts/groups': listGroups,
  'POST /api/v2/silences': postSilence,
  'POST /api/v2/silences with id': editSilence,
  'DELETE /api/v2/silence/{id}': deleteSilence,
  'GET /api/v2/silence/{id}': (api, vector) =>
    checkPlain(api, { ...vector, kind: `GET /api/v2/silence/${vector.title}` }),
  'GET /api/v2/silences': listSilences,
  'GET /api/v2/status': status,
  restart,
}

/** Checks the API against recorded answers of Alertmanager. The cases run in order and share one state. */
export async function checkAlertApi(directory: string): Promise<readonly Outcome[]> {
  const file = readCases<ApiCase>(directory, 'alertmanager-api.json')
  if (file === undefined) return []
  const api = new TestApi()
  await api.call('POST', '/api/v2/alerts', JSON.stringify(OTHER_ALERTS))
  await api.silence('1', 0)
  const outcome = await checkAll('alertmanager-api.json', file.cases, async (vector) => {
    const check = checks[vector.kind]
    if (check === undefined) return { failure: `no check for ${vector.kind}` }
    const failure = await check(api, vector)
    return typeof failure === 'string' ? { failure } : undefined
  })
  return [outcome]
}
