import type { LabelTest } from '../../matchers/index.ts'
import type { Secret } from './secret.ts'

/** Proof of identity toward a receiver over HTTP. */
export type Credentials =
  | { readonly kind: 'token'; readonly scheme: string; readonly token: Secret }
  | { readonly kind: 'basic'; readonly username: string; readonly password: Secret }

interface IntegrationBase {
  /** Unique in its receiver, stable while the configuration is: `webhook[0]`. */
  readonly id: string
  readonly sendResolved: boolean
}

export interface WebhookIntegration extends IntegrationBase {
  readonly kind: 'webhook'
  readonly url: Secret
  /** At most this many alerts in a body; 0 for no limit. */
  readonly maxAlerts: number
  readonly credentials: Credentials | undefined
}

export interface AlertmanagerIntegration extends IntegrationBase {
  readonly kind: 'alertmanager'
  /** Base address; alerts go to `/api/v2/alerts` under it. */
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
  /** Name given in the greeting; the host's own name if absent. */
  readonly hello: string | undefined
  readonly username: string | undefined
  readonly password: Secret | undefined
  /** Refuse to send without TLS. */
  readonly requireTls: boolean
}

export interface PagerdutyIntegration extends IntegrationBase {
  readonly kind: 'pagerduty'
  readonly url: Secret
  readonly routingKey: Secret
  /** Severity of alerts whose own label `severity` is none of PagerDuty's. */
  readonly severity: string
}

/** One way to reach a receiver. */
export type Integration =
  | WebhookIntegration
  | AlertmanagerIntegration
  | SlackIntegration
  | EmailIntegration
  | PagerdutyIntegration

export interface Receiver {
  readonly name: string
  /** Empty for a receiver that discards its alerts. */
  readonly integrations: readonly Integration[]
}

/** A node of the route tree, with the options that it inherits. Times are milliseconds. */
export interface Route {
  /** The matchers of the path from the root, as the group key begins: `{}/{team="db"}`. */
  readonly key: string
  readonly receiver: string
  /** Names of the labels that make a group; `all` makes each set of labels its own. */
  readonly groupBy: readonly string[] | 'all'
  readonly groupWaitMs: number
  readonly groupIntervalMs: number
  readonly repeatIntervalMs: number
  readonly matches: LabelTest
  /** Whether later siblings are tried as well after a match. */
  readonly isContinued: boolean
  readonly routes: readonly Route[]
}

/** While a source fires, targets with the same values of `equal` are not notified. */
export interface InhibitRule {
  readonly source: LabelTest
  readonly target: LabelTest
  readonly equal: readonly string[]
}

export interface NotifyConfig {
  /** Time after which an alert without an end counts as resolved if it is not sent again. */
  readonly resolveTimeoutMs: number
  /** Address of this server's pages, for links; may be empty. */
  readonly externalUrl: string
  /** Host names, addresses and CIDR ranges that may be called although they are private. */
  readonly allowAddresses: readonly string[]
  readonly route: Route
  readonly receivers: ReadonlyMap<string, Receiver>
  readonly inhibitRules: readonly InhibitRule[]
  /** Receiver of an alert that always fires; 0 as its interval for that of the root route. */
  readonly deadMansSwitch: { readonly receiver: string; readonly repeatIntervalMs: number } | undefined
}
