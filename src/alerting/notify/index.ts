export * from './api/index.ts'
export * from './config/index.ts'
export { Dispatcher, type DispatcherOptions, type MuteState } from './dispatcher.ts'
export { fingerprintOf } from './fingerprint.ts'
export { NotificationLog } from './log.ts'
export { completeTimes, type ReceivedAlert } from './merge.ts'
export * from './payloads/index.ts'
export * from './send/index.ts'
export { SilenceSet, type Silence, type Silencer } from './silences.ts'
export type { DispatcherState } from './state.ts'
export type {
  AlertDisplay,
  AlertSettings,
  AlertStatus,
  DeadLetter,
  Delivery,
  NotificationRecord,
  NotificationReason,
  NotifiedAlert,
  SendOutcome,
  RoutedAlert,
} from './types.ts'
