import type { LabelTest } from '../../matchers/index.ts'
import type { Secret } from './secret.ts'

/** Credentials for an HTTP receiver. */
export type Credentials =
  | { readonly kind: 'token'; readonly scheme: string; readonly token: Secret }
  | { readonly kind: 'basic'; readonly username: string; readonly password: Secret }

interface IntegrationBase {
  /** Id that is unique within its receiver and stable while the configuration is unchanged: `webhook[0]`. */
  readonly id: string
  readonly sendResolved: boolean
}

export interface WebhookIntegration extends IntegrationBase {
  readonly kind: 'webhook'
  readonly url: Secret
  /** Maximum number of alerts in a body; 0 for no limit. */
  readonly maxAlerts: number
  readonly credentials: Credentials | undefined
}

export interface AlertmanagerIntegration extends IntegrationBase {
  readonly kind: 'alertmanager'
  /** Base URL; alerts are posted to `/api/v2/alerts` below it. */
  readonly url: Secret
  readonly credentials: Credentials | undefined
}

export interface SlackIntegration extends IntegrationBase {
  readonly kind: 'slack'
  readonly url: Secret
  readonly channel: string | undefined
  readonly username: string | undefined
}

export interface EmailIntegration extends IntegrationBase {
  readonly kind: 'email'
  readonly to: string
  readonly from: string
  readonly host: string
  readonly port: number
  /** Host name for the SMTP greeting. Default: name of this host. */
  readonly hello: string | undefined
  readonly username: string | undefined
  readonly password: Secret | undefined
  /** True to send only over TLS. */
  readonly requireTls: boolean
}

export interface PagerdutyIntegration extends IntegrationBase {
  readonly kind: 'pagerduty'
  readonly url: Secret
  readonly routingKey: Secret
  /** PagerDuty severity for alerts whose label `severity` is not one that PagerDuty accepts. */
  readonly severity: string
}

/** A notification channel of a receiver. */
export type Integration =
  | WebhookIntegration
  | AlertmanagerIntegration
  | SlackIntegration
  | EmailIntegration
  | PagerdutyIntegration

export interface Receiver {
  readonly name: string
  /** Notification channels of the receiver; empty if it discards its alerts. */
  readonly integrations: readonly Integration[]
}

/** A node of the route tree, with the options that it inherits. Times are milliseconds. */
export interface Route {
  /** Matchers on the path from the root, with which group keys begin: `{}/{team="db"}`. */
  readonly key: string
  readonly receiver: string
  /** Labels by which alerts are grouped; with `all`, each label set is a group. */
  readonly groupBy: readonly string[] | 'all'
  readonly groupWaitMs: number
  readonly groupIntervalMs: number
  readonly repeatIntervalMs: number
  readonly matches: LabelTest
  /** True to also try later siblings after a match (`continue`). */
  readonly isContinued: boolean
  readonly routes: readonly Route[]
}

/** While a source alert fires, target alerts with the same values of the labels `equal` are suppressed. */
export interface InhibitRule {
  readonly source: LabelTest
  readonly target: LabelTest
  readonly equal: readonly string[]
}

export interface NotifyConfig {
  /** Time after which an alert without an end is resolved if it is not sent again, ms. */
  readonly resolveTimeoutMs: number
  /** Base URL of this server's pages, for links; may be empty. */
  readonly externalUrl: string
  /** Host names, addresses and CIDR ranges that may be called although they are private. */
  readonly allowAddresses: readonly string[]
  readonly route: Route
  readonly receivers: ReadonlyMap<string, Receiver>
  readonly inhibitRules: readonly InhibitRule[]
  /** Receiver of an alert that always fires. With an interval of 0, the repeat interval of the root route applies. */
  readonly deadMansSwitch: { readonly receiver: string; readonly repeatIntervalMs: number } | undefined
}
