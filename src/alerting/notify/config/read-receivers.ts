import { nowhere } from '../../../base/index.ts'
import { configDiagnostic } from './diagnostics.ts'
import { Secret, type ReadSecret } from './secret.ts'
import type { Credentials, Integration, Receiver } from './types.ts'
import type { YamlMembers, YamlValue } from './yaml-reader.ts'

const SECRET_SUFFIXES = ['', '_file', '_env'] as const
type SecretNames<N extends string> = `${N}${(typeof SECRET_SUFFIXES)[number]}`

const TEMPLATES = 'Titles and texts come from the monitor: its `display`, labels and annotations.'

/** Settings of the section `global` that receivers fall back to. */
export interface Globals {
  readonly slackUrl: Secret | undefined
  readonly pagerdutyUrl: Secret | undefined
  readonly smtp: {
    readonly from: string | undefined
    readonly smarthost: YamlValue | undefined
    readonly hello: string | undefined
    readonly username: string | undefined
    readonly password: Secret | undefined
    readonly requireTls: boolean
  }
}

export function secretNames<N extends string>(name: N): readonly SecretNames<N>[] {
  return SECRET_SUFFIXES.map((suffix): SecretNames<N> => `${name}${suffix}`)
}

/** Reads a secret that stands in the text, in a file (`…_file`) or in an environment variable (`…_env`). */
export function secretAt<N extends string>(
  members: YamlMembers<SecretNames<N>>,
  name: N,
  readSecret: ReadSecret,
): Secret | undefined {
  const given = secretNames(name).flatMap((each) => members.get(each) ?? [])
  const [value] = given
  if (value === undefined) return undefined
  const { faults } = value
  if (given.length > 1) {
    const names = given.map((each) => each.name)
    faults.add(configDiagnostic('several-members', { ...members.owner.place, names }, nowhere))
  }
  const text = value.string()
  if (value.name === name) return new Secret(text)
  try {
    return new Secret(readSecret(value.name === `${name}_file` ? { file: text } : { env: text }).trim())
  } catch {
    faults.add(configDiagnostic('unreadable-secret', { ...value.place, name: value.name }, nowhere))
    return undefined
  }
}

/** Checks that a secret is a URL of HTTP. The fault does not show it. */
function checkUrl(url: Secret | undefined, owner: YamlValue, name: string): void {
  if (url === undefined || /^https?:$/.test(URL.parse(url.reveal())?.protocol ?? '')) return
  owner.faults.add(
    configDiagnostic('wrong-value', { ...owner.place, name, expected: 'a URL with `http://` or `https://`' }, nowhere),
  )
}

function readCredentials(value: YamlValue | undefined, readSecret: ReadSecret): Credentials | undefined {
  const members = value?.members(['authorization', 'basic_auth'], {
    follow_redirects: 'Redirects are never followed.',
    proxy_url: 'Requests go straight to the receiver.',
    tls_config: 'Certificates are checked against those of the system; `NODE_EXTRA_CA_CERTS` adds further ones.',
  })
  const authorization = members?.get('authorization')?.members(['type', ...secretNames('credentials')])
  const token = authorization === undefined ? undefined : secretAt(authorization, 'credentials', readSecret)
  if (token !== undefined) return { kind: 'token', scheme: authorization?.get('type')?.string() ?? 'Bearer', token }
  const basic = members?.get('basic_auth')?.members(['username', ...secretNames('password')])
  if (basic === undefined) return undefined
  const password = secretAt(basic, 'password', readSecret) ?? new Secret('')
  return { kind: 'basic', username: basic.required('username', '`basic_auth`'), password }
}

/** Reads one kind of integration; an entry may give several, as one for each URL. */
type ReadIntegration = (value: YamlValue, tools: Tools) => readonly Integration[]

interface Tools {
  readonly id: string
  readonly globals: Globals
  readonly readSecret: ReadSecret
}

const readWebhook: ReadIntegration = (value, { id, readSecret }) => {
  const names = ['send_resolved', 'max_alerts', 'http_config', ...secretNames('url'), ...secretNames('token')] as const
  const members = value.members(names)
  const url = secretAt(members, 'url', readSecret)
  if (url === undefined) members.missing('url', 'A webhook')
  checkUrl(url, value, 'url')
  const token = secretAt(members, 'token', readSecret)
  return [
    {
      kind: 'webhook',
      id,
      url: url ?? new Secret(''),
      sendResolved: members.get('send_resolved')?.boolean() ?? true,
      maxAlerts: members.get('max_alerts')?.count() ?? 0,
      credentials:
        token === undefined
          ? readCredentials(members.get('http_config'), readSecret)
          : { kind: 'token', scheme: 'Bearer', token },
    },
  ]
}

