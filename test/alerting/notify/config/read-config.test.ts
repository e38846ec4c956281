import { describe, expect, test } from 'vitest'
import { matchRoutes, readNotifyConfig, type ReadSecret } from '../../../../src/alerting/notify/config/index.ts'
import { SluiceError } from '../../../../src/base/index.ts'
import { Labels } from '../../../../src/data/index.ts'

const noSecrets: ReadSecret = () => {
  throw new Error('no secrets here')
}

const FULL = `
global:
  resolve_timeout: 4m
  slack_api_url_env: SLACK
  smtp_from: alerts@example.com
  smtp_smarthost: mail.example.com:587
  smtp_auth_username: alerts
  smtp_auth_password_file: /secrets/mail
external_url: https://sluice.example.com/
allow_addresses: [10.0.0.0/8]
route:
  receiver: default
  group_by: [alertname, env]
  routes:
    - matchers: ['team="db"', 'env=~"prod|stage"']
      receiver: db
      group_wait: 1m30s
      continue: true
    - match: { team: db }
      receiver: mail
      group_by: ['...']
inhibit_rules:
  - source_matchers: [severity=critical]
    target_match: { severity: warning }
    equal: [service]
receivers:
  - name: default
  - name: db
    webhook_configs:
      - url: http://hook.example.com/x
        max_alerts: 3
        http_config: { authorization: { credentials_env: TOKEN } }
    pagerduty_configs:
      - routing_key_file: /secrets/key
    alertmanager_configs:
      - urls: [http://am-1.example.com:9093, http://am-2.example.com:9093]
    slack_configs:
      - channel: '#alerts'
  - name: mail
    email_configs:
      - to: a@example.com
`

function faultsOf(text: string): readonly string[] {
  try {
    readNotifyConfig(text, noSecrets)
    return []
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    return error.diagnostics.map(({ message, notes }) => [message, ...notes].join(' '))
  }
}

const MINIMAL = 'receivers: [{name: a}]\n'

