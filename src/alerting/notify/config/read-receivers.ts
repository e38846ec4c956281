import type { YamlValue } from '../../yaml/index.ts'
import { Secret, type ReadSecret } from './secret.ts'
import type { Credentials, Integration, Receiver } from './types.ts'

type SecretNames<N extends string> = N | `${N}_file` | `${N}_env`

const TEMPLATES = 'Titles and texts come from the monitor: its `display`, labels and annotations.'

/** Settings of the section `global`, which are defaults for receivers. */
export interface Globals {
  readonly slackUrl: Secret | undefined
  readonly pagerdutyUrl: Secret | undefined
  readonly smtp: {
    /** Sender address of e-mails; empty if absent. */
    readonly from: string
    readonly smarthost: YamlValue
    readonly hello: string | undefined
    readonly username: string | undefined
    readonly password: Secret | undefined
    readonly requireTls: boolean
  }
}

export function secretNames<N extends string>(name: N): readonly SecretNames<N>[] {
  return [name, `${name}_file`, `${name}_env`]
}

/**
 * Reads a secret from the text, a file (`…_file`) or an environment variable (`…_env`). If `owner` is given, the secret
 * is required, and `owner` names its mapping in errors: `A webhook`.
 */
export function secretAt<N extends string>(
  member: (name: SecretNames<N>) => YamlValue,
  name: N,
  readSecret: ReadSecret,
  owner?: string,
): Secret | undefined {
  const [text, file, env] = [member(name), member(`${name}_file`), member(`${name}_env`)]
  const [value, second] = [text, file, env].filter((each) => !each.isNull)
  if (value === undefined) {
    if (owner !== undefined) text.required(owner)
    return undefined
  }
  second?.faultAtName(`Only one of ${text.name}, ${file.name} and ${env.name} may be given.`)
  if (value === text) return new Secret(text.text())
  try {
    return new Secret(readSecret(value === file ? { file: file.text() } : { env: env.text() }).trim())
  } catch {
    const advice = value === file ? 'The file must exist and be readable.' : 'The environment variable must be set.'
    value.fault(`The secret that ${value.name} names cannot be read. ${advice}`)
    return undefined
  }
}

/** Reads a secret HTTP URL. It is required unless there is a `fallback`. */
function urlAt<N extends string>(
  member: (name: SecretNames<N>) => YamlValue,
  name: N,
  owner: string,
  readSecret: ReadSecret,
  fallback?: Secret,
): Secret {
  const url = secretAt(member, name, readSecret, fallback === undefined ? owner : undefined) ?? fallback
  if (url !== undefined) checkUrl(url, member(name))
  return url ?? new Secret('')
}

function checkUrl(url: Secret, value: YamlValue): void {
  if (!/^https?:$/.test(URL.parse(url.reveal())?.protocol ?? '')) value.wrong('a URL with `http://` or `https://`')
}

const UNSUPPORTED_HTTP = {
  follow_redirects: 'Redirects are never followed.',
  proxy_url: 'Requests go straight to the receiver.',
  tls_config: 'Certificates are checked against those of the system; `NODE_EXTRA_CA_CERTS` adds further ones.',
}

/** Reads credentials from `token`, or else from `http_config`. */
function readCredentials(
  member: (name: SecretNames<'token'> | 'http_config') => YamlValue,
  readSecret: ReadSecret,
): Credentials | undefined {
  const bearer = secretAt(member, 'token', readSecret)
  if (bearer !== undefined) return { kind: 'token', scheme: 'Bearer', token: bearer }
  const http = member('http_config').members('`http_config`', ['authorization', 'basic_auth'], UNSUPPORTED_HTTP)
  const authorization = http('authorization').members('`authorization`', ['type', ...secretNames('credentials')])
  const token = secretAt(authorization, 'credentials', readSecret)
  if (token !== undefined) return { kind: 'token', scheme: authorization('type').text() || 'Bearer', token }
  return http('basic_auth').given<Credentials>((value) => {
    const basic = value.members('`basic_auth`', ['username', ...secretNames('password')])
    const password = secretAt(basic, 'password', readSecret) ?? new Secret('')
    return { kind: 'basic', username: basic('username').required('`basic_auth`').text(), password }
  })
}

/** Parses an entry of one kind of integration. An entry with several URLs becomes one integration for each. */
type ReadIntegration = (value: YamlValue, tools: Tools) => readonly Integration[]

interface Tools {
  readonly id: string
  readonly globals: Globals
  readonly readSecret: ReadSecret
}

