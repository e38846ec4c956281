import { describe, expect, test } from 'vitest'
import { AlertmanagerApi, SilenceSet, type ApiAnswer, type StoredSilence } from '../../../src/alerting/notify/index.ts'
import { MINUTE, testDispatcher } from './dispatching.ts'

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
    return Promise.resolve()
  }
}

function setUp(nowMs = MINUTE) {
  const silences = new MemorySilences()
  let ids = 0
  const makeId = (): string => `00000000-0000-4000-8000-00000000000${++ids}`
  const api = new AlertmanagerApi({ dispatcher: testDispatcher().dispatcher, silences, nowMs: () => nowMs, makeId })
  const call = (method: string, path: string, body: unknown = '', query = ''): Promise<ApiAnswer> =>
    api.handle(method, path, new URLSearchParams(query), typeof body === 'string' ? body : JSON.stringify(body))
  return { call, silences }
}

const silence = {
  matchers: [{ name: 'host', value: 'x', isRegex: false }],
  startsAt: '1970-01-01T00:00:00Z',
  endsAt: '1970-01-01T01:00:00Z',
  createdBy: 'we',
  comment: 'c',
}

describe("Alertmanager's API", () => {
  test('keeps the valid alerts of a body and names the faults of the others', async () => {
    const { call } = setUp()
    const alerts = [{ labels: { alertname: 'A', host: 'x' } }, { labels: {} }, { labels: { a: 'b', '': 'c' } }]
    expect(await call('POST', '/api/v2/alerts', alerts)).toEqual({
      status: 400,
      body: 'at least one label pair required; invalid label set: invalid name ""',
    })
    const { body } = await call('GET', '/api/v2/alerts')
    expect(body).toMatchObject([
      {
        labels: { alertname: 'A', host: 'x' },
        startsAt: '1970-01-01T00:01:00.000Z',
        endsAt: '1970-01-01T00:06:00.000Z',
        status: { state: 'active' },
        receivers: [{ name: 'main' }],
      },
    ])
  })

  test.each([
    ['', 422, 'alerts in body is required'],
    ['x', 400, "invalid character 'x'"],
    ['{', 400, 'invalid JSON'],
    [{}, 400, 'alerts is of the type object and not array'],
    [[1], 400, '0 is of the type number and not object'],
    [[{ labels: { a: 1 } }], 400, 'labels.a is of the type number and not string'],
    [[{ labels: { a: 'b' }, startsAt: 'today' }], 400, 'startsAt is no time'],
    [[{}], 422, '0.labels in body is required'],
  ])('refuses the alerts %j with %d', async (body, status, message) => {
    const answer = await setUp().call('POST', '/api/v2/alerts', body)
    expect(answer).toMatchObject({ status, body: { message: expect.stringContaining(message) as string } })
  })

  test('creates, lists, filters and ends silences', async () => {
    const { call } = setUp()
    const created = await call('POST', '/api/v2/silences', silence)
    const id = (created.body as { silenceID: string }).silenceID
    expect((await call('GET', '/api/v2/silences', '', 'filter=host=x')).body).toHaveLength(1)
    expect((await call('GET', '/api/v2/silences', '', 'filter=host=~x')).body).toEqual([])
    expect(await call('DELETE', `/api/v2/silence/${id}`)).toEqual({ status: 200 })
    expect((await call('GET', `/api/v2/silence/${id}`)).body).toMatchObject({
      status: { state: 'expired' },
      matchers: [{ isEqual: true, isRegex: false, name: 'host', value: 'x' }],
    })
  })

  const matcher = (name: string, value: string, isRegex: boolean) => ({
    ...silence,
    matchers: [{ name, value, isRegex }],
  })

  test.each([
    [{ ...silence, matchers: [] }, 422, 'matchers in body should have at least 1 items'],
    [
      matcher('a', '', false),
      400,
      'invalid silence: matcher set 0: at least one matcher must not match the empty string',
    ],
    [matcher('', 'x', false), 400, 'invalid silence: invalid label matcher 0 in set 0: invalid label name ""'],
    [
      matcher('a', '(', true),
      400,
      'invalid silence: invalid label matcher 0 in set 0: invalid regular expression "(": error parsing regexp: missing closing ): `(`',
    ],
    [{ ...silence, endsAt: silence.startsAt }, 400, 'Failed to create silence: start time must be before end time'],
    [{ ...silence, id: '00000000-0000-4000-8000-000000000009' }, 404, 'silence not found'],
  ])('refuses the silence %j with %d', async (body, status, message) => {
    const answer = await setUp().call('POST', '/api/v2/silences', body)
    expect(answer.status).toBe(status)
    expect(typeof answer.body === 'string' ? answer.body : (answer.body as { message: string }).message).toBe(message)
  })

  test('refuses filters that are no matchers', async () => {
    const { call } = setUp()
    expect(await call('GET', '/api/v2/alerts', '', 'filter=env')).toEqual({
      status: 400,
      body: 'bad matcher format: env',
    })
    expect((await call('GET', '/api/v2/alerts', '', 'filter=env=~(')).body).toBe(
      'error parsing regexp: missing closing ): `^(?:()$`',
    )
  })

  test('groups alerts by the labels of their route', async () => {
    const { call } = setUp()
    await call('POST', '/api/v2/alerts', [
      { labels: { alertname: 'B' } },
      { labels: { alertname: 'A', host: 'y' } },
      { labels: { alertname: 'A', host: 'x' } },
    ])
    expect((await call('GET', '/api/v2/alerts/groups', '', 'receiver=ma.*')).body).toMatchObject([
      { labels: { alertname: 'A' }, receiver: { name: 'main' }, alerts: [{ labels: { host: 'x' } }, {}] },
      { labels: { alertname: 'B' } },
    ])
    expect((await call('GET', '/api/v2/alerts/groups', '', 'receiver=other')).body).toEqual([])
  })

  test.each([
    ['GET', '/api/v2/nothing', 404],
    ['PUT', '/api/v2/alerts', 405],
    ['GET', '/api/v2/silence/abc', 422],
    ['GET', '/api/v1/alerts', 410],
  ])('%s %s is answered with %d', async (method, path, status) => {
    expect((await setUp().call(method, path)).status).toBe(status)
  })
})