describe('configuration of receivers', () => {
  const config = readNotifyConfig(FULL, (source) =>
    'file' in source ? `of ${source.file}\n` : `http://e.com/${source.env}`,
  )

  test('reads all kinds of integrations', () => {
    const integrations = [...config.receivers.values()].flatMap((receiver) => receiver.integrations)
    expect(integrations.map(({ kind, id, sendResolved }) => [kind, id, sendResolved])).toEqual([
      ['webhook', 'webhook[0]', true],
      ['alertmanager', 'alertmanager[0][0]', true],
      ['alertmanager', 'alertmanager[0][1]', true],
      ['slack', 'slack[0]', false],
      ['pagerduty', 'pagerduty[0]', true],
      ['email', 'email[0]', false],
    ])
    expect(config).toMatchObject({ resolveTimeoutMs: 240_000, externalUrl: 'https://sluice.example.com' })
    expect(integrations.at(-1)).toMatchObject({ host: 'mail.example.com', port: 587, requireTls: true })
  })

  test('secrets are read, and appear neither in JSON nor in strings', () => {
    const [, , , slack, pagerduty] = [...config.receivers.values()].flatMap((receiver) => receiver.integrations)
    if (slack?.kind !== 'slack' || pagerduty?.kind !== 'pagerduty') throw new Error('other integrations expected')
    expect(slack.url.reveal()).toBe('http://e.com/SLACK')
    expect(pagerduty.routingKey.reveal()).toBe('of /secrets/key')
    const shown = `${JSON.stringify([...config.receivers])}${String(slack.url)}`
    expect(shown).not.toMatch(/SLACK|secrets|TOKEN/)
  })

  test('routes inherit options, and match by depth and `continue`', () => {
    const matched = matchRoutes(config.route, Labels.of({ team: 'db', env: 'prod' }))
    expect(matched.map(({ key, receiver, groupWaitMs, groupBy }) => [key, receiver, groupWaitMs, groupBy])).toEqual([
      ['{}/{env=~"prod|stage",team="db"}', 'db', 90_000, ['alertname', 'env']],
      ['{}/{team="db"}', 'mail', 30_000, 'all'],
    ])
    expect(matchRoutes(config.route, Labels.of({ team: 'web' })).map(({ key }) => key)).toEqual(['{}'])
  })

  test.each([
    ['route: {receiver: b}', 'line 2, column 19: No receiver has this name.'],
    [
      'route: {receiver: a, grup_by: [a]}',
      'line 2, column 22: This is not a member of a route. Did you mean `group_by`?',
    ],
    ['route: {receiver: a, group_wait: 5}', 'line 2, column 34: `group_wait` must be a duration'],
    ['route: {receiver: a, group_interval: 0s}', 'line 2, column 38: `group_interval` must be a duration'],
    ['route: {receiver: a, group_by: [a, ...]}', 'line 2, column 32: `group_by` must be'],
    [
      'route: {receiver: a, mute_time_intervals: [x]}',
      'line 2, column 22: `mute_time_intervals` is not supported. Times',
    ],
    ['route: {receiver: a, routes: [{matchers: ["a=~("]}]}', 'line 2, column 43: The matcher cannot be read. Patterns'],
    ['route: {receiver: *a}', 'line 2, column 19: No anchor before this alias has its name.'],
    ['route: {receiver: a}\nroute: {}', 'line 3, column 1: This is not YAML: duplicate key.'],
    ['', 'line 1, column 1: The configuration needs the member `route`.'],
  ])('refuses %s with its position', (text, message) => {
    expect(faultsOf(MINIMAL + text)[0]).toContain(message)
  })

  test('all missing members of a receiver are reported', () => {
    const faults = faultsOf('route: {receiver: a}\nreceivers: [{name: a, email_configs: [{require_tls: 1}]}]')
    expect(faults).toEqual([
      'line 2, column 39: An e-mail receiver needs the member `smarthost`.',
      'line 2, column 39: An e-mail receiver needs the member `from`.',
      'line 2, column 39: An e-mail receiver needs the member `to`.',
      'line 2, column 53: `require_tls` must be `true` or `false`.',
    ])
  })

  test.each([
    ['{url: "ftp://hunter2"}', 'line 1, column 50: `url` must be a URL'],
    ['{url: "http://x", url_env: hunter2}', 'Only one of `url`, `url_file` and `url_env` may be given.'],
    ['{url_env: X, url_field: hunter2}', 'line 1, column 54: The secret that `url_env` names cannot be read.'],
    ['{http://hunter2}', 'line 1, column 45: This is not a member of a webhook.'],
    ['{url: *hunter2}', 'line 1, column 50: No anchor before this alias has its name.'],
  ])('refuses the webhook %s without its value', (webhook, message) => {
    const faults = faultsOf(`receivers: [{name: a, webhook_configs: [   ${webhook}]}]\nroute: {receiver: a}`)
    expect(faults.join('\n')).toContain(message)
    expect(faults.join('\n')).not.toContain('hunter2')
  })

  test('no error shows a value, whichever name or value of the configuration is replaced', () => {
    const words = [...FULL.matchAll(/[^\s[\]{},]+/g)]
    const faults = words.flatMap(({ 0: word, index }) => {
      const colon = word.endsWith(':') ? ':' : ''
      return faultsOf(`${FULL.slice(0, index)}hunter2${colon}${FULL.slice(index + word.length)}`)
    })
    expect(faults.length).toBeGreaterThan(words.length)
    expect(faults.filter((fault) => fault.includes('hunter2'))).toEqual([])
  })

  test('aliases that multiply the route tree are refused', () => {
    const faults = faultsOf(`${MINIMAL}route: &r {receiver: a, routes: [*r, *r]}`)
    expect(faults[0]).toMatch(/The aliases of the document repeat values/)
  })
})