const readWebhook: ReadIntegration = (value, { id, readSecret }) => {
  const names = ['send_resolved', 'max_alerts', 'http_config', ...secretNames('url'), ...secretNames('token')] as const
  const member = value.members('a webhook', names)
  return [
    {
      kind: 'webhook',
      id,
      url: urlAt(member, 'url', 'A webhook', readSecret),
      sendResolved: member('send_resolved').boolean(true),
      maxAlerts: member('max_alerts').integer(0),
      credentials: readCredentials(member, readSecret),
    },
  ]
}

const readAlertmanager: ReadIntegration = (value, { id, readSecret }) => {
  const member = value.members('an Alertmanager', ['urls', 'http_config', ...secretNames('token')])
  const credentials = readCredentials(member, readSecret)
  const urls = member('urls').required('An Alertmanager').items()
  return urls.map((each, i) => {
    const url = new Secret(each.text())
    checkUrl(url, each)
    return { kind: 'alertmanager', id: `${id}[${i}]`, url, sendResolved: true, credentials }
  })
}

const SLACK_MEMBERS = ['send_resolved', 'channel', 'username', ...secretNames('api_url')] as const

const readSlack: ReadIntegration = (value, { id, globals, readSecret }) => {
  const unsupported = { title: TEMPLATES, text: TEMPLATES, fallback: TEMPLATES }
  const member = value.members('a receiver in Slack', SLACK_MEMBERS, unsupported)
  return [
    {
      kind: 'slack',
      id,
      url: urlAt(member, 'api_url', 'A receiver in Slack', readSecret, globals.slackUrl),
      sendResolved: member('send_resolved').boolean(),
      channel: member('channel').text() || undefined,
      username: member('username').text() || undefined,
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
  const unsupported = { html: TEMPLATES, text: TEMPLATES, headers: TEMPLATES }
  const member = value.members('an e-mail receiver', EMAIL_MEMBERS, unsupported)
  const smarthost = member('smarthost').isNull && !smtp.smarthost.isNull ? smtp.smarthost : member('smarthost')
  const [, host, port] = /^(?:\[?)([^[\]]+?)(?:\]?):(\d{1,5})$/.exec(smarthost.text()) ?? []
  smarthost.required('An e-mail receiver')
  if (!smarthost.isNull && host === undefined) smarthost.wrong('a host with a port, such as `mail.example.com:587`')
  if (smtp.from === '') member('from').required('An e-mail receiver')
  return [
    {
      kind: 'email',
      id,
      sendResolved: member('send_resolved').boolean(),
      to: member('to').required('An e-mail receiver').text(),
      from: member('from').text() || smtp.from,
      host: host ?? '',
      port: Number(port ?? 0),
      hello: member('hello').text() || smtp.hello,
      username: member('auth_username').text() || smtp.username,
      password: secretAt(member, 'auth_password', readSecret) ?? smtp.password,
      requireTls: member('require_tls').boolean(smtp.requireTls),
    },
  ]
}

const PAGERDUTY_URL = new Secret('https://events.pagerduty.com/v2/enqueue')
const PAGERDUTY_MEMBERS = ['send_resolved', 'severity', ...secretNames('routing_key'), ...secretNames('url')] as const

const readPagerduty: ReadIntegration = (value, { id, globals, readSecret }) => {
  const member = value.members('a receiver in PagerDuty', PAGERDUTY_MEMBERS, {
    service_key:
      'Events of version 1 are not sent. Create an integration for Events API v2 and give its `routing_key`.',
    description: TEMPLATES,
    details: TEMPLATES,
  })
  const owner = 'A receiver in PagerDuty'
  return [
    {
      kind: 'pagerduty',
      id,
      url: urlAt(member, 'url', owner, readSecret, globals.pagerdutyUrl ?? PAGERDUTY_URL),
      routingKey: secretAt(member, 'routing_key', readSecret, owner) ?? new Secret(''),
      sendResolved: member('send_resolved').boolean(true),
      severity: member('severity').text() || 'error',
    },
  ]
}

/** Parsers of all kinds of integrations, by the receiver's member that lists them. */
const kinds = {
  webhook_configs: readWebhook,
  alertmanager_configs: readAlertmanager,
  slack_configs: readSlack,
  email_configs: readEmail,
  pagerduty_configs: readPagerduty,
} as const satisfies Readonly<Record<string, ReadIntegration>>

export function readReceiver(value: YamlValue, globals: Globals, readSecret: ReadSecret): Receiver {
  const names = Object.keys(kinds) as (keyof typeof kinds)[]
  const member = value.members('a receiver', ['name', ...names])
  const integrations = names.flatMap((name) =>
    member(name)
      .items()
      .flatMap((entry, i) => kinds[name](entry, { id: `${name.replace('_configs', '')}[${i}]`, globals, readSecret })),
  )
  return { name: member('name').required('A receiver').text(), integrations }
}
