import { SluiceError } from '../../../base/index.ts'
import { YamlDocument, type YamlValue } from '../../yaml/index.ts'
import { withoutExcerpts } from './diagnostics.ts'
import { readReceiver, secretAt, secretNames, type Globals } from './read-receivers.ts'
import { MUTING_ADVICE, readInhibitRule, readReceiverName, readRoute } from './read-route.ts'
import type { ReadSecret } from './secret.ts'
import type { NotifyConfig, Receiver } from './types.ts'

/** Alertmanager's `resolve_timeout`. */
const RESOLVE_TIMEOUT_MS = 300_000

const MEMBERS = [
  'global',
  'route',
  'receivers',
  'inhibit_rules',
  'allow_addresses',
  'external_url',
  'dead_mans_switch',
] as const

const UNSUPPORTED = {
  time_intervals: MUTING_ADVICE,
  mute_time_intervals: MUTING_ADVICE,
  templates: 'Templates stand in monitors and rule files.',
}

const GLOBAL_MEMBERS = [
  'resolve_timeout',
  'smtp_from',
  'smtp_smarthost',
  'smtp_hello',
  'smtp_auth_username',
  'smtp_require_tls',
  ...secretNames('slack_api_url'),
  ...secretNames('pagerduty_url'),
  ...secretNames('smtp_auth_password'),
] as const

function readGlobals(value: YamlValue, readSecret: ReadSecret): Globals & { readonly resolveTimeoutMs: number } {
  const member = value.members('`global`', GLOBAL_MEMBERS)
  return {
    resolveTimeoutMs: member('resolve_timeout').durationMs(1) || RESOLVE_TIMEOUT_MS,
    slackUrl: secretAt(member, 'slack_api_url', readSecret),
    pagerdutyUrl: secretAt(member, 'pagerduty_url', readSecret),
    smtp: {
      from: member('smtp_from').text(),
      smarthost: member('smtp_smarthost'),
      hello: member('smtp_hello').text() || undefined,
      username: member('smtp_auth_username').text() || undefined,
      password: secretAt(member, 'smtp_auth_password', readSecret),
      requireTls: member('smtp_require_tls').boolean(true),
    },
  }
}

function readDeadMansSwitch(
  value: YamlValue,
  receivers: ReadonlyMap<string, Receiver>,
): NotifyConfig['deadMansSwitch'] {
  const member = value.members('`dead_mans_switch`', ['receiver', 'repeat_interval'])
  const receiver = readReceiverName(member('receiver').required('`dead_mans_switch`'), receivers)
  return { receiver, repeatIntervalMs: member('repeat_interval').durationMs(1) }
}

function readConfig(document: YamlDocument, readSecret: ReadSecret): NotifyConfig {
  const member = document.root.members('the configuration', MEMBERS, UNSUPPORTED)
  const globals = readGlobals(member('global'), readSecret)
  const receivers = new Map<string, Receiver>()
  for (const value of member('receivers').items()) {
    const receiver = readReceiver(value, globals, readSecret)
    if (receivers.has(receiver.name)) value.fault('Two receivers have this name. Rename one.')
    receivers.set(receiver.name, receiver)
  }
  const config: NotifyConfig = {
    resolveTimeoutMs: globals.resolveTimeoutMs,
    externalUrl: member('external_url').text().replace(/\/+$/, ''),
    allowAddresses: member('allow_addresses').strings(),
    route: readRoute(member('route').required('The configuration'), receivers),
    receivers,
    inhibitRules: member('inhibit_rules').items().map(readInhibitRule),
    deadMansSwitch: member('dead_mans_switch').given((value) => readDeadMansSwitch(value, receivers)),
  }
  document.throwFaults()
  return config
}

/**
 * Parses a configuration of receivers in Alertmanager's format. Throws SluiceError `notify-config/invalid` with all
 * errors, each with line and column. Errors contain no values, and thus no secrets.
 */
export function readNotifyConfig(text: string, readSecret: ReadSecret): NotifyConfig {
  try {
    return readConfig(YamlDocument.parse(text), readSecret)
  } catch (error) {
    throw error instanceof SluiceError ? withoutExcerpts(error, text) : error
  }
}
