import { nowhere } from '../../../base/index.ts'
import { configDiagnostic } from './diagnostics.ts'
import { readReceiver, secretAt, secretNames, type Globals } from './read-receivers.ts'
import { MUTING_ADVICE, readInhibitRule, readRoute } from './read-route.ts'
import type { ReadSecret } from './secret.ts'
import type { NotifyConfig, Receiver } from './types.ts'
import { readYaml, type YamlValue } from './yaml-reader.ts'

/** Alertmanager's `resolve_timeout`. */
const RESOLVE_TIMEOUT_MS = 300_000

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

function readGlobals(
  value: YamlValue | undefined,
  readSecret: ReadSecret,
): Globals & { readonly resolveTimeoutMs: number } {
  const members = value?.members(GLOBAL_MEMBERS)
  return {
    resolveTimeoutMs: members?.get('resolve_timeout')?.durationMs(1) ?? RESOLVE_TIMEOUT_MS,
    slackUrl: members && secretAt(members, 'slack_api_url', readSecret),
    pagerdutyUrl: members && secretAt(members, 'pagerduty_url', readSecret),
    smtp: {
      from: members?.get('smtp_from')?.string(),
      smarthost: members?.get('smtp_smarthost'),
      hello: members?.get('smtp_hello')?.string(),
      username: members?.get('smtp_auth_username')?.string(),
      password: members && secretAt(members, 'smtp_auth_password', readSecret),
      requireTls: members?.get('smtp_require_tls')?.boolean() ?? true,
    },
  }
}

/**
 * Reads a configuration of receivers in Alertmanager's form. Throws SluiceError `notify-config/…` with all faults, each
 * with line and column. No error shows a secret.
 */
export function readNotifyConfig(text: string, readSecret: ReadSecret): NotifyConfig {
  const root = readYaml(text)
  const members = root.members(['global', 'route', 'receivers', 'inhibit_rules', 'allow_addresses', 'external_url'], {
    time_intervals: MUTING_ADVICE,
    mute_time_intervals: MUTING_ADVICE,
    templates: 'Templates stand in monitors and rule files.',
  })
  const globals = readGlobals(members.get('global'), readSecret)
  const receivers = new Map<string, Receiver>()
  for (const value of members.get('receivers')?.list() ?? []) {
    const receiver = readReceiver(value, globals, readSecret)
    if (receivers.has(receiver.name))
      root.faults.add(configDiagnostic('duplicate-receiver', { ...value.place, name: receiver.name }, nowhere))
    receivers.set(receiver.name, receiver)
  }
  const route = members.get('route')
  if (route === undefined) {
    members.missing('route', 'The configuration')
    root.faults.throwIfAny()
  }
  const config: NotifyConfig = {
    resolveTimeoutMs: globals.resolveTimeoutMs,
    externalUrl: members.get('external_url')?.string().replace(/\/+$/, '') ?? '',
    allowAddresses: members.get('allow_addresses')?.strings() ?? [],
    route: readRoute(route ?? root, receivers),
    receivers,
    inhibitRules: (members.get('inhibit_rules')?.list() ?? []).map(readInhibitRule),
  }
  root.faults.throwIfAny()
  return config
}