const readAlertmanager: ReadIntegration = (value, { id, readSecret }) => {
  const members = value.members(['urls', 'http_config', ...secretNames('token')])
  const token = secretAt(members, 'token', readSecret)
  const credentials: Credentials | undefined =
    token === undefined
      ? readCredentials(members.get('http_config'), readSecret)
      : { kind: 'token', scheme: 'Bearer', token }
  const urls = members.get('urls')?.list() ?? []
  if (urls.length === 0) members.missing('urls', 'An Alertmanager')
  return urls.map((each, i) => {
    const url = new Secret(each.string())
    checkUrl(url, each, 'urls')
    return { kind: 'alertmanager', id: `${id}[${i}]`, url, sendResolved: true, credentials }
  })
}

const readSlack: ReadIntegration = (value, { id, globals, readSecret }) => {
  const members = value.members(['send_resolved', 'channel', 'username', ...secretNames('api_url')], {
    title: TEMPLATES,
    text: TEMPLATES,
    fallback: TEMPLATES,
  })
  const url = secretAt(members, 'api_url', readSecret) ?? globals.slackUrl
  if (url === undefined) members.missing('api_url', 'A receiver in Slack')
  checkUrl(url, value, 'api_url')
  return [
    {
      kind: 'slack',
      id,
      url: url ?? new Secret(''),
      sendResolved: members.get('send_resolved')?.boolean() ?? false,
      channel: members.get('channel')?.string(),
      username: members.get('username')?.string(),
    },
  ]
}

const EMAIL_MEMBERS = [
  'send_resolved',
  'to',
  'from',
  'smarthost',
  'hello',
  'auth_username',
  'require_tls',
  ...secretNames('auth_password'),
] as const

const readEmail: ReadIntegration = (value, { id, globals: { smtp }, readSecret }) => {
  const members = value.members(EMAIL_MEMBERS, { html: TEMPLATES, text: TEMPLATES, headers: TEMPLATES })
  const smarthost = members.get('smarthost') ?? smtp.smarthost
  const [, host, port] = /^(?:\[?)([^[\]]+?)(?:\]?):(\d{1,5})$/.exec(smarthost?.string() ?? '') ?? []
  if (smarthost === undefined) members.missing('smarthost', 'An e-mail receiver')
  else if (host === undefined) smarthost.wrong('a host with a port, such as `mail.example.com:587`')
  const from = members.get('from')?.string() ?? smtp.from
  if (from === undefined) members.missing('from', 'An e-mail receiver')
  return [
    {
      kind: 'email',
      id,
      sendResolved: members.get('send_resolved')?.boolean() ?? false,
      to: members.required('to', 'An e-mail receiver'),
      from: from ?? '',
      host: host ?? '',
      port: Number(port ?? 0),
      hello: members.get('hello')?.string() ?? smtp.hello,
      username: members.get('auth_username')?.string() ?? smtp.username,
      password: secretAt(members, 'auth_password', readSecret) ?? smtp.password,
      requireTls: members.get('require_tls')?.boolean() ?? smtp.requireTls,
    },
  ]
}

const PAGERDUTY_URL = 'https://events.pagerduty.com/v2/enqueue'
const PAGERDUTY_MEMBERS = ['send_resolved', 'severity', ...secretNames('routing_key'), ...secretNames('url')] as const

const readPagerduty: ReadIntegration = (value, { id, globals, readSecret }) => {
  const members = value.members(PAGERDUTY_MEMBERS, {
    service_key:
      'Events of version 1 are not sent. Create an integration for Events API v2 and give its `routing_key`.',
    description: TEMPLATES,
    details: TEMPLATES,
  })
  const routingKey = secretAt(members, 'routing_key', readSecret)
  if (routingKey === undefined) members.missing('routing_key', 'A receiver in PagerDuty')
  const url = secretAt(members, 'url', readSecret) ?? globals.pagerdutyUrl ?? new Secret(PAGERDUTY_URL)
  checkUrl(url, value, 'url')
  return [
    {
      kind: 'pagerduty',
      id,
      url,
      routingKey: routingKey ?? new Secret(''),
      sendResolved: members.get('send_resolved')?.boolean() ?? true,
      severity: members.get('severity')?.string() ?? 'error',
    },
  ]
}

/** All kinds of integrations by the member of a receiver that lists them. */
const kinds = {
  webhook_configs: readWebhook,
  alertmanager_configs: readAlertmanager,
  slack_configs: readSlack,
  email_configs: readEmail,
  pagerduty_configs: readPagerduty,
} as const satisfies Readonly<Record<string, ReadIntegration>>

export function readReceiver(value: YamlValue, globals: Globals, readSecret: ReadSecret): Receiver {
  const names = Object.keys(kinds) as (keyof typeof kinds)[]
  const members = value.members(['name', ...names])
  const integrations = names.flatMap((name) =>
    (members.get(name)?.list() ?? []).flatMap((entry, i) =>
      kinds[name](entry, { id: `${name.replace('_configs', '')}[${i}]`, globals, readSecret }),
    ),
  )
  return { name: members.required('name', 'A receiver'), integrations }
}
