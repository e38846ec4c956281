export { configDiagnostic } from './diagnostics.ts'
export { readNotifyConfig } from './read-config.ts'
export { matchRoutes } from './read-route.ts'
export { Secret, type ReadSecret, type SecretSource } from './secret.ts'
export type {
  AlertmanagerIntegration,
  Credentials,
  EmailIntegration,
  InhibitRule,
  Integration,
  NotifyConfig,
  PagerdutyIntegration,
  Receiver,
  Route,
  SlackIntegration,
  WebhookIntegration,
} from './types.ts'
